import Crypto

/// What two sides compare to find out which blocks of a file both hold: SHA-256 (FIPS 180-4), the first 16 bytes of it.
///
/// Bytes may be fed in any pieces.
package struct BlockDigest {
    /// Bytes of a file that one digest covers: block *n* begins at *n* times this, the last one may be shorter.
    package static let blockSize: UInt64 = 256 << 10
    /// Bytes of a digest.
    package static let length = 16

    private var hash = Crypto.SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    package func finalize() -> [UInt8] { Array(hash.finalize().prefix(Self.length)) }

    /// The digest of a block that is in memory.
    package static func of(_ block: UnsafeRawBufferPointer) -> [UInt8] {
        var digest = BlockDigest()
        digest.update(block)
        return digest.finalize()
    }
}
