/// The CipherState object of the Noise specification (section 5.1).
///
/// Not copyable: two copies would encrypt different messages under one key and nonce.
struct CipherState: ~Copyable, Sendable {
    private let key: SecretBytes?
    private var nonce: UInt64 = 0

    /// InitializeKey(k); without a key, text passes through unchanged.
    init(key: SecretBytes?) {
        self.key = key
    }

    /// Bytes by which a message is longer than its plaintext.
    var overhead: Int { key == nil ? 0 : ChaChaPoly.tagLength }

    /// EncryptWithAd(ad, plaintext)
    mutating func encrypt(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        guard let key else { return plaintext }
        return ChaChaPoly.encrypt(plaintext, key: key, nonce: takeNonce(), associatedData: associatedData)
    }

    /// DecryptWithAd(ad, ciphertext)
    ///
    /// The specification keeps the nonce after a failure; here a failure ends the handshake, so the difference has no
    /// effect.
    mutating func decrypt(_ ciphertext: [UInt8], associatedData: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard let key else { return ciphertext }
        return try ChaChaPoly.decrypt(ciphertext, key: key, nonce: takeNonce(), associatedData: associatedData)
    }

    private mutating func takeNonce() -> [UInt8] {
        precondition(nonce < .max, "the last nonce is reserved")
        defer { nonce += 1 }
        return ChaChaPoly.nonce(nonce)
    }
}
