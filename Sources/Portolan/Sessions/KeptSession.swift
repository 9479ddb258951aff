import PortolanProtocol
import PortolanTransport

/// A session that a node keeps from one use to the next.
final class KeptSession: Sendable {
    let driver: SessionDriver
    let isOpenedHere: Bool
    /// What this side has said that it does.
    let capabilities: Capabilities

    init(_ driver: SessionDriver, isOpenedHere: Bool, capabilities: Capabilities) {
        self.driver = driver
        self.isOpenedHere = isOpenedHere
        self.capabilities = capabilities
    }

    /// Whether it may be with the peer: it has the peer's key, or was opened to the peer's address where no key is known.
    func isWith(_ peer: Peer) -> Bool {
        let session = driver.session
        if let fingerprint = peer.fingerprint { return session.peer.fingerprint == fingerprint }
        return isOpenedHere && peer.addresses.contains { "\($0)" == session.address }
    }
}
