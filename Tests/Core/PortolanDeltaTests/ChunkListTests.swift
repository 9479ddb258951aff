import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct ChunkListTests {
    private let list = chunkList(randomBytes(600_000, seed: 11))

    @Test("an encoded list is decoded to the same one, in any pieces")
    func roundTrip() throws {
        let encoded = list.encode()
        #expect(encoded.count == 1 + list.chunks.count * 19)
        #expect(try ChunkList(decoding: encoded) == list)
        #expect(try ChunkList(decoding: [0]) == ChunkList())
        for piece in [1, 2, 7, 18, 19, 20, 100] {
            var decoder = ChunkListDecoder()
            var rest = encoded[...]
            while !rest.isEmpty {
                let isComplete = decoder.isComplete
                #expect(!isComplete)
                try decoder.append(rest.prefix(piece))
                rest = rest.dropFirst(piece)
            }
            #expect(try decoder.finish() == list)
        }
    }

    @Test("a list that ends too early is refused, at each byte")
    func truncated() {
        let encoded = list.encode()
        for count in 0..<encoded.count {
            #expect(throws: DeltaError.truncated(.chunkList)) { try ChunkList(decoding: Array(encoded.prefix(count))) }
        }
        #expect(throws: DeltaError.trailing(.chunkList)) { try ChunkList(decoding: encoded + [0]) }
    }

    @Test("a list with flipped bits is refused or another list, which has one encoding")
    func flippedBits() {
        let encoded = list.encode()
        var refused = 0
        for bit in 0..<encoded.count * 8 {
            var damaged = encoded
            damaged[bit / 8] ^= 1 << (bit % 8)
            do {
                let decoded = try ChunkList(decoding: damaged)
                #expect(decoded != list)
                #expect(decoded.encode() == damaged)
            } catch { refused += 1 }
        }
        // At least all of the count, and a bit of each length.
        #expect(refused >= 8 + list.chunks.count - 1)
    }

    @Test("huge counts are refused before memory is taken for them")
    func hugeCounts() throws {
        var bytes: [UInt8] = []
        bytes.append(variableLength: UInt64.max)
        #expect(throws: DeltaError.tooManyChunks(.max)) { try ChunkList(decoding: bytes) }
        #expect(throws: DeltaError.tooManyChunks(3)) { try ChunkList(decoding: [3], limit: 2) }
        #expect(throws: DeltaError.malformedNumber(.chunkList)) {
            try ChunkList(decoding: [UInt8](repeating: 0xFF, count: 9) + [2])
        }
        #expect(throws: DeltaError.malformedNumber(.chunkList)) {
            try ChunkList(decoding: [UInt8](repeating: 0x80, count: 20))
        }
        #expect(throws: DeltaError.malformedNumber(.chunkList)) { try ChunkList(decoding: [0x80, 0]) }
        // The largest count by itself takes no memory for chunks.
        var decoder = ChunkListDecoder()
        bytes = []
        bytes.append(variableLength: UInt64(ChunkList.maximumCount))
        try decoder.append(bytes[...])
        #expect(throws: DeltaError.truncated(.chunkList)) { try decoder.finish() }
    }

    @Test("lengths that the chunker does not make are refused")
    func badLengths() {
        func encoded(_ lengths: [Int]) -> [UInt8] {
            [UInt8(lengths.count)]
                + lengths.flatMap { length in
                    [0, 8, 16].map { UInt8(truncatingIfNeeded: length >> $0) } + [UInt8](repeating: 1, count: 16)
                }
        }
        #expect(throws: Never.self) { try ChunkList(decoding: encoded([16384, 262_144, 1])) }
        for lengths in [[0], [16383, 1], [262_145], [16384, 0], [1, 16384], [0xFF_FFFF, 16384]] {
            #expect(throws: DeltaError.badChunkLength(lengths.first { !(16384...262_144 ~= $0) } ?? 0)) {
                try ChunkList(decoding: encoded(lengths))
            }
        }
    }
}
