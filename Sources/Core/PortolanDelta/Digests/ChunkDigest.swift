import Crypto

/// The digest of a chunk under the key of the exchange (`KeyedDigest`).
///
/// Sixteen bytes are enough here: the digest of the whole content confirms each rebuilt file, so that a collision
/// costs a second transfer and nothing else. The list of chunks, which may go over the network, stays short.
package struct ChunkDigest: Hashable, Sendable {
    package static let length = 16

    private let high, low: UInt64

    init(_ digest: SHA256Digest) {
        (high, low) = digest.withUnsafeBytes { ($0.number(at: 0), $0.number(at: 8)) }
    }

    /// - Parameter bytes: 16 bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == Self.length)
        (high, low) = (bytes.number(at: 0), bytes.number(at: 8))
    }

    /// True if a group of chunks ends behind the chunk (``ChunkGroup``).
    var endsGroup: Bool { low & 15 == 0 }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }
}
