extension SyncIndex {
    /// Deletes a node that repeats another one of the same item. Its content moves to the other node, by which members
    /// keep the item.
    package mutating func join(_ node: NodeID, with kept: NodeID) {
        guard var second = record(node), let first = record(kept), !second.isDeleted, !first.isDeleted,
            second.kind == first.kind
        else { return }
        let view = RecordView(self)
        for var child in children(of: node).compactMap({ record($0) }) where view.isPresent(child) {
            guard let name = child.place?.name else { continue }
            child.move(newDot(), to: NodePlace(kept, name))
            update(child)
        }
        second.delete(newDot(), seen: second.contents.map(\.dot))
        update(second)
        mark([kept] + entries(of: node).flatMap { entry($0)?.seen.map(\.node) ?? [] })
    }
}
