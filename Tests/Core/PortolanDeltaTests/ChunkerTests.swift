import Crypto
import PortolanCrypto
import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct ChunkerTests {
    @Test("chunks, table and list are those of another implementation")
    func vectors() throws {
        for vector in try Vectors.objects("chunking", "chunkings") {
            let (comment, size) = (try vector.text("comment"), try vector.number("size"))
            let key = try vector.bytes("key")
            let table = GearTable(key: key)
            let content =
                vector.has("seed")
                ? randomBytes(size, seed: try vector.long("seed"))
                : [UInt8](repeating: UInt8(try vector.number("byte")), count: size)
            let list = content.withUnsafeBytes { ChunkScanner.scan($0, key: key) }
            #expect(list.chunks.map(\.length) == (try vector.numbers("lengths")), "\(comment)")
            // The vector names a list by SHA-256 of this text and of the encoded list.
            let root = Array(SHA256.hash(data: Array("Portolan chunk list".utf8) + list.encode()))
            #expect(root == (try vector.bytes("root")), "\(comment)")
            #expect(table.entries[0] == UInt64(try vector.text("gear_first"), radix: 16), "\(comment)")
            #expect(table.entries[255] == UInt64(try vector.text("gear_last"), radix: 16), "\(comment)")
        }
    }

    @Test("any pieces of content make the same chunks")
    func pieces() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let content = randomBytes(1 << 20, seed: seed)
        let expected = chunkList(content)
        for round in 0..<20 {
            var scanner = ChunkScanner(key: key)
            var rest = content[...]
            while !rest.isEmpty {
                // Small pieces in the first rounds, so that each part of a chunk meets the end of a piece.
                let count = round < 2 ? 1 + random.upTo(200) : random.upTo(100_000)
                rest.prefix(count).withUnsafeBytes { scanner.update($0) }
                rest = rest.dropFirst(count)
            }
            let list = scanner.finish()
            #expect(list == expected, "seed \(seed)")
        }
    }

    @Test("pieces of one byte make the same chunks")
    func singleBytes() {
        let content = randomBytes(200_000, seed: 7)
        var scanner = ChunkScanner(key: key)
        content.withUnsafeBytes { bytes in
            for at in bytes.indices { scanner.update(bytes[part: at..<at + 1]) }
        }
        let list = scanner.finish()
        #expect(list == chunkList(content))
    }

    @Test("lengths lie between the limits, and have the mean that is aimed at")
    func lengths() {
        let seed = testSeed()
        let lengths = chunkList(randomBytes(64 << 20, seed: seed)).chunks.dropLast().map(\.length)
        #expect(lengths.allSatisfy { ChunkSizes.minimum...ChunkSizes.maximum ~= $0 }, "seed \(seed)")
        let mean = lengths.reduce(0, +) / lengths.count
        #expect(60 << 10...68 << 10 ~= mean, "\(mean), seed \(seed)")
    }

    @Test("a small edit changes at most a few chunks", arguments: [0, 1, 100, 5000])
    func stability(inserted: Int) {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let content = randomBytes(8 << 20, seed: seed)
        let before = Set(chunkList(content).chunks)
        for _ in 0..<10 {
            var edited = content
            let at = random.upTo(content.count - 100)
            edited.replaceSubrange(at..<at + (inserted == 0 ? 50 : 0), with: randomBytes(inserted, seed: random.next()))
            let changed = chunkList(edited).chunks.filter { !before.contains($0) }
            // Most change one or two of 128; where cuts are found again is chance.
            #expect(1...16 ~= changed.count, "at \(at), seed \(seed)")
        }
    }

    @Test("the digest is that of the bytes of each chunk")
    func digests() {
        let content = randomBytes(1 << 20, seed: 3)
        let keyed = KeyedDigest(key: key)
        var start = 0
        for chunk in chunkList(content).chunks {
            let part = Array(content[start..<start + chunk.length])
            var bytes: [UInt8] = []
            chunk.digest.append(to: &bytes)
            #expect(bytes == part.withUnsafeBytes { keyed.digest(of: $0) })
            start += chunk.length
        }
        #expect(start == content.count)
    }
}
