// `AES.GCM.seal` of swift-crypto copies what it authenticates and answers with fresh `Data`; the C interface below it
// does neither.
internal import CCryptoBoringSSL
import Crypto

/// Digests of content under a key that two sides of a session share, several times as fast as SHA-256: content is read
/// once, and its digest costs less than the reading.
///
/// A digest is the first 16 bytes of the SHA-256 of a tag. The tag is that of AES-256-GCM (NIST SP 800-38D) for no
/// plaintext, the content as associated data and a nonce of 12 zero bytes. The key comes from HKDF-Expand (RFC 5869)
/// with SHA-256 of the shared key and the info `Portolan content tags`. Whoever does not know the key cannot prepare
/// contents with equal tags; whoever knows it could solve a tag for 16 unknown bytes, and cannot invert its SHA-256.
package final class KeyedDigest: Sendable {
    package static let keyLength = 32
    /// Length of a digest, in bytes.
    package static let length = 16

    private static let tagLength = 16
    private static let nonce = [UInt8](repeating: 0, count: 12)

    // Never written after `init`, and BoringSSL allows several threads to use one context.
    private nonisolated(unsafe) let context: UnsafeMutablePointer<EVP_AEAD_CTX>

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyLength)
        let derived = HKDF<Crypto.SHA256>.expand(
            pseudoRandomKey: key, info: Array("Portolan content tags".utf8), outputByteCount: Self.keyLength)
        let context = derived.withUnsafeBytes { bytes in
            CCryptoBoringSSL_EVP_AEAD_CTX_new(
                CCryptoBoringSSL_EVP_aead_aes_256_gcm(), bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                bytes.count, Self.tagLength)
        }
        guard let context else { preconditionFailure("No memory is left for a key") }
        self.context = context
    }

    deinit { CCryptoBoringSSL_EVP_AEAD_CTX_free(context) }

    /// Returns the digest of content in memory.
    package func digest(of content: UnsafeRawBufferPointer) -> [UInt8] {
        withUnsafeTemporaryAllocation(byteCount: Self.tagLength, alignment: 16) { tag in
            var length = 0
            let result = CCryptoBoringSSL_EVP_AEAD_CTX_seal(
                context, tag.assumingMemoryBound(to: UInt8.self).baseAddress, &length, tag.count, Self.nonce,
                Self.nonce.count, nil, 0, content.assumingMemoryBound(to: UInt8.self).baseAddress, content.count)
            precondition(result == 1 && length == tag.count, "A tag cannot fail with correct lengths")
            return Array(Crypto.SHA256.hash(data: UnsafeRawBufferPointer(tag)).prefix(Self.length))
        }
    }
}
