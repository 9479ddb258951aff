internal import CSodium

/// The ChaChaPoly functions of the Noise specification (section 12.3): AEAD_CHACHA20_POLY1305 of RFC 8439.
///
/// Whoever seals twice with one key chooses another nonce each time.
package enum ChaChaPoly {
    /// How many bytes a key has.
    package static let keyLength = 32
    /// How many bytes a nonce has.
    package static let nonceLength = 12
    /// How many bytes a ciphertext has more than its plaintext.
    package static let tagLength = 16

    /// The nonce of the message with this number: four zero bytes, then the number, little-endian.
    static func nonce(_ number: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// The ciphertext with its tag behind it.
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

    /// The plaintext, if the tag is right.
    static func decrypt(
        _ ciphertext: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) throws(NoiseError) -> [UInt8] {
        guard ciphertext.count >= tagLength else { throw .messageTruncated }
        guard let plaintext = open(ciphertext, key: key, nonce: nonce, associatedData: associatedData) else {
            throw .forged
        }
        return plaintext
    }

    /// The plaintext; nil if this was not sealed with these, or is too short to have been.
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
