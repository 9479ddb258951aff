import Glibc

/// Search path for the programs of converters.
package struct ToolSearch: Sendable, Hashable {
    /// Absolute paths of folders, in the order of the search.
    package let folders: [String]

    /// - Parameter path: folders separated by colons, as in PATH. Relative ones are omitted, because their meaning
    ///   depends on the working folder.
    package init(path: String) {
        folders = path.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    }

    /// Search path from this process's PATH.
    package static var environment: ToolSearch {
        ToolSearch(path: getenv("PATH").map { String(cString: $0) } ?? usualPath)
    }

    /// PATH of the converters themselves.
    static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    /// Returns the path of an installed program that may be run; nil if there is none.
    package func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return Self.isProgram(name) ? name : nil }
        return folders.lazy.map { "\($0)/\(name)" }.first(where: Self.isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }
}
