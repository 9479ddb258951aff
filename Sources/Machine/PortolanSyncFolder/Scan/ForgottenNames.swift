import PortolanSyncPlan

/// Names in a folder that a person keeps alike here no more. They are excluded for as long as they have these names.
struct ForgottenNames: Hashable, Codable, Sendable {
    /// Inode and generation of the folder.
    var inode: UInt64
    var generation: UInt64
    /// Path of the folder, by which it is known after its disk was restored.
    var path: String
    var names: Set<String>

    func isOf(_ folder: FileHandleID) -> Bool { inode == folder.number && generation == folder.generation }
}

extension AcceptedRules {
    private static let mostForgotten = 65_536

    /// Excludes an entry that was kept alike.
    ///
    /// - Returns: false if there are too many.
    mutating func forget(_ name: SyncName, in folder: FileHandleID, at path: [SyncName]) -> Bool {
        let names = forgottenNames(in: folder, at: path)
        guard !names.contains(name.text) else { return true }
        guard (forgotten ?? []).reduce(0, { $0 + $1.names.count }) < Self.mostForgotten else { return false }
        if let place = forgotten?.firstIndex(where: { $0.isOf(folder) }) {
            forgotten?[place].names.insert(name.text)
        } else {
            forgotten =
                (forgotten ?? []) + [
                    ForgottenNames(
                        inode: folder.number, generation: folder.generation, path: Self.text(path), names: [name.text])
                ]
        }
        return true
    }

    /// Names in a folder that are not kept alike. Another folder at the path of one with such names has them, too.
    mutating func forgottenNames(in folder: FileHandleID, at path: [SyncName]) -> Set<String> {
        guard let all = forgotten else { return [] }
        let path = Self.text(path)
        if let place = all.firstIndex(where: { $0.isOf(folder) }) {
            if all[place].path != path { forgotten?[place].path = path }
            return all[place].names
        }
        guard var same = all.first(where: { $0.path == path }) else { return [] }
        (same.inode, same.generation) = (folder.number, folder.generation)
        forgotten?.append(same)
        return same.names
    }

    /// Drops folders that are gone, and in whose places others are.
    mutating func dropReplaced(_ folders: Set<UInt64>) {
        guard let all = forgotten, !all.allSatisfy({ folders.contains($0.inode) }) else { return }
        let paths = Set(all.filter { folders.contains($0.inode) }.map(\.path))
        forgotten = all.filter { folders.contains($0.inode) || !paths.contains($0.path) }
    }

    private static func text(_ path: [SyncName]) -> String { path.map(\.text).joined(separator: "/") }
}
