import PortolanSyncPlan

/// Lacks of this device, for the other members, and paths of theirs.
extension FolderReplica {
    /// Largest number of nodes that are told for one reason, deletions excepted.
    private static let mostNodes = 8 * MemberLack.mostNodes

    /// Returns what remains different after a synchronization until a person decides or a disk has room; deletions
    /// first, in a fixed order.
    ///
    /// - Parameters:
    ///   - limit: largest number.
    ///   - mark: name of a deletion for persons; four bytes.
    package func lacks(
        _ report: SyncReport, limit: Int, mark: @Sendable (HeldDeletion) -> [UInt8]
    ) async throws -> [MemberLack] {
        guard !report.waiting.isEmpty || !report.heldHere.isEmpty || !report.heldFromOthers.isEmpty else { return [] }
        let own = report.heldHere.sorted().map { (MemberLack.Reason.ownDeletion, $0, mark($0)) }
        let others = report.heldFromOthers.sorted().map { (MemberLack.Reason.deletion, $0, mark($0)) }
        return try await exclusively { replica in
            try replica.index.read { index in
                var lacks = (own + others).prefix(limit).compactMap { reason, held, mark -> MemberLack? in
                    let tops = index.tops(of: held)
                    guard !tops.isEmpty else { return nil }
                    return MemberLack(reason, tops, count: min(held.count, MemberLack.mostCount), mark: mark)
                }
                var nodes: [MemberLack.Reason: Set<NodeID>] = [:]
                for wait in report.waiting {
                    guard let reason = wait.lackReason else { continue }
                    nodes[reason, default: []].formUnion(index.nodes(of: wait, report))
                }
                for (reason, nodes) in nodes.sorted(by: { $0.key.rawValue < $1.key.rawValue })
                where !nodes.isEmpty || reason == .diskFull {
                    var rest = nodes.sorted().prefix(Self.mostNodes)
                    repeat {
                        let part = Array(rest.prefix(MemberLack.mostNodes))
                        rest = rest.dropFirst(part.count)
                        lacks.append(MemberLack(reason, part, count: part.count))
                    } while !rest.isEmpty
                }
                return Array(lacks.prefix(limit))
            }
        }
    }

    /// Returns the paths of those nodes that are known here, or were until lately.
    package func paths(of nodes: Set<NodeID>) async throws -> [NodeID: String] {
        try await exclusively { replica in
            let forgotten = replica.forgotten
            return try replica.index.read { index in
                var paths: [NodeID: String] = [:]
                for node in nodes { paths[node] = index.text(of: node) ?? forgotten[node] }
                return paths
            }
        }
    }
}

extension SyncReport.RemainingDifference {
    /// Nil if the other members need not know.
    fileprivate var lackReason: MemberLack.Reason? {
        switch self {
        case .link: .link
        case .name, .model(.impossibleName): .name
        case .inTheWay, .folderInUse, .model(.nameTaken), .model(.folderInUse): .inTheWay
        case .diskFull: .diskFull
        case .failure, .unexplained: .other
        // Held deletions are told apart; the others end by themselves.
        case .model(.held), .model(.unknownFolder), .content, .coming, .databaseInUse: nil
        }
    }
}

extension StoredIndex {
    fileprivate func tops(of held: HeldDeletion) -> [NodeID] {
        Array(Set(held.tops.lazy.prefix(MemberLack.mostNodes).compactMap { first(of: $0) }).sorted())
    }

    fileprivate func nodes(of wait: SyncReport.RemainingDifference, _ report: SyncReport) -> [NodeID] {
        if let steps = report.waitingSteps[wait] { return steps.compactMap { node(of: $0) } }
        switch wait {
        case .model(.impossibleName(let node, _)), .model(.nameTaken(let node, _, _)), .unexplained(let node):
            return [node]
        case .folderInUse(let entry), .model(.folderInUse(let entry)): return [first(of: entry)].compactMap { $0 }
        default: return []
        }
    }

    private func node(of step: SyncStep) -> NodeID? {
        switch step {
        case .makeFolder(let item, _), .place(let item, _), .replace(_, let item), .set(_, let item),
            .bind(_, let item):
            item.seen.first?.node
        case .move(let seen, _, _), .park(let seen), .remove(let seen): first(of: seen.entry)
        }
    }

    private func first(of id: EntryID) -> NodeID? { entry(id)?.seen.first?.node }
}
