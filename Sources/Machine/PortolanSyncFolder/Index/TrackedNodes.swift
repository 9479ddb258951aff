import PortolanSyncPlan

/// A set of nodes with its changes since it was last stored: a set of all files is too large to be compared in each
/// transaction.
struct TrackedNodes {
    private(set) var nodes: Set<NodeID>
    private var changed: Set<NodeID> = []

    /// - Parameter nodes: stored set.
    init(_ nodes: Set<NodeID>) { self.nodes = nodes }

    mutating func insert(_ node: NodeID) {
        if nodes.insert(node).inserted { toggle(node) }
    }

    mutating func remove(_ node: NodeID) {
        if nodes.remove(node) != nil { toggle(node) }
    }

    /// A second change undoes the first one.
    private mutating func toggle(_ node: NodeID) {
        if changed.remove(node) == nil { changed.insert(node) }
    }

    /// Nodes that were added to the set, and those that were removed from it, since the last call.
    mutating func takeChanges() -> [(node: NodeID, isMember: Bool)] {
        defer { changed = [] }
        return changed.map { ($0, nodes.contains($0)) }
    }
}
