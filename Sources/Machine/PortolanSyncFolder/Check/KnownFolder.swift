import PortolanSyncPlan

/// State of one folder by the index: entries, items of the records, and known files, each by name.
struct KnownFolder: Sendable {
    /// Node that another one of the same folder or file repeats.
    struct Phantom: Sendable {
        var name: SyncName
        var node: NodeID
        var kept: NodeID
    }

    private(set) var entries: [SyncName: [AgreedEntry]] = [:]
    private(set) var items: [SyncName: TreeItem] = [:]
    private(set) var files: [SyncName: KnownFile] = [:]
    /// Entries of nodes without records.
    private(set) var unknown: Set<EntryID> = []
    private(set) var phantoms: [Phantom] = []

    var names: Set<SyncName> { Set(entries.keys).union(items.keys).union(files.keys) }

    /// - Parameters:
    ///   - nodes: nodes of the folder in the records; none if they do not have it.
    ///   - inode: the folder on the disk.
    ///   - same: phantoms among folders above, with the nodes that they repeat.
    init(_ index: StoredIndex, _ folder: EntryID, _ nodes: [NodeID], inode: UInt64, same: [NodeID: NodeID]) {
        for entry in index.entries(in: folder).compactMap({ index.entry($0) }) {
            entries[entry.name, default: []].append(entry)
            if entry.seen.allSatisfy({ index.record($0.node) == nil }) { unknown.insert(entry.id) }
        }
        for (name, file) in index.files(in: inode) { files[name] = file }
        let view = RecordView(index, remembering: true)
        var names = Set(nodes.flatMap { index.children(of: $0) }.compactMap { index.record($0)?.place?.name })
        if nodes.contains(.root) { names.formUnion(index.cycleBreakers.compactMap { index.record($0)?.place?.name }) }
        for name in names.sorted() {
            for item in view.items(in: nodes, named: name) {
                items[item.name] = item
                notePhantoms(item, index, same)
            }
        }
    }

    /// Finds nodes that one device has created in one place, and that nobody has moved, deleted or revived since: it
    /// creates a second one only after a deletion or a move of the first.
    private mutating func notePhantoms(_ item: TreeItem, _ index: StoredIndex, _ same: [NodeID: NodeID]) {
        guard item.seen.count > 1 else { return }
        struct Origin: Hashable {
            var replica: ReplicaID
            var parent: NodeID
        }
        var first: [Origin: NodeID] = [:]
        for node in item.seen.map(\.node).sorted() {
            guard let record = index.record(node), record.life == [node.creation], record.places.count == 1,
                let place = record.places.first, place.dot == node.creation
            else { continue }
            let parent = place.value.parent
            let origin = Origin(replica: node.creation.replica, parent: same[parent] ?? parent)
            if let kept = first[origin] {
                phantoms.append(Phantom(name: item.name, node: node, kept: kept))
            } else {
                first[origin] = node
            }
        }
    }
}
