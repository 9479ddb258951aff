internal import CSodium
import PortolanValues

/// The public half of a ``DeviceKey``: how one device recognises another.
public struct DevicePublicKey: Hashable, Sendable {
    /// How many bytes a public key has.
    public static let length = 32

    /// How many bytes a signature has.
    public static let signatureLength = 64

    /// The key as RFC 8032 encodes it, 32 bytes.
    public let bytes: [UInt8]

    /// Takes a key that somebody sent.
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

    /// Whether the holder of the private key signed exactly this message.
    ///
    /// A signature of any length but 64 bytes is not one.
    public func isValidSignature(_ signature: some Collection<UInt8>, for message: some Collection<UInt8>) -> Bool {
        // libsodium reads 64 bytes whatever it is given.
        guard signature.count == Self.signatureLength else { return false }
        let message = Array(message)
        return crypto_sign_ed25519_verify_detached(Array(signature), message, UInt64(message.count), bytes) == 0
    }

    /// What people compare instead of the whole key.
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
