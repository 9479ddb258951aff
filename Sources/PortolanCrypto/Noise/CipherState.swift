import CSodium

/// The CipherState object of the Noise specification (section 5.1) with the ChaChaPoly functions (section 12.3).
///
/// Not copyable: two copies would encrypt different messages under one key and nonce.
struct CipherState: ~Copyable, Sendable {
    static let keyLength = 32
    static let tagLength = 16

    private let key: SecretBytes?
    private var nonce: UInt64 = 0

    /// InitializeKey(k); without a key, text passes through unchanged.
    init(key: SecretBytes?) {
        precondition(key.map { $0.count == Self.keyLength } ?? true, "a Noise cipher key has 32 bytes")
        self.key = key
    }

    /// HasKey()
    var hasKey: Bool { key != nil }

    /// How many bytes longer than its plaintext a message is.
    var overhead: Int { hasKey ? Self.tagLength : 0 }

    /// EncryptWithAd(ad, plaintext)
    mutating func encrypt(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        guard let key else { return plaintext }
        let nonce = takeNonce()
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + Self.tagLength)
        key.withPointer { key in
            _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                &ciphertext, nil, plaintext, UInt64(plaintext.count), associatedData, UInt64(associatedData.count),
                nil, nonce, key)
        }
        return ciphertext
    }

    /// DecryptWithAd(ad, ciphertext)
    mutating func decrypt(_ ciphertext: [UInt8], associatedData: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard let key else { return ciphertext }
        guard ciphertext.count >= Self.tagLength else { throw .messageTruncated }
        let nonce = takeNonce()
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count - Self.tagLength)
        let result = key.withPointer { key in
            crypto_aead_chacha20poly1305_ietf_decrypt(
                &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count),
                associatedData, UInt64(associatedData.count),
                nonce, key)
        }
        // The specification keeps the nonce after a failure; here a failure ends the handshake, so nobody can tell.
        guard result == 0 else { throw .forged }
        return plaintext
    }

    /// The next nonce: four zero bytes, then the counter, little-endian.
    private mutating func takeNonce() -> [UInt8] {
        precondition(nonce < .max, "the last nonce is reserved")
        defer { nonce += 1 }
        return [0, 0, 0, 0] + withUnsafeBytes(of: nonce.littleEndian) { Array($0) }
    }
}
