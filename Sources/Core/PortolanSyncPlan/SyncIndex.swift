/// Storage of one replica: the records, which are the merge of all announced changes, and the agreed tree.
///
/// The algorithms are extensions of this protocol and look up single nodes, so that one change in a large tree costs a
/// few look-ups. A storage whose look-ups can fail returns empty results and keeps the error, which is read before the
/// commit.
package protocol SyncIndex {
    /// This replica, which is named in all its changes.
    var replica: ReplicaID { get }
    /// Device name that new versions carry.
    var author: String { get }
    /// Rules of the file system on names.
    var nameRules: NameRules { get }

    /// Counter of the latest change by this replica.
    var counter: UInt64 { get set }
    /// Number of the latest change to the records, by any member.
    var sequence: UInt64 { get }

    // MARK: Records

    func record(_ node: NodeID) -> NodeRecord?
    /// Sequence number of the last change of the record.
    func sequence(of node: NodeID) -> UInt64?
    /// Stores a record: under the next sequence number, so that it is announced, or under the latest one if it is no
    /// news.
    mutating func store(_ record: NodeRecord, isNews: Bool)
    mutating func drop(_ node: NodeID)
    /// Nodes whose latest place is in the folder, including deleted ones.
    func children(of folder: NodeID) -> [NodeID]
    func children(of folder: NodeID, named name: SyncName) -> [NodeID]
    /// Records that changed after a sequence number, in that order.
    func records(since sequence: UInt64) -> [NodeRecord]
    /// Nodes that are deleted.
    var tombstones: [NodeID] { get }
    /// Nodes that are shown in the root, because their places form a cycle.
    var cycleBreakers: Set<NodeID> { get set }
    /// True if a node whose latest place is in the folder is alive.
    func hasLivingChild(_ folder: NodeID) -> Bool
    /// Memory of the presence of deleted folders; nil without one.
    var presence: PresenceMemory? { get }
    /// Nodes that may differ from the agreed tree.
    var dirty: Set<NodeID> { get }
    /// Adds nodes to ``dirty``.
    mutating func mark(_ nodes: some Sequence<NodeID>)
    /// Takes nodes out of ``dirty``.
    mutating func settle(_ nodes: some Sequence<NodeID>)

    /// Sums of deletions, of the last minutes.
    var recentDeletions: [RecentDeletions] { get set }

    // MARK: Agreed tree

    func entry(_ id: EntryID) -> AgreedEntry?
    func entry(with handle: FileHandleID) -> EntryID?
    func entry(in folder: EntryID, named name: SyncName) -> EntryID?
    /// Entry with the name, or with one that this file system treats as equal.
    func entry(in folder: EntryID, occupying name: SyncName) -> EntryID?
    func entries(of node: NodeID) -> [EntryID]
    func entries(in folder: EntryID) -> [EntryID]
    var allEntries: [EntryID] { get }
    var entryCount: Int { get }
    func newEntryID() -> EntryID
    mutating func set(_ entry: AgreedEntry)
    mutating func removeEntry(_ id: EntryID)
}

/// Places whose nodes were marked for the planner in one series of changes.
package struct MarkedPlaces {
    var places: Set<NodePlace> = []

    package init() {}
}

extension SyncIndex {
    /// The next change by this replica.
    mutating func newDot() -> Dot {
        counter += 1
        return Dot(replica, counter)
    }

    /// Stores a record, marks the node for the planner, and keeps ``cycleBreakers`` true.
    mutating func update(_ record: NodeRecord, isNews: Bool = true) {
        var marked = MarkedPlaces()
        update(record, isNews: isNews, &marked)
    }

    /// - Parameter marked: places whose nodes were marked for earlier ones of the same changes, before which the agreed
    ///   tree was made: they are not looked up again for each of many records of one place.
    mutating func update(_ record: NodeRecord, isNews: Bool = true, _ marked: inout MarkedPlaces) {
        let before = self.record(record.id)
        if let before { markNeighbours(of: before, &marked) }
        store(record, isNews: isNews)
        mark([record.id])
        if before?.isDeleted != record.isDeleted || before?.place?.parent != record.place?.parent {
            if let before { forgetPresence(above: before) }
            forgetPresence(above: record)
        }
        if before?.places.last != record.places.last, record.kind == .folder { findCycles(around: record.id) }
    }

    /// Marks nodes that share the place of a changing node, and those that share the place of a deleted folder that the
    /// node keeps alive.
    private mutating func markNeighbours(of record: NodeRecord, _ marked: inout MarkedPlaces) {
        let view = RecordView(self)
        var next: NodeRecord? = record
        for _ in 0..<RecordView<Self>.maximumDepth {
            guard let one = next, let place = one.place, let parent = view.parent(of: one) else { return }
            guard marked.places.insert(NodePlace(parent, place.name)).inserted else { return }
            let folders = view.members(of: parent) ?? [parent]
            for name in [place.name] + view.relatedNames(in: folders, of: place.name) {
                for folder in folders { mark(children(of: folder, named: name)) }
            }
            next = self.record(parent).flatMap { $0.isDeleted ? $0 : nil }
        }
    }

    /// Recomputes the nodes that are shown in the root, after `node` moved.
    private mutating func findCycles(around node: NodeID) {
        let before = cycleBreakers
        var found: Set<NodeID> = []
        for start in before.union([node]) {
            if let breaker = cycleBreaker(from: start) { found.insert(breaker) }
        }
        guard found != before else { return }
        let changed = found.symmetricDifference(before)
        for breakers in [before, found] {
            cycleBreakers = breakers
            presence?.forgetAll()
            var marked = MarkedPlaces()
            for node in changed { record(node).map { markNeighbours(of: $0, &marked) } }
        }
        mark(changed)
    }

    /// Returns the node that leaves the cycle around `node`: the one whose move has the smallest dot. Nil if there is
    /// no cycle.
    private func cycleBreaker(from node: NodeID) -> NodeID? {
        var cycle: [StampedValue<NodeID>] = []
        var visited: Set<NodeID> = []
        var next = node
        repeat {
            guard visited.insert(next).inserted, let place = record(next)?.places.last else { return nil }
            cycle.append(StampedValue(place.dot, next))
            next = place.value.parent
        } while next != node
        return cycle.min { $0.dot < $1.dot }?.value
    }
}
