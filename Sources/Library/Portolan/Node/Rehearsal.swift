import PortolanProtocol
import PortolanTransport
import Synchronization

/// Items as one peer would be offered them, found out by asking it to prove its key.
public struct Rehearsal: Sendable {
    /// The peer, if a session was opened; nil if the peer may see nothing, since then this device does not identify
    /// itself.
    public let peer: RemotePeer?
    /// Standing of the key that the peer proved, after the teams' rosters were exchanged.
    public let standing: Standing
    public let items: [ItemView]
}

extension Node {
    /// Connects to a peer like ``send(_:to:options:batch:events:)``, but ends the session before the offer.
    ///
    /// If the peer may see nothing, the connection ends before this device identifies itself, as in sending.
    ///
    /// - Throws: `NodeError` when no session comes about, `CancellationError`.
    public func rehearse(_ items: [Item], to peer: Peer) async throws -> Rehearsal {
        let connected = Mutex<RemotePeer?>(nil)
        var options = SendOptions()
        options.retry = .zero
        do {
            let offering = try await withBlockingThread { [options] in
                try NodeOfferSource(
                    environment.resolved(items), with: environment.formMaker(), store: store, on: runtime,
                    key: identity.key, without: environment.own,
                    options: options, isRehearsal: true, events: { _ in })
            }
            var sending = RetryingSender(offering, to: peer, in: environment, over: sessions, options: options) {
                event in
                if case .connected(let peer) = event { connected.withLock { $0 = peer } }
            }
            _ = try await sending.run()
            guard let standing = offering.standing else { preconditionFailure("No peer was looked up") }
            let views = try await preview(items, for: standing)
            return Rehearsal(peer: connected.withLock(\.self), standing: standing, items: views)
        } catch {
            throw NodeError.ofSession(error)
        }
    }
}
