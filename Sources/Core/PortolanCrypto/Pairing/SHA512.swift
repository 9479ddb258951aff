internal import CSodium

/// SHA-512 by libsodium, for secrets: message and digest stay in memory that is wiped.
enum SHA512 {
    /// Length of a digest, 64 bytes: H.b_in_bytes of draft-irtf-cfrg-cpace-21, section 6.2.
    static let digestLength = 64

    /// Length of a block of the hash, in bytes: H.s_in_bytes of the same section.
    static let blockLength = 128

    static func digest(_ message: SecretBytes) -> SecretBytes {
        SecretBytes(count: digestLength, keeping: .wiped) { digest in
            message.withPointer { bytes in
                _ = crypto_hash_sha512(digest, bytes, UInt64(message.count))
            }
        }
    }
}
