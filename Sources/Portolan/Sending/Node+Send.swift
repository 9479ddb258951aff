import CoreTransferable
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization
import UniformTypeIdentifiers

extension Node {
    /// Sends a value to a peer, in the first of its representations that the peer can import.
    ///
    /// - Throws: `NodeError` when no session comes about or it breaks.
    public func send<Value: Transferable>(_ value: Value, to peer: Peer) async throws -> Delivery {
        try await send([Item(value)], to: peer)[0]
    }

    /// Sends items to a peer.
    ///
    /// Representations that the peer may not see are not offered, and none is produced before the peer has taken it.
    ///
    /// - Parameter events: called in order, from any thread; to be quick. Representations count as in ``withConvertedForms(_:)``.
    /// - Returns: what became of each item.
    /// - Throws: `NodeError` when no session comes about or it breaks, `CancellationError`.
    public func send(
        _ items: [Item], to peer: Peer, events: @escaping @Sendable (SendEvent) -> Void = { _ in }
    ) async throws -> [Delivery] {
        let items = withConvertedForms(items)
        do {
            guard let offering = try NodeOffering(items, to: peer.standing, events: events) else {
                return items.indices.map { number in
                    let hidden = Delivery(item: number, title: items[number].title, outcome: .hidden)
                    events(.settled(hidden))
                    return hidden
                }
            }
            let session = try await openSession(to: peer, events: events)
            let run = OfferingRun(
                offering.offer, on: session, answerWait: configuration.answerWait,
                produce: { try await offering.produce(item: $0, representation: $1) },
                report: { offering.report($0) })
            let outcomes = try await run.run()
            await session.finish()
            let deliveries = offering.deliveries(outcomes)
            if deliveries.contains(where: \.isStored) {
                remember(session.peer)
            }
            return deliveries
        } catch {
            throw NodeError.sending(error)
        }
    }

    private func openSession(
        to peer: Peer, events: @escaping @Sendable (SendEvent) -> Void
    ) async throws -> Session {
        let verdicts = Mutex<[RemoteIdentity: PeerVerdict]>([:])
        let session = try await Connector(identity: local, timing: timing).connect(to: peer.addresses) { remote in
            let verdict = try judge(remote, meantAs: peer)
            verdicts.withLock { $0[remote] = verdict }
        }
        var isKnown = false
        if case .known? = verdicts.withLock({ $0[session.peer] }) { isKnown = true }
        events(
            .connected(
                RemotePeer(
                    name: session.peer.name.text, fingerprint: session.peer.fingerprint, address: session.address,
                    isKnown: isKnown)))
        return session
    }

    /// Whether the key that answered is the one that was meant.
    ///
    /// This happens before this device has said who it is, and before anything of an item has been sent.
    private func judge(_ remote: RemoteIdentity, meantAs peer: Peer) throws -> PeerVerdict {
        if let advertised = peer.fingerprint, remote.fingerprint != advertised {
            throw NodeError(
                .notTrusted,
                "“\(DisplayText(peer.name))” advertised the key \(advertised), but \(remote.fingerprint) answered. "
                    + "Somebody else is at that address; nothing was sent.")
        }
        if peer.foundBy != "address", !peer.isChosenByKey, remote.name.text != peer.ownName {
            throw NodeError(
                .notTrusted,
                "What was advertised as “\(DisplayText(peer.name))” calls itself “\(remote.name)”; nothing was sent.")
        }
        let verdict = try known.verdict(name: remote.name, key: remote.deviceKey)
        // A peer that was named by its key is that peer, whatever it is called.
        guard case .changed(let before) = verdict, !peer.isChosenByKey else { return verdict }
        throw NodeError(
            .notTrusted,
            "“\(remote.name)” had the key \(before) before and now shows \(remote.fingerprint). It may be somebody else; "
                + "nothing was sent. If the device was set up anew: portolan peers --forget \(remote.name). If it is another one "
                + "of the same name, name it by its fingerprint.")
    }
}

/// The items of one send as the peer sees them, and what stands behind each.
private final class NodeOffering: Sendable {
    let offer: Offer
    private let items: [Item]
    private let visible: VisibleOffer
    private let events: @Sendable (SendEvent) -> Void
    /// What went wrong on this side, by item.
    private let troubles = Mutex<[Int: String]>([:])

    /// - Returns: nil if the peer may see nothing.
    init?(_ items: [Item], to standing: Standing, events: @escaping @Sendable (SendEvent) -> Void) throws {
        let candidates = try items.map { try CandidateItem($0) }
        guard let visible = try Offer.visible(to: standing, from: candidates, id: 1) else { return nil }
        self.items = items
        self.visible = visible
        self.events = events
        offer = visible.offer
    }

    func produce(item: Int, representation: Int) async throws -> OfferedContent {
        let source = visible.source(item: item, representation: representation)
        switch items[source.item].representations[source.representation].content {
        case .bytes(let produce): return .bytes(try await produce())
        case .file(let produce): return .file(path: try await produce().file.path)
        case .stream(let descriptor): return .stream(descriptor)
        }
    }

    func report(_ event: OfferingEvent) {
        switch event {
        case .waiting:
            events(.waitingForAnswer)
        case .began(let item, let representation, let name, let size):
            let source = visible.source(item: item, representation: representation)
            events(.started(item: source.item, representation: source.representation, name: name, bytes: size))
        case .sent(let item, let bytes):
            events(.progress(item: visible.source(item: item, representation: 0).item, sent: bytes))
        case .broke(let item, let representation, let sentence):
            let source = visible.source(item: item, representation: representation)
            troubles.withLock { $0[source.item] = sentence }
            events(.broke(item: source.item, representation: source.representation, reason: sentence))
        }
    }

    func deliveries(_ outcomes: [ItemOutcome]) -> [Delivery] {
        var deliveries = items.indices.map { Delivery(item: $0, title: items[$0].title, outcome: .hidden) }
        let troubles = troubles.withLock(\.self)
        for (offered, outcome) in outcomes.enumerated() {
            let item = visible.source(item: offered, representation: 0).item
            let mapped: Delivery.Outcome =
                switch outcome {
                case .stored(let stored, let representation):
                    .stored(
                        stored,
                        representation: visible.source(item: offered, representation: representation).representation)
                case .declined(let decline, _): .declined(decline, trouble: troubles[item])
                case .failed(let failure, _): .failed(failure, trouble: troubles[item])
                }
            deliveries[item] = Delivery(item: item, title: items[item].title, outcome: mapped)
        }
        for delivery in deliveries { events(.settled(delivery)) }
        return deliveries
    }
}

extension CandidateItem {
    init(_ item: Item) throws {
        try self.init(
            title: item.title,
            representations: item.representations.map { representation in
                let channel: Channel = if case .file = representation.content { .file } else { .data }
                return try OfferedRepresentation(
                    type: OfferedType(representation.contentType), visibility: representation.visibility,
                    channel: channel, size: representation.size,
                    suggestedName: representation.suggestedName, isFolder: representation.isFolder)
            },
            preview: item.preview)
    }
}

extension NodeError {
    /// What a person is told when sending ended early.
    fileprivate static func sending(_ error: any Error) -> any Error {
        switch error {
        case is NodeError, is CancellationError: error
        case let error as HandshakeError: NodeError(error.kind == .unproven ? .notTrusted : .unreachable, "\(error)")
        case let error as StoreError: error
        case let error as InvalidValue: NodeError(.badInput, "\(error)")
        case TransportError.truncated, TransportError.silent: NodeError(.interrupted, "\(error)")
        case TransportError.unreachable, TransportError.deadlinePassed: NodeError(.unreachable, "\(error)")
        case TransportError.answerIsOverdue: NodeError(.notDelivered, "\(error)")
        case TransportError.closedByPeer(let close):
            NodeError(NodeError.Kind(close.code), "\(error)")
        default: NodeError(.inputOutput, "\(error)")
        }
    }
}

extension NodeError.Kind {
    /// What it means for us that the other side ended the session.
    fileprivate init(_ code: CloseCode) {
        self =
            switch code {
            case .notTrusted: .notTrusted
            case .cancelled, .goingAway: .interrupted
            case .busy: .unreachable
            default: .inputOutput
            }
    }
}
