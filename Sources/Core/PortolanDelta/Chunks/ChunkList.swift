/// A piece of content between two boundaries.
package struct Chunk: Hashable, Sendable {
    package let digest: ChunkDigest
    package let length: Int
}

/// Chunks of a file, in order, for comparing two versions on two sides.
package struct ChunkList: Hashable, Sendable {
    /// The most chunks of a list: 128 GiB of content, 40 MB encoded.
    package static let maximumCount = 1 << 21

    package private(set) var chunks: [Chunk] = []
    /// Bytes of content.
    package private(set) var size: UInt64 = 0

    package init() {}

    /// - Parameter chunk: 1 byte to the maximum length; only the last chunk is shorter than the minimum.
    package mutating func append(_ chunk: Chunk) {
        precondition(1...ChunkSizes.maximum ~= chunk.length && (chunks.last?.length ?? .max) >= ChunkSizes.minimum)
        chunks.append(chunk)
        size += UInt64(chunk.length)
    }
}
