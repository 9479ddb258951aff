import PortolanCrypto
import PortolanProtocol
import PortolanTrust

/// Who this side of every session is.
package struct LocalIdentity: Sendable {
    private let device: DeviceIdentity
    // Made for this process, kept in memory only, and vouched for by the device key in each handshake.
    private let noiseKey: NoiseKeyPair
    private let suites: [RecordSuite]

    /// - Parameter suites: what records can be sealed with, best first.
    package init(_ device: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware) {
        self.device = device
        self.noiseKey = .generate()
        self.suites = suites
    }

    /// Of the side that connects.
    func handshake(_ opening: Opening) -> SessionHandshake {
        SessionHandshake(opening: opening, identity: device, suites: suites, noiseKey: noiseKey)
    }

    /// Of the side that is connected to.
    func handshake(at door: Door) -> SessionHandshake {
        SessionHandshake(door: door, identity: device, suites: suites, noiseKey: noiseKey)
    }
}
