internal import CSodium

/// A public key of a Noise handshake: X25519, 32 bytes, all of which are valid (RFC 7748 section 5).
public struct NoisePublicKey: Hashable, Sendable {
    /// Length of a key, in bytes.
    public static let length = 32

    /// The key in its encoding on the wire.
    public let bytes: [UInt8]

    /// - Precondition: `bytes` is 32 bytes long.
    package init(bytes: some Collection<UInt8>) {
        precondition(bytes.count == Self.length, "a Noise public key has 32 bytes")
        self.bytes = Array(bytes)
    }
}

/// An X25519 key pair for Noise handshakes only; it lives in memory, one per process, and is never stored.
///
/// A signature of the ``DeviceKey`` inside the handshake states its owner.
public struct NoiseKeyPair: Sendable {
    /// Public half, which is sent to the peer.
    public let publicKey: NoisePublicKey

    private let privateKey: SecretBytes

    /// Makes a new key pair.
    public static func generate() -> NoiseKeyPair {
        NoiseKeyPair(privateKey: .random(count: Int(crypto_scalarmult_curve25519_SCALARBYTES)))
    }

    /// Makes the key pair of a known private key, to reproduce a handshake.
    ///
    /// - Precondition: `privateKey` is 32 bytes long.
    package init(privateKey: SecretBytes) {
        precondition(privateKey.count == Int(crypto_scalarmult_curve25519_SCALARBYTES), "an X25519 key has 32 bytes")
        var publicBytes = [UInt8](repeating: 0, count: NoisePublicKey.length)
        privateKey.withPointer { key in
            _ = crypto_scalarmult_curve25519_base(&publicBytes, key)
        }
        self.privateKey = privateKey
        publicKey = NoisePublicKey(bytes: publicBytes)
    }

    /// DH of the Noise specification, section 4.1.
    ///
    /// - Throws: ``NoiseError/lowOrderPoint`` if the result is all zeros, because the peer's key is one of low order.
    ///   Noise allows refusing it (section 12.1).
    func sharedSecret(with peer: NoisePublicKey) throws(NoiseError) -> SecretBytes {
        let length = Int(crypto_scalarmult_curve25519_BYTES)
        return try SecretBytes(count: length, keeping: .wiped) { (shared) throws(NoiseError) in
            let result = privateKey.withPointer { key in
                crypto_scalarmult_curve25519(shared, key, peer.bytes)
            }
            guard result == 0 else { throw .lowOrderPoint }
        }
    }
}
