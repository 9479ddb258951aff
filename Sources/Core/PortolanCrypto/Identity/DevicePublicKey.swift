internal import CSodium
import PortolanValues

/// Public half of a ``DeviceKey``, by which other devices recognise a device.
public struct DevicePublicKey: Hashable, Sendable {
    /// Length of a public key, in bytes.
    public static let length = 32

    /// Length of a signature, in bytes.
    public static let signatureLength = 64

    /// The key as RFC 8032 encodes it, 32 bytes.
    public let bytes: [UInt8]

    /// Checks a received key.
    ///
    /// Only the canonical encoding of a point of the main subgroup passes, so one device cannot appear under two keys
    /// and no key accepts signatures it did not make.
    ///
    /// - Throws: ``KeyError`` when this is not a key an honest device could have.
    public init(bytes: some Collection<UInt8>) throws(KeyError) {
        guard bytes.count == Self.length else { throw .wrongLength(expected: Self.length, actual: bytes.count) }
        let bytes = Array(bytes)
        Sodium.started
        guard crypto_core_ed25519_is_valid_point(bytes) == 1 else { throw .notAKey }
        self.bytes = bytes
    }

    init(valid bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// True if the holder of the private key signed exactly this message.
    ///
    /// A signature of any length but 64 bytes is not one.
    public func isValidSignature(_ signature: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
        // libsodium reads 64 bytes, so the length is checked first.
        guard signature.count == Self.signatureLength else { return false }
        let message = Array(message)
        return crypto_sign_ed25519_verify_detached(Array(signature), message, UInt64(message.count), bytes) == 0
    }

    /// Short form of the key, which people compare.
    public var fingerprint: Fingerprint { Fingerprint(of: self) }
}

extension DevicePublicKey: Codable, CustomStringConvertible {
    /// The key in lower-case hexadecimal, 64 digits.
    public var description: String { Hexadecimal.text(bytes) }

    /// Reads the hexadecimal text that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Hexadecimal.bytes(inEitherCase: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A device key is written as 64 hexadecimal digits.")
        }
        do {
            try self.init(bytes: bytes)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the key as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
