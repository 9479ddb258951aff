import Portolan
import PortolanOutbox
import Synchronization

/// Sendings of the same items to several peers at once, each with its own entry in the register.
struct PeerSendings: Sendable {
    let node: Node
    let items: [Item]
    let console: Console
    /// Sendings, one for each target, in the order of the command line.
    let sendings: [ItemSender]

    private enum Outcome: Sendable {
        case ended(PeerEnd)
        /// The peer is the same as that of an earlier sending, under another name.
        case same(as: Int)
    }

    /// - Returns: the worst status of all.
    /// - Throws: `CancellationError`
    func run() async throws -> ExitStatus {
        let reporter = TeamSendReporter(
            console, titles: items.map(\.title), target: Human.count(sendings.count, "peer"))
        let owners = Mutex<[Peer.ID: Int]>([:])
        let outcomes = try await ItemSender.warning(of: items, node, console) {
            let outcomes = await node.concurrently(Array(sendings.enumerated())) { index, sending in
                await run(sending, reporter) { peer in
                    owners.withLock { owners in
                        if let owner = owners[peer.id] { return owner }
                        owners[peer.id] = index
                        return nil
                    }
                }
            }
            try Task.checkCancellation()
            return outcomes
        }
        return reporter.conclude(outcomes.indices.map { end(of: $0, outcomes) })
    }

    /// - Parameter owner: earlier sending to the same peer; nil if this is the first.
    private func run(
        _ sending: ItemSender, _ reporter: TeamSendReporter, owner: (Peer) -> Int?
    ) async -> Outcome {
        let target = sending.label
        do {
            let peer = try await sending.sending.find { sending.tellOfWaiting($0) }
            if let owner = owner(peer) { return .same(as: owner) }
            let status = try await sending.deliver(at: peer, telling: reporter)
            return .ended(PeerEnd(target: target, fingerprint: reporter.fingerprint(of: target), status: status))
        } catch {
            let failure = CommandFailure(error)
            // The description may list the peers in sight, one per line.
            let lines = failure.description.split(separator: "\n").map { DisplayText(sentence: $0, limit: 1000).text }
            return .ended(
                PeerEnd(
                    target: target, fingerprint: reporter.fingerprint(of: target), status: failure.status,
                    message: lines.joined(separator: "\n"), fault: failure.fault))
        }
    }

    private func end(of index: Int, _ outcomes: [Outcome]) -> PeerEnd {
        switch outcomes[index] {
        case .ended(let end): return end
        case .same(let owner):
            guard case .ended(let end) = outcomes[owner] else {
                preconditionFailure("The first sending to a peer is that of no other")
            }
            return PeerEnd(
                target: sendings[index].label, fingerprint: end.fingerprint, status: end.status,
                message: "It is the same peer as “\(end.target)”, and was sent to once.")
        }
    }
}
