import PortolanSyncPlan

/// Repositories in the folder: of `.git` only what devices write for each other is kept alike.
enum GitFolder {
    private static let name = ".git"
    private static let shared = "portolan"
    /// Folders in which a change shows.
    private static let watched: Set<String> = ["refs", shared]

    /// True for the name of a repository's folder, also on a file system that ignores case.
    static func isName(_ name: SyncName) -> Bool { name.text.lowercased() == Self.name }

    /// True for a file or folder that is not kept alike.
    ///
    /// - Parameter folder: name of the folder that it is in; nil for the shared one.
    static func leavesOut(_ name: SyncName, isFolder: Bool, in folder: SyncName?) -> Bool {
        if isName(name) { return !isFolder }
        return folder.map(isName) == true && !(isFolder && name.text == shared)
    }

    /// True if changes of a folder are of interest.
    ///
    /// - Parameter path: that of the folder above.
    static func isWatched(_ name: String, in path: [String]) -> Bool {
        guard let last = path.last, isName(SyncName(last)) else { return true }
        return watched.contains(name)
    }

    /// True for a file or folder, at any depth, that is git's own.
    static func isGits(_ path: [SyncName], isFolder: Bool) -> Bool {
        guard let place = path.firstIndex(where: isName) else { return false }
        return switch path.count - place {
        case 1: !isFolder
        case 2: !isFolder || path[place + 1].text != shared
        default: path[place + 1].text != shared
        }
    }

    /// True for a folder whose files devices write for each other.
    static func isShared(_ path: [SyncName]) -> Bool {
        zip(path, path.dropFirst()).contains { isName($0) && $1.text == shared }
    }

    /// Path of the repository that a folder is of; nil for none.
    static func repository(of path: [SyncName]) -> [SyncName]? {
        path.firstIndex(where: isName).map { Array(path[..<$0]) }
    }
}
