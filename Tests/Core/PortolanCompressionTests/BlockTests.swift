import TestSupport
import Testing

@testable import PortolanCompression

@Suite struct BlockTests {
    @Test(
        "a compressed block expands to its bytes, one block after the other with the same memory",
        arguments: [256, 1000, 4096, 65_537, 128 << 10, 256 << 10, 1_000_003, 1 << 20])
    func roundTrip(count: Int) throws {
        let compressor = Packing()
        let expander = Expanding()
        var blocks = [[UInt8](repeating: 0, count: count)]
        // Very short texts have no repetitions yet.
        if count > 100 { blocks += [Sample.log(count, seed: 1), Sample.log(count, seed: 2)] }
        for block in blocks {
            let frame = try #require(compressor.frame(of: block))
            #expect(frame.count <= BlockLimits.packed(count))
            #expect(try expander.content(of: frame, count: count) == block)
        }
    }

    @Test("mixtures of all kinds and lengths survive")
    func mixtures() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let compressor = Packing()
        let expander = Expanding()
        var packed = 0
        for _ in 0..<60 {
            var block: [UInt8] = [1]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let count = Int.random(in: 1...50_000, using: &random)
                switch random.next() % 4 {
                case 0: block += Sample.random(count, seed: random.next())
                case 1: block += Sample.log(count, seed: random.next())
                case 2: block += [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count)
                default: block += block.shuffled(using: &random).prefix(count)
                }
            }
            guard let frame = compressor.frame(of: block) else { continue }
            packed += 1
            #expect(try expander.content(of: frame, count: block.count) == block, "seed \(seed)")
        }
        #expect(packed > 0, "seed \(seed)")
    }

    @Test("a block that does not get smaller by a sixteenth is left as it is, and the next block is none the worse")
    func leavesIncompressibleBlocks() throws {
        let compressor = Packing()
        #expect(compressor.frame(of: Sample.random(1 << 18, seed: 3)) == nil)
        #expect(compressor.frame(of: Sample.random(250_000, seed: 3) + [UInt8](repeating: 0, count: 10_000)) == nil)
        #expect(compressor.frame(of: Sample.random(200_000, seed: 3) + [UInt8](repeating: 0, count: 60_000)) != nil)
        #expect(compressor.frame(of: [7]) == nil)
        let log = Sample.log(1 << 18, seed: 4)
        let frame = try #require(compressor.frame(of: log))
        #expect(try Expanding().content(of: frame, count: log.count) == log)
    }

    @Test("a glance tells text from noise, wherever the text begins")
    func glances() {
        let compressor = Packing()
        func looks(_ block: [UInt8]) -> Bool {
            var scratch = [UInt8](repeating: 0, count: BlockLimits.packed(block.count))
            return block.withUnsafeBytes { block in
                scratch.withUnsafeMutableBytes { compressor.compressor.seemsWorthwhile(block, scratch: $0) }
            }
        }
        let noise = Sample.random(1 << 17, seed: 5)
        let text = Sample.log(1 << 17, seed: 6)
        #expect(!looks(noise + noise))
        #expect(looks(text + text))
        #expect(looks(noise + text))
        #expect(looks(text + noise))
    }
}
