/// A deletion that is too large to be made without a person.
package struct HeldDeletion: Hashable, Sendable {
    /// Nodes to be deleted, in order: the same set is the same deletion.
    package var nodes: [NodeID]
    /// Names of top-level folders among them.
    package var folders: [SyncName]
    /// Entries in the whole folder.
    package var total: Int

    /// True if an agreement to this deletion includes the other one, which is the rest of it after a part was made.
    package func covers(_ other: HeldDeletion) -> Bool { Set(nodes).isSuperset(of: other.nodes) }
}

/// Limit on deletions: applied where they are found, and again where they would be made.
package struct DeletionGuard: Hashable, Sendable {
    package var maximumShare: Double
    package var maximumCount: Int
    package var keepsTopFolders: Bool
    /// Deletions of so few entries are never a large share.
    package var minimumCount: Int

    package init(
        maximumShare: Double = 0.25, maximumCount: Int = 1000, keepsTopFolders: Bool = true, minimumCount: Int = 8
    ) {
        self.maximumShare = maximumShare
        self.maximumCount = maximumCount
        self.keepsTopFolders = keepsTopFolders
        self.minimumCount = minimumCount
    }

    /// No limit.
    package static let off = DeletionGuard(maximumShare: 1, maximumCount: .max, keepsTopFolders: false)

    /// Returns the deletion of these entries if it has to be confirmed, else nil.
    func hold(_ deleted: [AgreedEntry], of total: Int) -> HeldDeletion? {
        let folders = keepsTopFolders ? deleted.filter { $0.kind == .folder && $0.parent == .root }.map(\.name) : []
        let isLarge =
            deleted.count > maximumCount
            || deleted.count > minimumCount && Double(deleted.count) > maximumShare * Double(total)
        guard isLarge || !folders.isEmpty else { return nil }
        return HeldDeletion(
            nodes: deleted.flatMap { $0.seen.map(\.node) }.sorted(), folders: folders.sorted(), total: total)
    }
}

// MARK: - Epochs

/// Marker in the folder, outside the synchronized files, that identifies the database of the folder.
package struct Marker: Hashable, Sendable {
    package var epoch: UInt64
    /// Raised, first in the database and then in the folder, before the replica announces something new or acknowledges
    /// something: others rely on both, and an older copy of the database would not know of it. A start that finds the
    /// folder one behind writes it again.
    package var generation: UInt64

    package init(epoch: UInt64, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }
}

/// Decision at the start of a replica.
package enum ReplicaStart: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case firstStart, databaseMissing, databaseForeign, databaseOld, folderOld
    }

    package enum Stop: Hashable, Sendable {
        case rootMissing, rootEmptied, otherFileSystem
    }

    /// The database and the folder belong together.
    case goesOn
    /// A new database, in which a file that is absent is unknown, not deleted.
    case newEpoch(Reason)
    /// The folder is left alone until a person decides.
    case halts(Stop)

    /// - Parameters:
    ///   - database: the marker as the database has it; nil without a database.
    ///   - marker: the one in the folder; nil if there is none.
    ///   - isEmpty: the folder has no file; nil if there is no folder.
    ///   - isSameFileSystem: the folder is on the file system that the database knows.
    ///   - entries: files and folders that the database expects in the folder.
    package static func decide(
        database: Marker?, marker: Marker?, isEmpty: Bool?, isSameFileSystem: Bool = true, entries: Int,
        mistakes: InjectedMistakes = []
    ) -> ReplicaStart {
        guard let isEmpty else { return .halts(.rootMissing) }
        guard let database else { return .newEpoch(marker == nil ? .firstStart : .databaseMissing) }
        if mistakes.contains(.startsOnEmptyRoot) { return .goesOn }
        if !isSameFileSystem { return .halts(.otherFileSystem) }
        if isEmpty, entries > 0, marker?.epoch != database.epoch { return .halts(.rootEmptied) }
        if mistakes.contains(.ignoresMarker) { return .goesOn }
        guard let marker, marker.epoch == database.epoch else { return .newEpoch(.databaseForeign) }
        // A crash may come between the two writes.
        if database.generation < marker.generation { return .newEpoch(.databaseOld) }
        if database.generation > marker.generation + 1 { return .newEpoch(.folderOld) }
        return .goesOn
    }
}
