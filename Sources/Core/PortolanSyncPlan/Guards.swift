/// Deletion that is too large to be made without a person's agreement.
package struct HeldDeletion: Hashable, Comparable, Sendable {
    /// Nodes to be deleted, in order: an equal list is the same deletion.
    package let nodes: [NodeID]
    /// Deleted entries whose folders are not deleted: one with all that was in it, or several small ones.
    package let tops: [EntryID]
    /// Number of entries.
    package let count: Int
    /// Device that deleted them.
    package let device: DeviceID

    /// - Parameter deletions: entries that are deleted together, each with its contents behind it.
    init(_ deletions: [[AgreedEntry]], by device: DeviceID) {
        nodes = deletions.joined().flatMap { $0.seen.map(\.node) }.sorted()
        tops = deletions.compactMap(\.first?.id).sorted()
        count = deletions.reduce(0) { $0 + $1.count }
        self.device = device
    }

    package static func == (left: Self, right: Self) -> Bool { left.nodes == right.nodes }

    package static func < (left: Self, right: Self) -> Bool { left.nodes.lexicographicallyPrecedes(right.nodes) }

    package func hash(into hasher: inout Hasher) { hasher.combine(nodes) }
}

/// Limit on deletions: applied where they are detected, and again where they would be made.
package struct DeletionGuard: Hashable, Sendable {
    package var maximumShare: Double
    package var maximumCount: Int
    /// Deletions of so few entries are never a large share, and are held together.
    package var minimumCount: Int

    package init(maximumShare: Double = 0.25, maximumCount: Int = 1000, minimumCount: Int = 8) {
        self.maximumShare = maximumShare
        self.maximumCount = maximumCount
        self.minimumCount = minimumCount
    }

    /// No limit.
    package static let off = DeletionGuard(maximumShare: 1, maximumCount: .max)

    /// True if so many deleted entries need a person.
    ///
    /// - Parameter total: number of entries before the first of these deletions.
    func isLarge(_ count: Int, of total: @autoclosure () -> Int) -> Bool {
        count > maximumCount || count > minimumCount && Double(count) > maximumShare * Double(total())
    }
}

// MARK: - Epochs

/// Marker in the folder, outside the synchronized files, that identifies the database of the folder.
package struct Marker: Hashable, Sendable {
    package var epoch: UInt64
    /// Raised in the database and then in the folder before the replica announces or acknowledges a change: other
    /// members rely on both, and an older copy of the database would not have them. A start that finds the folder one
    /// behind writes it again.
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
        /// A link is in the place of the folder.
        case rootIsLink
        /// Another folder, with the marker of this one, is in its place: a restored one, or a copy.
        case rootRestored
        /// Another folder is in its place.
        case rootReplaced
        /// Another machine uses the device's key.
        case keyElsewhere
    }

    /// Comparison of the folder with that of the database.
    package enum Root: Hashable, Sendable {
        case same
        /// Another folder that has the database's marker, made by this user.
        case restored
        case other
    }

    /// The database and the folder belong together.
    case goesOn
    /// A new database, in which a missing file is unknown, not deleted.
    case newEpoch(Reason)
    /// The folder stays unchanged until a person decides.
    case halts(Stop)

    /// - Parameters:
    ///   - database: marker in the database; nil without a database.
    ///   - marker: marker in the folder; nil if there is none.
    ///   - isEmpty: true if the folder has no file; nil if there is no folder.
    ///   - isSameFileSystem: true if the folder is on the file system in the database.
    ///   - root: comparison of the folder itself with that of the database.
    ///   - hasEntries: true if the database expects files or folders in the folder.
    package static func decide(
        database: Marker?, marker: Marker?, isEmpty: Bool?, isSameFileSystem: Bool = true,
        root: Root = .same, hasEntries: Bool
    ) -> ReplicaStart {
        guard let isEmpty else { return .halts(.rootMissing) }
        if database == nil, root != .same { return .halts(root == .restored ? .rootRestored : .rootReplaced) }
        guard let database else { return .newEpoch(marker == nil ? .firstStart : .databaseMissing) }
        if !isSameFileSystem { return .halts(.otherFileSystem) }
        if isEmpty, hasEntries, marker?.epoch != database.epoch { return .halts(.rootEmptied) }
        switch root {
        case .same: break
        case .restored: return .halts(.rootRestored)
        case .other: return .halts(.rootReplaced)
        }
        guard let marker, marker.epoch == database.epoch else { return .newEpoch(.databaseForeign) }
        // A crash may happen between the two writes.
        if database.generation < marker.generation { return .newEpoch(.databaseOld) }
        if database.generation > marker.generation + 1 { return .newEpoch(.folderOld) }
        return .goesOn
    }
}
