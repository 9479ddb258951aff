import Crypto

/// What a block of a file is compared by when a transfer is resumed: the first 16 bytes of its SHA-256 (FIPS 180-4).
///
/// A value without storage of its own, so that digesting a file's blocks allocates nothing that lasts.
package struct BlockDigest: Hashable, Sendable {
    /// The bytes of a digest.
    package static let length = 16

    /// The content that one digest is over; the last block of a file may be shorter.
    package static let blockSize = 256 << 10

    private let first: UInt64
    private let second: UInt64

    /// The digest of a block.
    package init(of block: UnsafeRawBufferPointer) {
        var hash = Crypto.SHA256()
        hash.update(bufferPointer: block)
        self = hash.finalize().withUnsafeBytes { BlockDigest(reading: $0) }
    }

    /// A digest that was written down: the first 16 bytes, which must be there.
    package init(reading bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= Self.length)
        first = bytes.loadUnaligned(as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    /// Calls `body` with the 16 bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: (first, second), body)
    }
}
