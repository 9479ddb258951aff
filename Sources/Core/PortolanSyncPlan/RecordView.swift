/// File or folder in the state of the records: members with the same records compute the same.
package struct TreeItem: Hashable, Sendable {
    /// Nodes, each with its versions, that are shown as this item: the first one has the name.
    package var seen: [SeenVersions]
    package var kind: NodeKind
    /// Nodes of the parent folder: several if folders at one place are one.
    package var parents: [NodeID]
    /// Name to show.
    package var name: SyncName
    /// True if the name was made for a conflict.
    package var isDisplaced: Bool
    /// With the latest time of its equal versions. Nil for a folder.
    package var content: FileVersion?
    /// Permissions of the latest change of a folder's nodes. Nil for a file or link.
    package var permissions: UInt16?

    /// True if both are of one kind and have the same bytes.
    fileprivate func isEqual(to other: TreeItem) -> Bool {
        kind == other.kind && content?.form.digest == other.content?.form.digest
    }
}

/// Computes the tree of the records, and resolves colliding places, conflicts, cycles, and deleted folders with live
/// content.
package struct RecordView<Index: SyncIndex> {
    package let index: Index
    private let memory: Memory?

    /// - Parameter remembering: true to cache look-ups, which is correct as long as nothing is written to the index.
    package init(_ index: Index, remembering: Bool = false) {
        self.index = index
        memory = remembering ? Memory() : nil
    }

    /// Cache: most questions about a node are repeated at once, or follow for its neighbours.
    private final class Memory {
        /// Nodes of a folder, with the number of folders from the root.
        var members: [NodeID: (nodes: [NodeID], depth: Int)] = [:]
        /// Place of the last look-up, and its nodes.
        var place: (folder: [NodeID], name: SyncName, records: [NodeRecord])?
        let own = PlaceItems()
        let items = PlaceItems()
        /// Contents of folders of many nodes, by the first of these.
        var contents: [NodeID: [SyncName: [NodeID]]] = [:]
    }

    /// Items of places, a limited number.
    private final class PlaceItems {
        private static var most: Int { 4096 }
        private var items: [NamedPlace: [TreeItem]] = [:]

        subscript(_ place: NamedPlace) -> [TreeItem]? {
            get { items[place] }
            set {
                if items.count >= Self.most { items = [:] }
                items[place] = newValue
            }
        }
    }

    /// Name in a folder, of which the first node is enough.
    package struct NamedPlace: Hashable {
        var folder: NodeID?
        var name: SyncName

        init(_ folder: [NodeID], _ name: SyncName) { (self.folder, self.name) = (folder.first, name) }
    }

    /// Number of nodes of a folder from which its contents are looked up together.
    private static var manyNodes: Int { 16 }

    /// Deepest nesting; nodes further down wait.
    static var maximumDepth: Int { 256 }

    /// The folder that the node is in; the root for a node that breaks a cycle.
    func parent(of record: NodeRecord) -> NodeID? {
        index.cycleBreakers.contains(record.id) ? .root : record.place?.parent
    }

    /// Returns the nodes that are one folder with this one because they have the same path, in order; nil if the path
    /// is not known up to the root.
    package func members(of folder: NodeID) -> [NodeID]? { members(of: folder, below: 0)?.nodes }

    /// - Parameter below: number of levels between the folder and the one of the first call.
    private func members(of folder: NodeID, below: Int) -> (nodes: [NodeID], depth: Int)? {
        if folder == .root { return ([.root], 0) }
        if let known = memory?.members[folder] { return known }
        guard below < Self.maximumDepth, let record = index.record(folder), record.kind == .folder,
            let place = record.place, let above = parent(of: record), isPresent(record),
            let outer = members(of: above, below: below + 1), outer.depth < Self.maximumDepth
        else { return nil }
        let members = present(in: outer.nodes, named: place.name).compactMap { $0.kind == .folder ? $0.id : nil }
        for member in members { memory?.members[member] = (members, outer.depth + 1) }
        return (members, outer.depth + 1)
    }

    /// Records of the nodes in a folder that the records give this name, ordered by identity.
    private func present(in folder: [NodeID], named name: SyncName) -> [NodeRecord] {
        if let place = memory?.place, place.name == name, place.folder == folder { return place.records }
        var found: [NodeRecord] = []
        for child in children(of: folder, named: name) {
            guard let record = index.record(child), parent(of: record) == record.place?.parent, isPresent(record) else {
                continue
            }
            found.append(record)
        }
        for breaker in folder.contains(.root) ? index.cycleBreakers : [] {
            guard let record = index.record(breaker), record.place?.name == name, record.place?.parent != .root,
                isPresent(record)
            else { continue }
            found.append(record)
        }
        found.sort { $0.id < $1.id }
        memory?.place = (folder, name, found)
        return found
    }

    /// Nodes whose latest place has the name and is in one of the nodes of a folder.
    func children(of folder: [NodeID], named name: SyncName) -> [NodeID] {
        guard let memory, let first = folder.first, folder.count > Self.manyNodes else {
            return folder.flatMap { index.children(of: $0, named: name) }
        }
        if let known = memory.contents[first] { return known[name] ?? [] }
        var contents: [SyncName: [NodeID]] = [:]
        for child in folder.flatMap({ index.children(of: $0) }) {
            if let name = index.record(child)?.place?.name { contents[name, default: []].append(child) }
        }
        memory.contents[first] = contents
        return contents[name] ?? []
    }

    /// Items of the nodes in a folder that have this name in the records. At most one of them is shown with it.
    ///
    /// The conflict name of an item may be the name of another node: both are one item if they are equal.
    package func items(in folder: [NodeID], named name: SyncName) -> [TreeItem] {
        remembered(memory?.items, NamedPlace(folder, name)) { joinedItems(in: folder, named: name) }
    }

    /// Returns the items of a place, and keeps them if this view remembers.
    private func remembered(_ kept: PlaceItems?, _ place: NamedPlace, _ make: () -> [TreeItem]) -> [TreeItem] {
        if let known = kept?[place] { return known }
        let items = make()
        kept?[place] = items
        return items
    }

    private func joinedItems(in folder: [NodeID], named name: SyncName) -> [TreeItem] {
        var items = ownItems(in: folder, named: name)
        var joined: Set<Int> = []
        for position in items.indices where items[position].isDisplaced {
            let item = items[position]
            let others = ownItems(in: folder, named: item.name)
            if others.contains(where: { $0.isEqual(to: item) }) {
                joined.insert(position)
            } else if !others.isEmpty, let content = item.content {
                items[position].name = item.name.conflict(of: content, write: item.seen[0].writes[0])
            }
        }
        if !joined.isEmpty { items = items.indices.filter { !joined.contains($0) }.map { items[$0] } }
        guard let base = name.withoutConflict, !items.isEmpty else { return items }
        for item in ownItems(in: folder, named: base) where item.isDisplaced && item.name == name {
            guard let same = items.firstIndex(where: { $0.isEqual(to: item) }) else { continue }
            items[same].seen += item.seen
            guard let content = item.content else { continue }
            items[same].takeTime(of: content, written: item.seen[0].writes[0])
            items[same].content?.form.narrow(to: content.form)
        }
        return items
    }

    /// Names whose nodes depend on those of `name`, or the reverse.
    func relatedNames(in folder: [NodeID], of name: SyncName) -> [SyncName] {
        [name.withoutConflict].compactMap { $0 }
            + ownItems(in: folder, named: name).compactMap { $0.isDisplaced ? $0.name : nil }
    }

    /// Items of a name, without regard to the nodes of the names that these items get.
    private func ownItems(in folder: [NodeID], named name: SyncName) -> [TreeItem] {
        remembered(memory?.own, NamedPlace(folder, name)) { makeItems(in: folder, named: name) }
    }

    /// Kind and bytes, by which versions are one item.
    private struct Content: Hashable {
        var kind: NodeKind
        var digest: ContentDigest?
    }

    /// Node of an item, by its position.
    private struct ItemNode: Hashable {
        var item: Int
        var node: NodeID
    }

    private func makeItems(in folder: [NodeID], named name: SyncName) -> [TreeItem] {
        let records = present(in: folder, named: name)
        var items: [TreeItem] = []
        let folders = records.filter { $0.kind == .folder }
        if !folders.isEmpty {
            items.append(
                TreeItem(
                    seen: folders.map { SeenVersions($0.id) }, kind: .folder, parents: folder, name: name,
                    isDisplaced: false, content: nil,
                    permissions: folders.compactMap(\.permissions).max()?.value))
        }
        // The version that counts comes first for each node, then the others.
        let files = records.filter { $0.kind != .folder }
        var versions = files.compactMap { record in record.versions.last.map { (record, $0) } }
        versions += files.flatMap { record in
            record.versions.filter { $0 != record.versions.last }.reversed().map { (record, $0) }
        }
        /// Greatest dots of the items' versions.
        var latest: [Int: Dot] = [:]
        var known: [Content: Int] = [:]
        /// Positions in `seen` of the nodes of items.
        var places: [ItemNode: Int] = [:]
        for (record, version) in versions {
            let content = Content(kind: record.kind, digest: version.value.form.digest)
            if let same = known[content] {
                items[same].takeTime(of: version.value, written: version.dot)
                if let dot = latest[same], dot < version.dot, let before = items[same].content?.form {
                    items[same].content?.form = version.value.form
                    items[same].content?.form.narrow(to: before)
                    latest[same] = version.dot
                } else {
                    items[same].content?.form.narrow(to: version.value.form)
                }
                if let place = places[ItemNode(item: same, node: record.id)] {
                    items[same].seen[place].writes.append(version.dot)
                } else {
                    places[ItemNode(item: same, node: record.id)] = items[same].seen.count
                    items[same].seen.append(SeenVersions(record.id, [version.dot]))
                }
                continue
            }
            let isDisplaced = !items.isEmpty
            known[content] = items.count
            places[ItemNode(item: items.count, node: record.id)] = 0
            latest[items.count] = version.dot
            let place = record.contents.filter { $0.dot == version.dot }.firstIndex(of: version)
            let shown =
                isDisplaced ? name.conflict(of: version.value, write: version.dot, place: place ?? 0) : name
            items.append(
                TreeItem(
                    seen: [SeenVersions(record.id, [version.dot])], kind: record.kind, parents: folder, name: shown,
                    isDisplaced: isDisplaced, content: version.value))
        }
        return items
    }

    /// Items at the place of a node; nil if its folder is not known.
    package func items(around record: NodeRecord) -> [TreeItem]? {
        guard let place = record.place, let above = parent(of: record), let folder = members(of: above) else {
            return nil
        }
        return items(in: folder, named: place.name)
    }

    /// Item of an entry, if there is one.
    func item(for entry: AgreedEntry) -> TreeItem? {
        for seen in entry.seen {
            guard let record = index.record(seen.node), isPresent(record), let items = items(around: record) else {
                continue
            }
            let own = items.filter { item in item.seen.contains { $0.node == seen.node } }
            let exact = own.filter { item in
                item.seen.contains { $0.node == seen.node && !$0.writes.allSatisfy { !seen.writes.contains($0) } }
            }
            // Several versions can have one dot.
            let same = exact.first { $0.content?.form == entry.form }
            if let item = same ?? exact.first ?? own.first { return item }
        }
        return nil
    }

    /// Item that is shown in a folder under a name, including conflict names.
    func item(in folder: [NodeID], shownAs name: SyncName) -> TreeItem? {
        for base in [name, name.withoutConflict].compactMap({ $0 }) {
            if let item = items(in: folder, named: base).first(where: { $0.name == name }) { return item }
        }
        return nil
    }
}
