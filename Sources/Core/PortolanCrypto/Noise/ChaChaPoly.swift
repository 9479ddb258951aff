internal import CSodium

/// The ChaChaPoly functions of the Noise specification (section 12.3): AEAD_CHACHA20_POLY1305 of RFC 8439.
///
/// A nonce must not be used twice with one key.
package enum ChaChaPoly {
    /// Length of a key, in bytes.
    package static let keyLength = 32
    /// Length of a nonce, in bytes.
    package static let nonceLength = 12
    /// Length of the tag, in bytes, by which a ciphertext is longer than its plaintext.
    package static let tagLength = 16

    /// Returns the nonce of a message number: four zero bytes, then the number, little-endian.
    static func nonce(_ number: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Returns the ciphertext, followed by its tag.
    package static func encrypt(
        _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        checkLengths(key, nonce)
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + tagLength)
        key.withPointer { key in
            _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                &ciphertext, nil, plaintext, UInt64(plaintext.count), associatedData, UInt64(associatedData.count),
                nil, nonce, key)
        }
        return ciphertext
    }

    /// Returns the plaintext; throws if the tag is wrong.
    static func decrypt(
        _ ciphertext: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) throws(NoiseError) -> [UInt8] {
        guard ciphertext.count >= tagLength else { throw .messageTruncated }
        guard let plaintext = open(ciphertext, key: key, nonce: nonce, associatedData: associatedData) else {
            throw .forged
        }
        return plaintext
    }

    /// Returns the plaintext; nil if the tag is wrong or missing.
    package static func open(
        _ ciphertext: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
        checkLengths(key, nonce)
        guard ciphertext.count >= tagLength else { return nil }
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count - tagLength)
        let result = key.withPointer { key in
            crypto_aead_chacha20poly1305_ietf_decrypt(
                &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count),
                associatedData, UInt64(associatedData.count), nonce, key)
        }
        return result == 0 ? plaintext : nil
    }

    private static func checkLengths(_ key: SecretBytes, _ nonce: [UInt8]) {
        precondition(key.count == keyLength, "a ChaChaPoly key has 32 bytes")
        precondition(nonce.count == nonceLength, "a ChaChaPoly nonce has 12 bytes")
    }
}
