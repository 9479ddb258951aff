import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// Peer of a receiving session, and its right to send there: by its standing and its name at each moment, not at the beginning of
/// the session.
final class ReceivingPeer: Sendable {
    private let store: PeerStore
    private let runtime: Runtime
    private let entitled: @Sendable (Standing) -> Bool
    private let state = Mutex(State())

    private struct State {
        var peer: RemotePeer?
        var identity: RemoteIdentity?
        var isAdmitted = false
    }

    /// - Parameter entitled: whether a peer of that standing may offer anything.
    init(_ store: PeerStore, on runtime: Runtime, entitled: @escaping @Sendable (Standing) -> Bool) {
        self.store = store
        self.runtime = runtime
        self.entitled = entitled
    }

    /// The peer; nil until the rosters have been exchanged.
    var peer: RemotePeer? { state.withLock(\.peer) }

    /// Whether the peer was entitled to send when it made its first offer.
    var isAdmitted: Bool { state.withLock(\.isAdmitted) }

    /// - Parameter peer: with the standing that decisions about its offers are made by.
    func meet(_ peer: RemotePeer, _ identity: RemoteIdentity) {
        state.withLock { state in
            state.peer = peer
            state.identity = identity
        }
    }

    /// Whether the peer may send by the standing that it was met with.
    var isEntitled: Bool { peer.map { entitled($0.standing) } ?? false }

    /// Throws if the peer may send nothing, or has lost a part of the standing by which decisions about its offers were made, or goes
    /// by a name that has become another key's since.
    ///
    /// - Throws: `TransportError.notEntitled`, `StoreError`.
    func checkStanding() throws {
        let (peer, identity, isAdmitted) = state.withLock { ($0.peer, $0.identity, $0.isAdmitted) }
        guard let peer, let identity else { preconditionFailure("The sender of a session is met before it is checked") }
        let standing = try store.standing(of: identity.deviceKey, now: runtime.date)
        guard entitled(standing), standing.includes(peer.standing) else {
            let sentence =
                isAdmitted || entitled(peer.standing)
                ? "“\(identity.name)” may send nothing here any more: it was known as \(peer.standing), and is now \(standing)."
                : "“\(identity.name)” (\(standing)) may send nothing here; nothing was received."
            throw TransportError.notEntitled(sentence)
        }
        if peer.namesakeOf == nil,
            case .namesake(let owner) = try store.peers.assess(name: identity.name, key: identity.deviceKey).verdict
        {
            throw TransportError.notEntitled(
                "“\(identity.name)” belongs to the key \(owner) here since this session began, and this one has the key "
                    + "\(identity.fingerprint); it has to connect again.")
        }
        state.withLock { $0.isAdmitted = true }
    }
}
