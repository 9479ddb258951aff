/// Folder for results, with the function that creates it: the owner of this device's folders creates all of them alike.
package struct CacheFolder: Sendable {
    /// Reason why a folder cannot be used, as a sentence for a person.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package let path: String
    /// Creates the folder if it is missing, and throws if other users can enter it. May block.
    package let prepare: @Sendable (_ path: String) throws(Failure) -> Void

    /// - Parameters:
    ///   - path: path such as `$XDG_CACHE_HOME/portolan/converted`. It holds only results.
    ///   - prepare: creates the folder with mode 0700 if it is missing, and throws if other users can enter it. May
    ///     block.
    package init(_ path: String, preparedBy prepare: @escaping @Sendable (_ path: String) throws(Failure) -> Void) {
        self.path = path
        self.prepare = prepare
    }
}
