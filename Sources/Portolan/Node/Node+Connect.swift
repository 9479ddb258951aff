import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import PortolanTrust

extension Node {
    /// Opens a session to a peer that was found.
    ///
    /// - Parameter decide: as for `Connector.connect`.
    func connect(to peer: Peer, decide: @Sendable (RemoteIdentity) async throws -> Void) async throws -> Session {
        let connector = Connector(identity: local, timing: timing)
        var openings = peer.openings[...]
        while let opening = openings.popFirst() {
            do {
                return try await connector.connect(to: peer.addresses, opening: Opening(opening), decide: decide)
            } catch let error as HandshakeError where [.cut, .notAdmitted].contains(error.kind) && !openings.isEmpty {
                // It has advertised anew since, openly before and hidden now perhaps, or somebody repeats what it advertised before.
                continue
            }
        }
        preconditionFailure("There is no way to open a session with the peer")
    }
}

extension Opening {
    fileprivate init(_ opening: DiscoveredPeer.Opening) {
        self =
            switch opening {
            case .open: .open
            case .hidden(let access): .team(secret: access.secret, nonce: access.nonce)
            }
    }
}
