import Crypto

/// SHA-256 (FIPS 180-4) of content, in four numbers, so that a copy of it allocates nothing.
package struct ContentDigest: Hashable, Sendable {
    package static let length = 32

    private let a, b, c, d: UInt64

    init(_ digest: SHA256Digest) {
        (a, b, c, d) = digest.withUnsafeBytes {
            ($0.number(at: 0), $0.number(at: 8), $0.number(at: 16), $0.number(at: 24))
        }
    }

    /// - Parameter bytes: 32 bytes.
    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == Self.length)
        (a, b, c, d) = (bytes.number(at: 0), bytes.number(at: 8), bytes.number(at: 16), bytes.number(at: 24))
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        for part in [a, b, c, d] { bytes.append(bigEndian: part) }
        return bytes
    }

    /// Returns the digest of content in memory.
    package static func of(_ content: UnsafeRawBufferPointer) -> ContentDigest {
        var hasher = ContentHasher()
        hasher.update(content)
        return hasher.finish()
    }
}

/// Computes the digest of content that comes in pieces.
package struct ContentHasher {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    package func finish() -> ContentDigest { ContentDigest(hash.finalize()) }
}
