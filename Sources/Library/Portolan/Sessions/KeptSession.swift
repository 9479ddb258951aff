import PortolanProtocol
import PortolanTransport

/// A session that a node keeps from one use to the next.
final class KeptSession: Sendable {
    let driver: SessionDriver
    let isOpenedHere: Bool
    /// Capabilities that this side has announced.
    let capabilities: Capabilities
    /// Capabilities of the peer's Hello.
    let peerCapabilities: Capabilities

    init(
        _ driver: SessionDriver, isOpenedHere: Bool, capabilities: Capabilities, peerCapabilities: Capabilities
    ) {
        self.driver = driver
        self.isOpenedHere = isOpenedHere
        self.capabilities = capabilities
        self.peerCapabilities = peerCapabilities
    }

    /// True if the session can be used for the peer: it has the peer's key; or it was opened to the peer's address, if
    /// no key is known or one process of the device is meant.
    func isWith(_ peer: Peer) -> Bool {
        let session = driver.session
        if let fingerprint = peer.fingerprint {
            guard session.peer.fingerprint == fingerprint else { return false }
            if !peer.isOneInstance { return true }
        }
        return isOpenedHere && peer.places.contains { "\($0.address)" == session.address }
    }
}
