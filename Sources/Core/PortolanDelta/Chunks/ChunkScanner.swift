import PortolanCrypto

/// Makes the chunk list of content that comes in pieces.
package struct ChunkScanner {
    private var chunker: Chunker
    private let digest: KeyedDigest
    private var list = ChunkList()
    /// Bytes of the current chunk from earlier pieces: a digest needs a chunk in one piece.
    private var beginning: [UInt8] = []

    /// - Parameter key: 32 bytes, on which boundaries and digests depend.
    package init(key: [UInt8]) {
        chunker = Chunker(GearTable(key: key))
        digest = KeyedDigest(key: key)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            guard let count = chunker.nextBoundary(in: rest) else {
                beginning.append(contentsOf: rest)
                return
            }
            endChunk(with: rest[part: 0..<count])
            rest = rest[part: count..<rest.count]
        }
    }

    package consuming func finish() -> ChunkList {
        if chunker.length > 0 { endChunk(with: UnsafeRawBufferPointer(start: nil, count: 0)) }
        return list
    }

    private mutating func endChunk(with end: UnsafeRawBufferPointer) {
        guard !beginning.isEmpty else { return append(end) }
        beginning.append(contentsOf: end)
        beginning.withUnsafeBytes { append($0) }
        beginning.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ chunk: UnsafeRawBufferPointer) {
        let found = digest.digest(of: chunk).withUnsafeBytes { ChunkDigest($0) }
        list.append(Chunk(digest: found, length: chunk.count))
    }

    /// Makes the chunk list of content in memory.
    package static func scan(_ content: UnsafeRawBufferPointer, key: [UInt8]) -> ChunkList {
        var scanner = ChunkScanner(key: key)
        scanner.update(content)
        return scanner.finish()
    }
}
