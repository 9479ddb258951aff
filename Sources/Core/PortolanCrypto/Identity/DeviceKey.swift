internal import CSodium

/// Identity of a device: one Ed25519 key pair per installation (RFC 8032).
///
/// The key only signs; the key that encrypts a session is a ``NoiseKeyPair`` of its own, signed by this one.
public struct DeviceKey: Sendable {
    /// Length of the seed, in bytes.
    public static let seedLength = 32

    /// Public key, by which other devices recognise this one.
    public let publicKey: DevicePublicKey

    // libsodium's form of the private key: the seed, then the public key.
    private let secretKey: SecretBytes

    /// Makes the key pair of a stored seed.
    ///
    /// - Throws: ``KeyError/wrongLength(expected:actual:)`` when the seed is not 32 bytes long.
    public init(seed: some Collection<UInt8>) throws(KeyError) {
        try self.init(seed: SecretBytes(copying: seed))
    }

    /// Makes the key pair of a stored seed.
    ///
    /// - Throws: ``KeyError/wrongLength(expected:actual:)`` when the seed is not 32 bytes long.
    package init(seed: SecretBytes) throws(KeyError) {
        guard seed.count == Self.seedLength else {
            throw .wrongLength(expected: Self.seedLength, actual: seed.count)
        }
        self.init(validSeed: seed)
    }

    /// Makes a new, random key pair.
    public static func generate() -> DeviceKey {
        DeviceKey(validSeed: .random(count: seedLength))
    }

    private init(validSeed seed: SecretBytes) {
        var publicBytes = [UInt8](repeating: 0, count: DevicePublicKey.length)
        secretKey = SecretBytes(count: Int(crypto_sign_ed25519_SECRETKEYBYTES), keeping: .guarded) { secretKey in
            seed.withPointer { seed in
                _ = crypto_sign_ed25519_seed_keypair(&publicBytes, secretKey, seed)
            }
        }
        publicKey = DevicePublicKey(valid: publicBytes)
    }

    /// Signs a message; 64 bytes, the same each time for the same message.
    public func signature(for message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        var signature = [UInt8](repeating: 0, count: DevicePublicKey.signatureLength)
        secretKey.withPointer { secretKey in
            _ = crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), secretKey)
        }
        return signature
    }

    /// Copy of the seed, in guarded memory.
    package var seed: SecretBytes { withSeed { SecretBytes(copying: $0) } }

    /// Passes the 32 bytes of the seed to `body`, to store them. Every holder of the seed is this device.
    public func withSeed<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try secretKey.withUnsafeBytes { (bytes) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[..<Self.seedLength]))
        }
    }
}
