import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues

/// Devices with known keys, so that an execution can be repeated.
enum Parties {
    static let own = device("own", 1)
    static let peer = device("peer", 2)
    static let third = device("third", 3)

    static func device(_ name: String, _ seed: UInt8) -> DeviceIdentity {
        valid {
            DeviceIdentity(name: try DeviceName(name), key: try DeviceKey(seed: [UInt8](repeating: seed, count: 32)))
        }
    }

    static func noiseKey(_ seed: UInt8) -> NoiseKeyPair {
        NoiseKeyPair(privateKey: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    static func randomness(_ seed: UInt8) -> HandshakeRandomness {
        // Little endian, so that it is below the order of the group.
        var scalar = [UInt8](repeating: seed, count: 32)
        scalar[31] = 0
        return HandshakeRandomness(
            ephemeral: noiseKey(seed), sessionHalf: [UInt8](repeating: seed, count: 16),
            scalar: SecretBytes(copying: scalar))
    }
}
