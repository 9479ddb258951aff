import PortolanSyncPlan

/// Consistency of the records in themselves.
extension StoredIndex {
    /// Records of living nodes that are in no folder of the root.
    func unreachable(except waiting: Set<NodeID>) -> [NodeRecord] {
        let view = RecordView(self, remembering: true)
        let living = transaction.attempt([]) { try transaction.nodes("SELECT id FROM node WHERE NOT is_deleted") }
        return living.compactMap { node in
            guard !waiting.contains(node), let record = record(node) else { return nil }
            let isReachable =
                cycleBreakers.contains(node) || record.place.map { view.members(of: $0.parent) != nil } ?? false
            return isReachable ? nil : record
        }
    }

    /// True if the folders above a node lead back to it.
    func leadsBack(_ node: NodeID) -> Bool {
        var visited: Set<NodeID> = []
        var next = record(node)?.place?.parent
        while let above = next, above != .root, visited.insert(above).inserted {
            if above == node { return true }
            next = record(above)?.place?.parent
        }
        return false
    }
}
