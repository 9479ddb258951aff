import PortolanSyncPlan

/// Folders that may have changed since they were last read.
package struct FolderChanges: Hashable, Sendable {
    /// Names from the root down to each folder; nil for the whole root.
    private(set) var paths: Set<[SyncName]>?

    /// Largest number of folders that are read one by one.
    private static let maximumPaths = 1000

    package static let none = FolderChanges(paths: [])
    package static let whole = FolderChanges(paths: nil)

    package init(_ paths: some Sequence<[String]>) { self.init(paths: Set(paths.map { $0.map(SyncName.init) })) }

    init(paths: Set<[SyncName]>?) { self.paths = paths }

    package mutating func add(_ other: Self) {
        guard let own = paths, let others = other.paths, own.count + others.count <= Self.maximumPaths else {
            paths = nil
            return
        }
        paths = own.union(others)
    }
}
