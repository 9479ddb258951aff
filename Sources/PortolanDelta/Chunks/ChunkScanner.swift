import Crypto

/// Makes the chunk list of content that comes in pieces.
package struct ChunkScanner {
    private var chunker: Chunker
    private var hash = SHA256()
    private var list = ChunkList()

    package init(_ table: GearTable) { chunker = Chunker(table) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let length = chunker.length
            guard let count = chunker.nextBoundary(in: rest) else {
                hash.update(bufferPointer: rest)
                return
            }
            hash.update(bufferPointer: rest[part: 0..<count])
            endChunk(length: length + count)
            rest = rest[part: count..<rest.count]
        }
    }

    package consuming func finish() -> ChunkList {
        if chunker.length > 0 { endChunk(length: chunker.length) }
        return list
    }

    private mutating func endChunk(length: Int) {
        list.append(Chunk(digest: ChunkDigest(hash.finalize()), length: length))
        hash = SHA256()
    }

    /// Makes the chunk list of content in memory.
    package static func scan(_ content: UnsafeRawBufferPointer, _ table: GearTable) -> ChunkList {
        var scanner = ChunkScanner(table)
        scanner.update(content)
        return scanner.finish()
    }
}
