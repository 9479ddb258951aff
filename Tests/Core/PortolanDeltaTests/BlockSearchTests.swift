import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct BlockSearchTests {
    /// Two blocks of 1024 bytes whose weak sums are equal under any key, as those of a Thue-Morse sequence and its
    /// complement are modulo 2^64.
    private static let equalWeakSums: ([UInt8], [UInt8]) = {
        let sequence = (0..<1024).map { UInt8($0.nonzeroBitCount & 1) }
        return (sequence.map { 65 + $0 }, sequence.map { 66 - $0 })
    }()

    private func literal(_ range: Range<UInt64>) -> DeltaOperation { .literal(range) }

    private func search(
        _ signatures: [BlockSignature], _ content: [UInt8]
    ) -> (operations: [DeltaOperation], work: BlockSearch.Work) {
        var work = BlockSearch.Work()
        let found = operations(BlockSearch(signatures, sums), content, &work)
        return (found, work)
    }

    @Test("blocks are found at any position, and the rest at the end")
    func found() throws {
        let base = randomBytes(1000, seed: 1)
        let inserted = randomBytes(100, seed: 2)
        let signature = try signature(base, at: 5000)
        #expect(search([signature], base).operations == [.copy(base: 5000..<6000)])
        #expect(
            search([signature], inserted + base).operations == [.literal(0..<100), .copy(base: 5000..<6000)])
        #expect(
            search([signature], base[..<300] + inserted + base[300...]).operations
                == [.copy(base: 5000..<5256), .literal(256..<612), .copy(base: 5512..<6000)])
        #expect(search([signature], Array(base.suffix(232))).operations == [.copy(base: 5768..<6000)])
        #expect(search([signature], Array(base.suffix(231))).operations == [.literal(0..<231)])
        #expect(search([signature], []).operations == [])
        #expect(search([], base).operations == [.literal(0..<1000)])
    }

    @Test("literals that one signature leaves are searched with the next one")
    func twoSignatures() throws {
        let (first, second) = (randomBytes(1024, seed: 1), randomBytes(1024, seed: 2))
        let between = randomBytes(50, seed: 3)
        let signatures = [try signature(first), try signature(second, at: 9000)]
        #expect(
            search(signatures, first + between + second).operations
                == [.copy(base: 0..<1024), .literal(1024..<1074), .copy(base: 9000..<10024)])
        #expect(
            search(signatures, second + between + first).operations
                == [.copy(base: 9000..<10024), .literal(1024..<1074), .copy(base: 0..<1024)])
    }

    @Test("of equal blocks, the one behind the match before is taken")
    func repetitions() throws {
        let parts = (0..<4).map { randomBytes(256, seed: $0) }
        let base = [0, 1, 0, 2, 0, 3].flatMap { parts[$0] }
        #expect(search([try signature(base)], base).operations == [.copy(base: 0..<1536)])
        #expect(
            search([try signature(base)], [9] + base).operations == [.literal(0..<1), .copy(base: 0..<1536)])
    }

    @Test("blocks with equal weak sums are told apart by their strong sums")
    func equalWeakSums() throws {
        let (a, b) = Self.equalWeakSums
        #expect(a != b)
        for key in 0..<8 as Range<UInt8> {
            let sums = BlockSums(key: [UInt8](repeating: key, count: 32))
            #expect(a.withUnsafeBytes { sums.rolling($0) } == b.withUnsafeBytes { sums.rolling($0) })
        }
        let (blockA, blockB) = (try signature(a, blockSize: 1024), try signature(b, blockSize: 1024))
        let wrong = search([blockB], a)
        #expect(wrong.operations == [.literal(0..<1024)])
        #expect(wrong.work.failures == 1)
        #expect(search([blockA], a).operations == [.copy(base: 0..<1024)])
        let both = try signature(b + a + b + a, blockSize: 1024)
        #expect(search([both], a + a + b).operations == [.copy(base: 1024..<2048), .copy(base: 1024..<3072)])
    }

    @Test("strong sums that a receiver makes collide leave its file unchanged")
    func forgedStrongSums() throws {
        let base = randomBytes(300_000, seed: 1)
        var new = base
        for at in stride(from: 5000, to: new.count, by: 40_000) { new[at] ^= 1 }
        let honest = try Exchange(from: base, to: new)
        #expect(honest.isRebuilt)
        // The receiver claims that its base has the new bytes already.
        let forged = try Exchange(from: base, to: new) { request, _ in
            let range = Int(request.base.lowerBound)..<Int(request.base.upperBound)
            return new[range].withUnsafeBytes { BlockSignature(of: $0, for: request, sums) }.encode()
        }
        #expect(forged.rebuilt == base && !forged.isRebuilt)
    }

    @Test("a signature whose weak sums meet every position costs work in proportion to the content")
    func hostileSignature() throws {
        for count in [100_000, 400_000, 1_600_000] {
            // Each window of the content has the weak sum of each block, and none has its strong sum.
            let content = [UInt8](repeating: 7, count: count)
            let request = try SignatureRequest(
                base: 0, length: 1 << 20, blockSize: 1024, strongLength: 4, baseSize: 1 << 20)
            let weak = content.withUnsafeBytes { sums.weak($0[part: 0..<1024]) }
            let strong = content.withUnsafeBytes { sums.strong($0[part: 0..<1024], length: 4) }
            var bytes: [UInt8] = []
            for block in 0..<1024 as Range<UInt64> {
                for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: weak >> shift)) }
                let other = strong &+ 1 &+ block
                for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: other >> shift)) }
            }
            let hostile = try BlockSignature(decoding: bytes, for: request)
            let result = search([hostile, hostile], content)
            #expect(result.operations == [.literal(0..<UInt64(count))])
            // For each of both signatures.
            #expect(result.work.strongSums <= 2 * (64 + 4 * (count / 1024)))
            #expect(result.work.positions <= 2 * count)
            // A look-up meets few of these blocks.
            let index = BlockIndex(hostile.blocks)
            let met = hostile.blocks.filter { index.first($0) != nil }
            #expect(met.count == BlockIndex.candidates)
        }
    }

    @Test("runs of one byte cost linear time", arguments: [100_000, 400_000, 1_600_000])
    func runs(count: Int) throws {
        let run = [UInt8](repeating: 0, count: count)
        let signature = try signature(run)
        for content in [run, run + [1] + run, [UInt8](repeating: 1, count: count)] {
            let (found, work) = search([signature], content)
            #expect(work.positions <= content.count)
            #expect(work.strongSums <= content.count / 256 + 2)
            #expect(found.count <= 5)
        }
    }

    @Test("periodic content costs linear time", arguments: [2, 3, 255, 256, 257, 1000])
    func periods(length: Int) throws {
        let period = randomBytes(length, seed: 4)
        let base = Array(Array(repeating: period, count: 300_000 / length).joined())
        var new = base
        for at in stride(from: 100, to: new.count, by: 1777) { new[at] &+= 1 }
        let (found, work) = search([try signature(base)], new)
        #expect(work.positions <= 2 * new.count)
        #expect(work.failures == 0)
        #expect(work.strongSums <= new.count / 256 + 2)
        let copied = found.reduce(0) { if case .copy(let range) = $1 { $0 + range.count } else { $0 } }
        #expect(copied > new.count / 2)
    }

    @Test("many wrong candidates in both signatures leave literals that make up the content")
    func anyContent() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let (a, b) = Self.equalWeakSums
        for _ in 0..<200 {
            func content() -> [UInt8] {
                (0..<random.upTo(30)).flatMap { _ in
                    switch random.upTo(3) {
                    case 0: a
                    case 1: b
                    case 2: [UInt8](repeating: 0, count: random.upTo(2000))
                    default: randomBytes(random.upTo(1500), seed: UInt64(random.upTo(5)))
                    }
                }
            }
            let (base, other, new) = ([1] + content(), [2] + content(), content())
            let signatures = [
                try signature(base, blockSize: 1024), try signature(other, blockSize: 256, at: UInt64(base.count)),
            ]
            let all = base + other
            let built = search(signatures, new).operations.flatMap { operation in
                switch operation {
                case .copy(let range): all[Int(range.lowerBound)..<Int(range.upperBound)]
                case .literal(let range): new[Int(range.lowerBound)..<Int(range.upperBound)]
                }
            }
            #expect(built == new, "seed \(seed)")
        }
    }
}
