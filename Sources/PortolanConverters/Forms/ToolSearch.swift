import Glibc

/// Where the programs of converters are looked for.
package struct ToolSearch: Sendable, Hashable {
    /// Absolute paths, the first one first.
    package let folders: [String]

    /// - Parameter path: folders with colons between them, as in PATH. Those that are not absolute are left out: what they
    ///   name depends on where a process happens to be.
    package init(path: String) {
        folders = path.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    }

    /// This process's PATH.
    package static var environment: ToolSearch {
        ToolSearch(path: getenv("PATH").map { String(cString: $0) } ?? usualPath)
    }

    /// The PATH that converters themselves have.
    static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    /// The path of a program that is installed and may be run, or nil.
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
