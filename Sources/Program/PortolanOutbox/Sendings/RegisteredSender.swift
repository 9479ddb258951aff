import Portolan
import PortolanTransport
import Synchronization

/// Sending of this process, from the search for the receiver to the last outcome. It is in the register meanwhile.
package struct RegisteredSender: Sendable {
    package enum Content: Sendable {
        /// - Parameter batch: common to the transfers of the items.
        case items([Item], batch: RandomID)
        /// Items of a parcel that are not settled.
        case rest(ParcelContents)
    }

    package enum Event: Sendable {
        /// The peer that the target names is not there, and is waited for.
        case absent(NodeError)
        /// The search found the peer of the target; reported again only for another peer, or if its clones differ.
        case found(Peer)
        /// An event of the sending to that peer.
        case peer(SendEvent)
        /// An event of the sending to one member of a team.
        case member(Member, SendEvent)
        /// The sending was interrupted, and its record is kept under this name.
        case kept(RecordID)
    }

    package enum Outcome: Sendable {
        case peer([Delivery])
        case team([MemberDelivery])

        /// True if a later sending may deliver an item that is not stored.
        package var canGoOn: Bool {
            switch self {
            case .peer(let deliveries): deliveries.contains(where: \.canGoOn)
            case .team(let deliveries): deliveries.contains(where: \.canGoOn)
            }
        }
    }

    private let node: Node
    private let content: Content
    private let target: ParcelTarget
    private let options: Node.SendOptions
    private let running: RunningTransfer
    private let patience: Duration
    private let waiting = PeerWait()

    /// - Parameter patience: longest wait for an absent peer. Members of a team are not waited for.
    package init(
        _ content: Content, to target: ParcelTarget, from node: Node, options: Node.SendOptions,
        as running: RunningTransfer, patience: Duration = .zero
    ) {
        self.content = content
        self.target = target
        self.node = node
        self.options = options
        self.running = running
        self.patience = patience
    }

    /// Waits for the peer that the target names.
    ///
    /// - Parameter absent: called if the peer is not in sight yet.
    /// - Throws: `NodeError` if it does not appear in time, `CancellationError`.
    package func find(absent: @Sendable (NodeError) -> Void) async throws -> Peer {
        try await node.awaiting(target.text, for: patience, since: waiting.start(node), absent: absent) {
            try await node.find(target)
        }
    }

    /// Sends the items, and updates the register.
    ///
    /// - Parameters:
    ///   - peer: receiver that was found; nil to search it.
    ///   - events: called from any thread; must return quickly. Events of one receiver come in order.
    /// - Throws: `RegisterError.stopped`, or errors of the library.
    package func run(
        at peer: Peer? = nil, events: @escaping @Sendable (Event) -> Void
    ) async throws -> Outcome {
        // The whole sending runs on a blocking thread, so that no look-up needs another thread.
        let work = Task { try await withBlockingThread { try await send(to: peer, events) } }
        running.onCancel { work.cancel() }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        let canGoOn =
            switch result {
            case .success(let outcome): outcome.canGoOn
            case .failure(let error): error.isEndOfAttempt && !running.wasCancelled
            }
        if let kept = await running.end(isToBeKept: canGoOn) { events(.kept(kept)) }
        if case .failure = result, running.wasCancelled { throw RegisterError.stopped }
        return try result.get()
    }

    private func send(to peer: Peer?, _ events: @escaping @Sendable (Event) -> Void) async throws -> Outcome {
        guard TeamTarget.names(target.text) else { return .peer(try await sendToPeer(peer, events)) }
        return .team(try await send(to: TeamTarget.parse(target.text), events))
    }

    private func sendToPeer(
        _ known: Peer?, _ events: @escaping @Sendable (Event) -> Void
    ) async throws -> [Delivery] {
        // A known address that did not answer may be outdated.
        let place = Mutex(known)
        let told = Mutex<Peer?>(nil)
        let hasMet = Atomic(false)
        let report: @Sendable (SendEvent) -> Void = { [running] event in
            if case .connected = event { hasMet.store(true, ordering: .relaxed) }
            running.report(event)
            events(.peer(event))
        }
        return try await node.awaiting(target.text, for: patience, since: waiting.start(node)) {
            hasMet.load(ordering: .relaxed)
        } absent: {
            events(.absent($0))
        } _: {
            let given = place.withLock { $0.take() }
            let peer = if let given { given } else { try await node.find(target) }
            // The search is repeated while nothing answers at the peer's places.
            let before = told.withLock { told in
                defer { told = peer }
                return told
            }
            if before?.id != peer.id || before?.clones != peer.clones { events(.found(peer)) }
            return switch content {
            case .items(let items, let batch):
                try await node.send(items, to: peer, options: options, batch: batch, events: report)
            case .rest(let rest): try await node.send(rest, to: peer, options: options, events: report)
            }
        }
    }

    private func send(
        to target: TeamTarget, _ events: @escaping @Sendable (Event) -> Void
    ) async throws -> [MemberDelivery] {
        let report: @Sendable (Member, SendEvent) -> Void = { [running] member, event in
            running.report(event, of: member.key.fingerprint)
            events(.member(member, event))
        }
        return switch content {
        case .items(let items, _):
            try await node.send(
                items, toTeam: target.team.text, group: target.group, options: options, events: report)
        case .rest(let rest): try await node.sendToTeam(rest, options: options, events: report)
        }
    }
}

/// Start of the wait for a peer: search and connection share one time limit.
private final class PeerWait: Sendable {
    private let began = Mutex<ContinuousClock.Instant?>(nil)

    /// The moment of the first call.
    func start(_ node: Node) -> ContinuousClock.Instant {
        let now = node.configuration.runtime.now
        return began.withLock { began in
            let start = began ?? now
            began = start
            return start
        }
    }
}
