/// Number of an entry of the agreed tree, on this device only.
package struct EntryID: Hashable, Comparable, Sendable {
    package var number: Int

    package init(_ number: Int) { self.number = number }

    /// The shared folder.
    package static let root = EntryID(0)
    /// Place in the staging folder for entries whose names are temporarily taken.
    package static let parking = EntryID(-1)

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Node with its versions that an entry represents.
package struct SeenVersions: Hashable, Sendable {
    package var node: NodeID
    /// Empty for a folder.
    package var writes: [Dot]

    package init(_ node: NodeID, _ writes: [Dot] = []) {
        self.node = node
        self.writes = writes
    }
}

/// File or folder of the agreed tree: a scan found it in this state, and the records agreed.
package struct AgreedEntry: Hashable, Sendable {
    package let id: EntryID
    package var parent: EntryID
    package var name: SyncName
    package let kind: NodeKind
    package var handle: FileHandleID
    /// Nil for a folder.
    package var form: ContentForm?
    /// Nodes and versions that a person who changes or deletes the entry has seen. Several nodes if equal ones share a
    /// place.
    package var seen: [SeenVersions]
    /// True if the name is not in the records, but was made for a conflict.
    package var isDisplaced: Bool
    /// Metadata that the records had when the disk got them, or that a scan found.
    package var metadata: ItemMetadata?
    /// Metadata that the disk shows instead of them, because it cannot hold them.
    package var shown: ItemMetadata?
    /// Missing on the disk, by a deletion that waits for confirmation.
    package var isHeld = false
    /// Present on the disk, and to be removed by a deletion of others that waits for confirmation.
    package var isSpared = false

    package init(
        id: EntryID, parent: EntryID, name: SyncName, kind: NodeKind, handle: FileHandleID, form: ContentForm?,
        seen: [SeenVersions],
        isDisplaced: Bool = false
    ) {
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        self.handle = handle
        self.form = form
        self.seen = seen
        self.isDisplaced = isDisplaced
    }
}
