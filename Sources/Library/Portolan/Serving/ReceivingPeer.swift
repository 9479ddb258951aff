import PortolanProtocol
import PortolanTransport
import Synchronization

/// Peer of a session that has offered something, and its right to send it: by its standing and its name at each moment,
/// not at the beginning of the session.
final class ReceivingPeer: Sendable {
    /// Route by which this node receives, with its number.
    typealias Way = (number: Int, route: ReceiveRoute)

    /// The peer, with the standing that decisions about its offer are made by.
    let peer: RemotePeer
    private let identity: RemoteIdentity
    private let store: PeerStore
    private let runtime: Runtime
    private let state = Mutex<Set<Int>>([])

    init(_ peer: RemotePeer, _ identity: RemoteIdentity, store: PeerStore, on runtime: Runtime) {
        self.peer = peer
        self.identity = identity
        self.store = store
        self.runtime = runtime
    }

    /// Numbers of the routes by which the peer was entitled to send.
    var admitted: Set<Int> { state.withLock(\.self) }

    /// True if the peer may send by a route by the standing that it was met with.
    func isEntitled(by route: ReceiveRoute) -> Bool { route.entitles(peer.standing, peer.fingerprint) }

    /// Checks that the peer may send by each of these routes, by the standing that was just looked up.
    ///
    /// - Throws: `TransportError.notEntitled`
    func admit(by ways: [Way]) throws {
        try require(peer.standing, for: ways)
        admit(ways)
    }

    /// Checks that the peer may still send by each of these routes, that it still has the standing by which its offer
    /// was decided, and that its name does not belong to another key by now. May block.
    ///
    /// - Throws: `TransportError.notEntitled`, `StoreError`.
    func check(by ways: [Way]) throws {
        try require(try store.standing(of: identity.deviceKey, now: runtime.date), for: ways)
        if peer.namesakeOf == nil,
            case .namesake(let owner) = try store.peers.assess(name: identity.name, key: identity.deviceKey).verdict
        {
            throw TransportError.notEntitled(
                "“\(identity.name)” belongs to the key \(owner) here since this session began, and this one has the key "
                    + "\(identity.fingerprint); it has to connect again.")
        }
        admit(ways)
    }

    private func require(_ standing: Standing, for ways: [Way]) throws {
        for way in ways where !way.route.entitles(standing, peer.fingerprint) || !standing.includes(peer.standing) {
            let wasEntitled = admitted.contains(way.number) || isEntitled(by: way.route)
            let groups = way.route.groupsLacked(by: standing).map { "“\($0)”" }
            let lack = groups.isEmpty ? "" : ", for it is not in \(groups.joined(separator: " or "))"
            // Members know the groups of their team; a stranger learns none.
            let told =
                "This device receives from \(groups.joined(separator: " or ")), and “\(identity.name)” is not in it."
            throw TransportError.notEntitled(
                wasEntitled
                    ? "“\(identity.name)” may send nothing here any more: it was known as \(words(peer.standing)), and is now \(words(standing))\(lack)."
                    : "“\(identity.name)” (\(words(standing))) may send nothing here\(lack); nothing was received.",
                told: groups.isEmpty ? "" : told)
        }
    }

    private func words(_ standing: Standing) -> String {
        standing == .anyone ? "no contact and no member" : "\(standing)"
    }

    private func admit(_ ways: [Way]) { state.withLock { $0.formUnion(ways.map(\.number)) } }
}
