import Glibc

/// Folder for relative paths.
package enum WorkingFolder {
    /// Its absolute path, as ``PathText``.
    ///
    /// - Throws: ``WorkingFolderError`` where it was removed, or may not be looked at.
    package static func path() throws(WorkingFolderError) -> String {
        guard let path = getcwd(nil, 0) else { throw WorkingFolderError(code: errno) }
        defer { free(path) }
        return PathText.text(of: path)
    }

    /// A path that begins at the root.
    ///
    /// - Throws: ``WorkingFolderError`` for a relative one where the folder was removed.
    package static func absolute(_ path: String) throws(WorkingFolderError) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        let folder = try Self.path()
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

/// Reason why a relative path cannot be resolved.
package struct WorkingFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number.
    package let code: Int32

    package var description: String {
        let cause = code == ENOENT ? "it was removed" : String(cString: strerror(code))
        return "The folder that you are in cannot be used: \(cause). "
            + "Go to another one, or give paths that begin with “/”."
    }
}
