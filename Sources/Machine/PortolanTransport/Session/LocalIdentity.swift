import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization

/// Identity of this device in its sessions.
package final class LocalIdentity: Sendable {
    private let current: Mutex<DeviceIdentity>
    // Made for this process, kept in memory only, and signed by the device key in each handshake.
    private let noiseKey: NoiseKeyPair
    private let suites: [RecordSuite]

    /// - Parameter suites: cipher suites of records, best first.
    package init(_ device: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware) {
        current = Mutex(device)
        self.noiseKey = .generate()
        self.suites = suites
    }

    /// Device as shown in the next handshake.
    package var device: DeviceIdentity { current.withLock(\.self) }

    /// Changes the name for later handshakes. Existing sessions keep the name with which they began.
    package func rename(to name: DeviceName) { current.withLock { $0.name = name } }

    /// Makes the handshake of the connecting side.
    func handshake(_ opening: Opening) -> SessionHandshake {
        SessionHandshake(opening: opening, identity: device, suites: suites, noiseKey: noiseKey)
    }

    /// Makes the handshake of the accepting side.
    func handshake(at door: Door) -> SessionHandshake {
        SessionHandshake(door: door, identity: device, suites: suites, noiseKey: noiseKey)
    }
}
