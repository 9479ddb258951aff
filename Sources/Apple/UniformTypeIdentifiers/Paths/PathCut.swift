/// Cuts paths without Foundation, whose `deletingLastPathComponent` ends the process for paths of one character.
package enum PathCut {
    /// Splits a path into its last name and the part before it, with its slash.
    ///
    /// Slashes behind the name are left out, and of several before it one is left. A path without a name is all folder.
    package static func folderAndName(of path: String) -> (folder: String, name: String) {
        // A combining mark behind a slash would make one character of both.
        let whole = path.unicodeScalars
        guard let last = whole.lastIndex(where: { $0 != "/" }) else { return (path, "") }
        let named = whole[...last]
        guard let slash = named.lastIndex(of: "/") else { return ("", String(named)) }
        let name = String(named[named.index(after: slash)...])
        let folder = named[..<slash].lastIndex { $0 != "/" }.map { String(named[...$0]) } ?? ""
        return (folder + "/", name)
    }

    /// Returns the folder that a path lies in, without a slash behind it; nil where the path names none.
    package static func folder(of path: String) -> String? {
        let folder = folderAndName(of: path).folder.unicodeScalars
        guard let last = folder.lastIndex(where: { $0 != "/" }) else { return folder.isEmpty ? nil : "/" }
        return String(folder[...last])
    }
}
