import Crypto

/// Digest by which two sides find the blocks of a file that both hold: the first 16 bytes of SHA-256 (FIPS 180-4).
///
/// Bytes may be fed in any pieces.
package struct BlockDigest {
    /// Length of a block of a file, in bytes: block *n* begins at *n* times this; the last one may be shorter.
    package static let blockSize: UInt64 = 256 << 10
    /// Length of a digest, in bytes.
    package static let length = 16

    private var hash = Crypto.SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    package func finalize() -> [UInt8] { Array(hash.finalize().prefix(Self.length)) }

    /// Returns the digest of a block in memory.
    package static func of(_ block: UnsafeRawBufferPointer) -> [UInt8] {
        var digest = BlockDigest()
        digest.update(block)
        return digest.finalize()
    }
}
