// An encoded chunk list is the count of chunks in LEB128, then 19 bytes for each: its length in three, the lowest byte
// first, and its digest.

extension ChunkList {
    /// Bytes of an encoded list for each chunk; ten more for their count, at most.
    package static let encodedChunkLength = 3 + ChunkDigest.length

    package func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10 + chunks.count * Self.encodedChunkLength)
        bytes.append(variableLength: UInt64(chunks.count))
        for chunk in chunks { chunk.append(to: &bytes) }
        return bytes
    }

    package init(decoding bytes: [UInt8], limit: Int = maximumCount) throws(DeltaError) {
        var decoder = ChunkListDecoder(limit: limit)
        try decoder.append(bytes[...])
        self = try decoder.finish()
    }
}

extension Chunk {
    func append(to bytes: inout [UInt8]) {
        for shift in [0, 8, 16] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        digest.append(to: &bytes)
    }
}

/// Decodes a chunk list whose bytes come in any pieces. Its memory grows with the bytes that came, not with the
/// announced count.
package struct ChunkListDecoder: Sendable {
    private let limit: Int
    private var number = VariableLengthReader()
    /// Chunks to come; nil until the count is known.
    private var remaining: UInt64?
    /// The beginning of a chunk's encoding.
    private var partial: [UInt8] = []
    private var list = ChunkList()

    /// - Parameter limit: the most chunks that are acceptable.
    package init(limit: Int = ChunkList.maximumCount) {
        precondition(0...ChunkList.maximumCount ~= limit)
        self.limit = limit
    }

    /// Decodes the next bytes; after an error, the decoder is of no further use.
    package mutating func append(_ bytes: ArraySlice<UInt8>) throws(DeltaError) {
        var rest = bytes
        while remaining == nil, let byte = rest.popFirst() {
            guard let count = try number.take(byte, in: .chunkList) else { continue }
            guard count <= UInt64(limit) else { throw .tooManyChunks(count) }
            remaining = count
        }
        while let count = remaining, count > 0, !rest.isEmpty {
            let missing = ChunkList.encodedChunkLength - partial.count
            partial += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            guard partial.count == ChunkList.encodedChunkLength else { return }
            try endChunk(isLast: count == 1)
            remaining = count - 1
        }
        guard rest.isEmpty else { throw .trailing(.chunkList) }
    }

    /// True if the last byte came.
    package var isComplete: Bool { remaining == 0 }

    package func finish() throws(DeltaError) -> ChunkList {
        guard isComplete else { throw .truncated(.chunkList) }
        return list
    }

    private mutating func endChunk(isLast: Bool) throws(DeltaError) {
        let length = Int(partial[0]) | Int(partial[1]) << 8 | Int(partial[2]) << 16
        guard (isLast ? 1 : ChunkSizes.minimum)...ChunkSizes.maximum ~= length else { throw .badChunkLength(length) }
        let digest = partial.withUnsafeBytes { ChunkDigest($0[part: 3..<$0.count]) }
        list.append(Chunk(digest: digest, length: length))
        partial.removeAll(keepingCapacity: true)
    }
}
