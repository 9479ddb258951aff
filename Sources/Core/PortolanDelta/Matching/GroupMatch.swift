/// Groups of chunks that a base and a new version share, and the chunk list of the base that follows from them.
package struct GroupMatch: Sendable {
    private let base: [ChunkDigest]
    private let new: ChunkList
    /// Groups of the new version.
    private let known: [ChunkDigest: Range<Int>]
    /// Numbers of the base's groups whose chunks are not known, in runs.
    package private(set) var missing: [Range<Int>] = []

    /// - Parameters:
    ///   - base: digests of all groups of the base.
    ///   - mostRuns: the most runs of missing groups: where there are more, all groups count as missing.
    package init(base: [ChunkDigest], new: ChunkList, mostRuns: Int) {
        var known: [ChunkDigest: Range<Int>] = [:]
        for group in new.groups { known[group.digest] = group.chunks }
        for (number, digest) in base.enumerated() where known[digest] == nil {
            if let last = missing.last, last.upperBound == number {
                missing[missing.count - 1] = last.lowerBound..<number + 1
            } else {
                missing.append(number..<number + 1)
            }
        }
        if missing.count > mostRuns {
            known = [:]
            missing = [0..<base.count]
        }
        self.base = base
        self.new = new
        self.known = known
    }

    /// The most chunks that the missing groups have together.
    package var mostMissingChunks: Int {
        min(missing.reduce(0) { $0 + $1.count } * ChunkGroup.maximumCount, ChunkList.maximumCount)
    }

    /// Returns the chunk list of the base.
    ///
    /// - Parameters:
    ///   - found: the chunks of the missing groups, from the other side.
    ///   - size: bytes of the base.
    /// - Throws: ``DeltaError/contradiction`` where the chunks are not those of the groups, or have another size.
    package func list(with found: ChunkList, size: UInt64) throws(DeltaError) -> ChunkList {
        var list = ChunkList()
        var rest = found.groups[...]
        for digest in base {
            if let chunks = known[digest] {
                try list.extend(by: new.chunks[chunks])
                continue
            }
            guard let group = rest.popFirst(), group.digest == digest else { throw .contradiction }
            try list.extend(by: found.chunks[group.chunks])
        }
        guard rest.isEmpty, list.size == size else { throw .contradiction }
        return list
    }
}

extension ChunkList {
    /// Appends chunks of a peer, which may be in an order in which no content has them.
    fileprivate mutating func extend(by more: ArraySlice<Chunk>) throws(DeltaError) {
        guard chunks.count + more.count <= Self.maximumCount else {
            throw .tooManyChunks(UInt64(chunks.count + more.count))
        }
        for chunk in more {
            guard (chunks.last?.length ?? .max) >= ChunkSizes.minimum else { throw .contradiction }
            append(chunk)
        }
    }
}
