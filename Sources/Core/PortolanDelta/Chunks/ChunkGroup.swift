import Crypto

/// Consecutive chunks of a list, with one common digest: most groups of an old version are also in the new one, so that
/// their digests are sufficient.
///
/// A group ends after a chunk whose digest ends with four zero bits, or with its 64th chunk; the last one ends with the
/// content. A group has about 16 chunks, or 1 MiB. Its digest is the first 16 bytes of the SHA-256 of `Portolan chunk
/// group` in ASCII and its chunks as an encoded list has them.
package struct ChunkGroup: Hashable, Sendable {
    /// The most chunks of a group.
    package static let maximumCount = 64

    package let digest: ChunkDigest
    /// Indices of its chunks in the list.
    package let chunks: Range<Int>

    fileprivate init(_ chunks: ArraySlice<Chunk>) {
        var bytes = Array("Portolan chunk group".utf8)
        for chunk in chunks { chunk.append(to: &bytes) }
        digest = bytes.withUnsafeBytes { ChunkDigest(SHA256.hash(data: $0)) }
        self.chunks = chunks.indices
    }

    /// Concatenated digests of groups, 16 bytes each.
    package static func encode(_ groups: [ChunkGroup]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(groups.count * ChunkDigest.length)
        for group in groups { group.digest.append(to: &bytes) }
        return bytes
    }

    /// - Throws: ``DeltaError/truncated(_:)`` where the bytes are no whole number of digests.
    package static func decode(_ bytes: [UInt8]) throws(DeltaError) -> [ChunkDigest] {
        guard bytes.count.isMultiple(of: ChunkDigest.length) else { throw .truncated(.chunkGroups) }
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: ChunkDigest.length).map {
                ChunkDigest(bytes[part: $0..<$0 + ChunkDigest.length])
            }
        }
    }
}

extension ChunkList {
    /// Returns the chunk list of some groups.
    ///
    /// - Parameter runs: numbers of groups; nonexistent ones are omitted.
    package func list(ofGroups runs: [Range<UInt64>]) -> ChunkList {
        let groups = groups
        var list = ChunkList()
        for run in runs {
            for number in run.clamped(to: 0..<UInt64(groups.count)) {
                for chunk in chunks[groups[Int(number)].chunks] { list.append(chunk) }
            }
        }
        return list
    }

    /// The groups of the list, in order.
    package var groups: [ChunkGroup] {
        var groups: [ChunkGroup] = []
        var start = 0
        for (place, chunk) in chunks.enumerated() {
            let count = place + 1 - start
            let isLast = count == ChunkGroup.maximumCount || place == chunks.count - 1
            guard chunk.digest.endsGroup || isLast else { continue }
            groups.append(ChunkGroup(chunks[start..<place + 1]))
            start = place + 1
        }
        return groups
    }
}
