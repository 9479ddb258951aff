import PortolanProtocol
import PortolanTransport
import Synchronization

/// Session of a peer with a node that receives or shares items.
final class PeerVisit: SessionVisit {
    private struct State {
        /// Peer with the facts at the last look-up; nil until the rosters have been exchanged.
        var peer: RemotePeer?
        /// Routes at the time of the peer's arrival, and later ones that took part in an offer.
        var routes: [Int: ReceiveRoute] = [:]
        /// The peer as of its last offer, with its right to send.
        var met: ReceivingPeer?
        /// Routes by which the peer was entitled to send in an earlier offer.
        var admitted: Set<Int> = []
        var hasOffered = false
        /// Numbers of the routes that take a part of the last offer.
        var taking: @Sendable () -> Set<Int> = { [] }
    }

    private let session: Session
    private let environment: NodeEnvironment
    private let duties: NodeDuties
    private let shelf: Shelf
    private let isOpenedHere: Bool
    private let state = Mutex(State())

    init(
        _ session: Session, in environment: NodeEnvironment, doing duties: NodeDuties, shelf: Shelf, isOpenedHere: Bool
    ) {
        self.session = session
        self.environment = environment
        self.duties = duties
        self.shelf = shelf
        self.isOpenedHere = isOpenedHere
    }

    /// Makes this side's roles in the session.
    func makeRoles() -> SessionRoles {
        let (routes, isSharing) = (duties.routes, duties.isSharing)
        state.withLock { $0.routes = routes }
        var roles = SessionRoles()
        if environment.configuration.keepsSessions { roles.idleTime = environment.configuration.idleTime }
        if !routes.isEmpty {
            roles.pacing = routes.values.compactMap(\.rateLimit).min().map { Pacer(bytesPerSecond: $0) }
            roles.receiving = { [self] in
                let peer = try meet()
                if !isOpenedHere {
                    for route in routes.values where route.entitles(peer.standing, peer.fingerprint) {
                        route.events(.connected(peer))
                    }
                }
                return { [self] in reception() }
            }
        }
        if isSharing {
            roles.serving = ShelfServer(shelf, in: environment, session: session)
        }
        roles.additional = duties.makers
        return roles
    }

    private func meet() throws -> RemotePeer {
        let peer = try environment.remotePeer(of: session)
        state.withLock { $0.peer = peer }
        return peer
    }

    /// Returns the receiver of the next offer, by the duties of the node and the peer's present standing. May block.
    private func reception() -> Reception {
        let peer: RemotePeer
        do {
            peer = try meet()
        } catch {
            return RoutedReceiver.reception(failing: error)
        }
        let routes = duties.routes
        // The peer may offer again when the node receives.
        guard !routes.isEmpty else { return RoutedReceiver.reception(failing: CancellationError()) }
        let met = ReceivingPeer(peer, session.peer, store: environment.store, on: environment.runtime)
        state.withLock { state in
            state.hasOffered = true
            state.admitted.formUnion(state.met?.admitted ?? [])
            state.routes.merge(routes) { one, _ in one }
            state.met = met
        }
        let (reception, taking) = RoutedReceiver.reception(
            of: session, from: met, signingBy: environment.identity.key, on: environment.runtime,
            by: routes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        state.withLock { $0.taking = taking }
        return reception
    }

    /// True if an item of the peer's last offer is, or was, taken by this route.
    func hasReceived(by route: Int) -> Bool { state.withLock(\.taking)().contains(route) }

    // MARK: The end

    /// Called after the session has ended in order, with all answers sent.
    func end() {
        let (peer, routes, isNews) = state.withLock { ($0.peer, $0.routes, $0.hasOffered || !isOpenedHere) }
        guard let peer, isNews else { return }
        for route in routes.values { route.events(.finished(peer)) }
    }

    /// The session has ended early.
    func end(because error: any Error) {
        let reason = error is CancellationError ? "Receiving was stopped." : "\(error)"
        let (peer, routes, admitted, hasOffered) = state.withLock { state in
            (state.peer, state.routes, state.admitted.union(state.met?.admitted ?? []), state.hasOffered)
        }
        // A peer that only lists and fetches was not refused anything.
        let isVisitor = !hasOffered && !isOpenedHere
        for (number, route) in routes {
            if let peer, isVisitor || admitted.contains(number) {
                route.events(.disconnected(peer, reason: reason))
            } else if !isOpenedHere {
                route.events(.refused(address: session.address, reason: reason))
            }
        }
    }
}
