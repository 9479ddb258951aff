/// The folder that results are kept in, and how it is made: by whoever keeps this device's own folders, as those are.
package struct CacheFolder: Sendable {
    /// Why a folder cannot be used, as a sentence for a person.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package let path: String
    /// Makes the folder where it is missing, and throws where it is not its owner's alone. May block.
    package let prepare: @Sendable (_ path: String) throws(Failure) -> Void

    /// - Parameters:
    ///   - path: `$XDG_CACHE_HOME/portolan/converted` for one. Nothing but results stays there.
    ///   - prepare: makes the folder with mode 0700 where it is missing, and throws where anybody but its owner may enter it.
    ///     May block.
    package init(_ path: String, preparedBy prepare: @escaping @Sendable (_ path: String) throws(Failure) -> Void) {
        self.path = path
        self.prepare = prepare
    }
}
