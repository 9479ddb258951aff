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
        do {
            let offering = try await withBlockingThread {
                try NodeOffering(withAudiences(withConvertedForms(items)), trust: trust, events: events)
            }
            guard let session = try await openSession(to: peer, for: offering, events: events) else {
                return offering.deliveries([])
            }
            let outcomes = try await OfferingRun(
                offering, on: session, ledger: ledger(), answerWait: configuration.answerWait
            ).run()
            await session.finish()
            let deliveries = offering.deliveries(outcomes)
            if deliveries.contains(where: \.isStored) {
                remember(session.peer)
            }
            return deliveries
        } catch {
            throw NodeError.ofSession(error)
        }
    }

    /// - Returns: nil if the peer may see nothing of what is offered. It has learned nothing of this device then.
    private func openSession(
        to peer: Peer, for offering: NodeOffering, events: @escaping @Sendable (SendEvent) -> Void
    ) async throws -> Session? {
        if let presumed = peer.fingerprint {
            let mayBeSeen = try await withBlockingThread { try offering.isVisible(toPresumed: presumed) }
            guard mayBeSeen else { return nil }
        }
        let verdicts = Mutex<[RemoteIdentity: PeerVerdict]>([:])
        let session: Session
        do {
            session = try await connect(to: peer) { remote in
                try await withBlockingThread {
                    let verdict = try judge(remote, meantAs: peer)
                    verdicts.withLock { $0[remote] = verdict }
                    guard try offering.isVisible(to: remote.deviceKey) else { throw NothingVisible() }
                }
            }
        } catch is NothingVisible {
            return nil
        }
        offering.meet(session.peer.deviceKey)
        var isKnown = false
        if case .known? = verdicts.withLock({ $0[session.peer] }) { isKnown = true }
        let standing = try await withBlockingThread { try trust.standing(of: session.peer.deviceKey, now: .now) }
        events(
            .connected(
                RemotePeer(
                    name: session.peer.name.text, fingerprint: session.peer.fingerprint, address: session.address,
                    isKnown: isKnown, standing: standing)))
        return session
    }

    /// There is nothing that the peer which proved its key may see.
    private struct NothingVisible: Error {}

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
        if peer.saysItsName, !peer.isChosenByKey, remote.name.text != peer.ownName {
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

extension NodeError {
    /// What a person is told when a session did not come about or ended early.
    static func ofSession(_ error: any Error) -> any Error {
        switch error {
        case is NodeError, is CancellationError: error
        case let error as HandshakeError:
            NodeError([.unproven, .wrongCode].contains(error.kind) ? .notTrusted : .unreachable, "\(error)")
        case let error as StoreError: error
        case let error as InvalidValue: NodeError(.badInput, "\(error)")
        case TransportError.truncated, TransportError.silent: NodeError(.interrupted, "\(error)")
        case TransportError.unreachable, TransportError.deadlinePassed: NodeError(.unreachable, "\(error)")
        case TransportError.withdrawn, TransportError.notEntitled: NodeError(.notTrusted, "\(error)")
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
