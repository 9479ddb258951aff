import PortolanSyncPlan

/// Index in memory with linear look-ups.
package struct MemoryIndex: SyncIndex, Hashable, Sendable {
    private struct Row: Hashable {
        var record: NodeRecord
        var sequence: UInt64
    }

    package let replica: ReplicaID
    package let author: String
    package var nameRules = NameRules()
    private let mistakes: InjectedMistakes
    package var counter: UInt64 = 0
    package private(set) var sequence: UInt64 = 0
    /// Ordered by sequence number.
    private var rows: [Row] = []
    /// Ordered by number.
    private var agreed: [AgreedEntry] = []
    package var cycleBreakers: Set<NodeID> = [] {
        didSet {
            if mistakes.contains(.leavesCycles) { cycleBreakers = [] }
            if mistakes.contains(.breaksCyclesAlone) { cycleBreakers = Set(cycleBreakers.map(ownBreaker)) }
        }
    }
    package private(set) var dirty: Set<NodeID> = []
    package var recentDeletions: [RecentDeletions] = []
    package var presence: PresenceMemory? { nil }
    private var lastEntry = 0

    package init(replica: ReplicaID, author: String, rootHandle: FileHandleID, mistakes: InjectedMistakes = []) {
        self.replica = replica
        self.author = author
        self.mistakes = mistakes
        agreed = [
            AgreedEntry(
                id: .root, parent: .root, name: SyncName(""), kind: .folder, handle: rootHandle, form: nil,
                seen: [SeenVersions(.root)])
        ]
    }

    // MARK: Records

    private func row(_ node: NodeID) -> Int? { rows.firstIndex { $0.record.id == node } }

    package func record(_ node: NodeID) -> NodeRecord? {
        guard var record = row(node).map({ rows[$0].record }) else { return nil }
        if mistakes.contains(.prefersOwnVersion) {
            record.contents.sort { $0.dot.replica != replica && $1.dot.replica == replica }
        }
        return record
    }

    package func sequence(of node: NodeID) -> UInt64? { row(node).map { rows[$0].sequence } }

    package mutating func store(_ record: NodeRecord, isNews: Bool) {
        if isNews { sequence += 1 }
        if let place = row(record.id) { rows.remove(at: place) }
        var record = record
        if mistakes.contains(.prefersOwnVersion) { record.contents.sort { $0.dot < $1.dot } }
        if mistakes.contains(.keepsOneVersion) { record.contents = record.contents.suffix(1) }
        rows.append(Row(record: record, sequence: sequence))
    }

    package mutating func drop(_ node: NodeID) {
        rows.removeAll { $0.record.id == node }
        dirty.remove(node)
        cycleBreakers.remove(node)
    }

    package mutating func mark(_ nodes: some Sequence<NodeID>) { dirty.formUnion(nodes) }

    package mutating func settle(_ nodes: some Sequence<NodeID>) { dirty.subtract(nodes) }

    package func children(of folder: NodeID) -> [NodeID] {
        if mistakes.contains(.dropsDeletedFolders), record(folder)?.isDeleted == true { return [] }
        return rows.compactMap { $0.record.place?.parent == folder ? $0.record.id : nil }
    }

    package func children(of folder: NodeID, named name: SyncName) -> [NodeID] {
        rows.compactMap {
            guard let place = $0.record.places.last?.value, place.parent == folder, place.name == name else {
                return nil
            }
            return $0.record.id
        }
    }

    package func records(since sequence: UInt64) -> [NodeRecord] {
        rows.compactMap { $0.sequence > sequence ? $0.record : nil }
    }

    package var tombstones: [NodeID] { rows.compactMap { $0.record.isDeleted ? $0.record.id : nil } }

    /// All nodes with a record.
    package var nodes: [NodeID] { rows.map(\.record.id) }

    /// The folder of the cycle around a folder that this replica moved; the folder itself if there is none.
    private func ownBreaker(_ breaker: NodeID) -> NodeID {
        var visited: Set<NodeID> = []
        var next = breaker
        while visited.insert(next).inserted, let place = record(next)?.places.last {
            if place.dot.replica == replica { return next }
            next = place.value.parent
        }
        return breaker
    }

    // MARK: Agreed tree

    private func first(_ matches: (AgreedEntry) -> Bool) -> EntryID? { agreed.first(where: matches)?.id }

    package func entry(_ id: EntryID) -> AgreedEntry? { agreed.first { $0.id == id } }

    package func entry(with handle: FileHandleID) -> EntryID? { first { $0.handle == handle } }

    package func entry(in folder: EntryID, named name: SyncName) -> EntryID? {
        first { $0.parent == folder && $0.name == name && $0.id != .root }
    }

    package func entry(in folder: EntryID, occupying name: SyncName) -> EntryID? {
        entry(in: folder, named: name)
            ?? (nameRules.ignoresCase
                ? first { $0.parent == folder && nameRules.areSame($0.name, name) && $0.id != .root } : nil)
    }

    package func entries(of node: NodeID) -> [EntryID] {
        agreed.compactMap { entry in entry.seen.contains { $0.node == node } ? entry.id : nil }
    }

    package func entries(in folder: EntryID) -> [EntryID] {
        agreed.compactMap { $0.parent == folder && $0.id != .root ? $0.id : nil }
    }

    package var allEntries: [EntryID] { agreed.compactMap { $0.id == .root ? nil : $0.id } }

    package var entryCount: Int { agreed.count - 1 }

    package func newEntryID() -> EntryID { EntryID(lastEntry + 1) }

    package mutating func set(_ entry: AgreedEntry) {
        lastEntry = max(lastEntry, entry.id.number)
        if let place = agreed.firstIndex(where: { $0.id == entry.id }) {
            agreed[place] = entry
        } else {
            agreed.append(entry)
        }
    }

    package mutating func removeEntry(_ id: EntryID) { agreed.removeAll { $0.id == id } }
}

extension NameRules {
    fileprivate func areSame(_ left: SyncName, _ right: SyncName) -> Bool {
        // Strings are equal if they are canonically equivalent.
        left == right || ignoresCase && left.text.lowercased() == right.text.lowercased()
    }
}
