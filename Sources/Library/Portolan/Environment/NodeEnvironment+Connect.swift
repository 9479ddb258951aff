import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

extension NodeEnvironment {
    /// Opens a session to a peer that was found.
    ///
    /// If none of its places answers and it was found by discovery, the search continues: places that are announced
    /// within ``NodeConfiguration/findWait`` are tried as well.
    ///
    /// - Parameters:
    ///   - wanted: activities that the session needs from the peer. Instances without them are tried last.
    ///   - avoided: ports of instances that are not tried.
    ///   - isSought: true if the search may continue.
    ///   - decide: called like the parameter of the same name of `Connector.connect`.
    func connect(
        to peer: Peer, wanting wanted: Activities = [], avoiding avoided: Set<UInt16> = [], isSought: Bool = true,
        decide: @escaping @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        do {
            return try await reach(peer, wanting: wanted, avoiding: avoided, isSought: isSought, decide: decide)
        } catch TransportError.unreachable(_, var fault?) {
            fault.peer = peer.localName ?? peer.ownName
            throw TransportError.unreachable(fault)
        }
    }

    private func reach(
        _ peer: Peer, wanting wanted: Activities, avoiding avoided: Set<UInt16>, isSought: Bool,
        decide: @escaping @Sendable (RemoteIdentity) async throws -> Void
    ) async throws -> Session {
        let connector = Connector(identity: local, timing: timing, runtime: runtime)
        var choice = PlaceChoice(wanting: wanted, avoiding: avoided)
        let places = choice.take(of: peer)
        guard isSought, peer.canBeFoundAgain, !presence.isOff else {
            let all = places + choice.takeRest(of: peer)
            return try await connector.connect(to: all.map(ConnectionPlace.init), decide: decide)
        }
        let seeking = PlaceSeeker(
            peer: peer, choice: choice, neighbourhood: neighbourhood, wait: configuration.findWait,
            isBrief: !avoided.isEmpty)
        return try await connector.connect(
            to: places.map(ConnectionPlace.init), seek: { seeking.places() }, decide: decide)
    }
}
