import Foundation
import PortolanCrypto
import PortolanTrust
import PortolanValues
import SwiftProtobuf

/// Identity of the peer: the key that it has proved, and the name that it claims.
public struct RemoteIdentity: Hashable, Sendable {
    /// Key of the peer of this connection, proved by the handshake.
    public let deviceKey: DevicePublicKey
    /// Name that the peer claims. Names are not proved.
    public let name: DeviceName

    public var fingerprint: Fingerprint { deviceKey.fingerprint }
}

/// Payload of handshake messages 2 and 3.
struct HandshakeIdentity: Hashable, Sendable {
    let deviceKey: DevicePublicKey
    let signature: [UInt8]
    let name: DeviceName
    /// Numbers of record suites; in message 2 all that are offered, in message 3 the chosen one.
    let suites: [UInt32]

    /// Makes the signed identity of this device, bound to this handshake.
    ///
    /// - Parameter hash: handshake hash before the message with this identity.
    init(_ identity: DeviceIdentity, suites: [RecordSuite], hash: [UInt8], noiseStatic: NoisePublicKey) {
        deviceKey = identity.publicKey
        signature = identity.key.signature(for: Self.statement(hash: hash, noiseStatic: noiseStatic))
        name = identity.name
        self.suites = suites.map { UInt32($0.rawValue) }
    }

    /// Returns the statement that the device key signs: it contains the hash, which makes it fresh, and the Noise key
    /// on which the secrets depend.
    private static func statement(hash: [UInt8], noiseStatic: NoisePublicKey) -> [UInt8] {
        Array("portolan/1 noise static".utf8) + hash + noiseStatic.bytes
    }

    /// Returns true if the device key has signed the Noise key of this handshake.
    func isProved(hash: [UInt8], noiseStatic: NoisePublicKey) -> Bool {
        deviceKey.isValidSignature(signature, for: Self.statement(hash: hash, noiseStatic: noiseStatic))
    }

    init(decoding bytes: [UInt8]) throws(ProtocolViolation) {
        let wire = try translating(WireHandshakeIdentity(serializedBytes: bytes)) { (_: any Error) in
            ProtocolViolation(.malformed, "The payload of a handshake message is no identity.")
        }
        deviceKey = try translating(DevicePublicKey(bytes: wire.deviceKey)) { (_: any Error) in
            ProtocolViolation(.malformed, "A peer showed something that is no device key.")
        }
        try ProtocolViolation.check(
            wire.signature.count == DevicePublicKey.signatureLength, .malformed,
            "A peer showed a signature of \(wire.signature.count) bytes.")
        try ProtocolViolation.check(
            wire.name.utf8.count <= DeviceName.maximumBytes, .limit, "A peer's name has \(wire.name.utf8.count) bytes.")
        name = try translating(DeviceName(wire.name)) { (error: any Error) in
            ProtocolViolation(.malformed, "A peer's name is none: \(error)")
        }
        try ProtocolViolation.check(
            wire.suites.count <= Limits.suites, .limit, "A peer named \(wire.suites.count) record suites.")
        try ProtocolViolation.check(
            Set(wire.suites).count == wire.suites.count, .malformed, "A peer named one record suite twice.")
        signature = Array(wire.signature)
        suites = wire.suites
    }

    /// Length of a padded identity: longer than any unpadded one, by enough for the padding's own header.
    static let paddedLength = 320

    /// - Parameter padded: true for a fixed length, so that the length of its name does not reveal a hidden device.
    func encode(padded: Bool) -> [UInt8] {
        var wire = WireHandshakeIdentity.with {
            $0.deviceKey = Data(deviceKey.bytes)
            $0.signature = Data(signature)
            $0.name = name.text
            $0.suites = suites
        }
        guard padded else { return Self.serialize(wire) }
        // The padding's header: one byte for the field's number, and two for a length between 128 and 16383.
        wire.padding = Data(count: Self.paddedLength - Self.serialize(wire).count - 3)
        return Self.serialize(wire)
    }

    private static func serialize(_ wire: WireHandshakeIdentity) -> [UInt8] {
        do {
            return try wire.serializedBytes()
        } catch {
            // Serialization fails only for missing proto2 fields and invalid `Any`s; the schema has neither.
            preconditionFailure("An identity cannot be serialized: \(error)")
        }
    }
}
