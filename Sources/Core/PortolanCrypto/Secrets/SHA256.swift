internal import CSodium

/// SHA-256, HMAC-SHA-256 (RFC 2104) and the key derivation Noise builds on them, by libsodium's primitives.
enum SHA256 {
    static let digestLength = 32

    /// Returns the digest of the concatenated parts.
    static func digest(_ parts: [UInt8]...) -> [UInt8] {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        for part in parts { crypto_hash_sha256_update(&state, part, UInt64(part.count)) }
        var digest = [UInt8](repeating: 0, count: digestLength)
        crypto_hash_sha256_final(&state, &digest)
        return digest
    }

    /// Returns the digest of a label and a secret, concatenated.
    static func digest(label: [UInt8], secret: SecretBytes) -> [UInt8] {
        secret.withUnsafeBytes { digest(label: label, $0) }
    }

    /// Returns the digest of bytes that may contain a secret.
    static func digest(label: [UInt8] = [], _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var state = crypto_hash_sha256_state()
        defer { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
        crypto_hash_sha256_init(&state)
        crypto_hash_sha256_update(&state, label, UInt64(label.count))
        crypto_hash_sha256_update(
            &state, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count))
        var digest = [UInt8](repeating: 0, count: digestLength)
        crypto_hash_sha256_final(&state, &digest)
        return digest
    }

    /// Computes HMAC-SHA-256 of a public message under a secret key.
    static func authenticate(_ message: [UInt8], key: SecretBytes) -> SecretBytes {
        authenticate(key: key) { hash in
            crypto_auth_hmacsha256_update(&hash, message, UInt64(message.count))
        }
    }

    /// Computes HMAC-SHA-256 of concatenated secrets, under a key that may be public.
    static func authenticate(_ secrets: [SecretBytes], key: SecretBytes) -> SecretBytes {
        authenticate(key: key) { hash in
            for secret in secrets { update(&hash, with: secret) }
        }
    }

    /// HKDF of the Noise specification (section 4.3): `count` outputs of 32 bytes, two or three.
    ///
    /// Equal to RFC 5869 with the chaining key as salt and no info.
    static func derive(_ count: Int, chainingKey: SecretBytes, input: SecretBytes?) -> [SecretBytes] {
        let extracted = authenticate(key: chainingKey) { hash in update(&hash, with: input) }
        var outputs: [SecretBytes] = []
        for number in 1...UInt8(count) {
            let previous = outputs.last
            outputs.append(
                authenticate(key: extracted) { hash in
                    update(&hash, with: previous)
                    crypto_auth_hmacsha256_update(&hash, [number], 1)
                })
        }
        return outputs
    }

    private static func authenticate(
        key: SecretBytes, feeding message: (inout crypto_auth_hmacsha256_state) -> Void
    ) -> SecretBytes {
        var state = crypto_auth_hmacsha256_state()
        // The state is as secret as the key, and the stack is not wiped by itself.
        defer { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
        key.withPointer { bytes in
            _ = crypto_auth_hmacsha256_init(&state, bytes, key.count)
        }
        message(&state)
        return SecretBytes(count: digestLength, keeping: .wiped) { output in
            crypto_auth_hmacsha256_final(&state, output)
        }
    }

    private static func update(_ state: inout crypto_auth_hmacsha256_state, with secret: SecretBytes?) {
        guard let secret else { return }
        secret.withPointer { bytes in
            _ = crypto_auth_hmacsha256_update(&state, bytes, UInt64(secret.count))
        }
    }
}
