import TestSupport
import Testing

@testable import PortolanDelta

/// Whole updates: the new version is built exactly, and the network traffic stays in proportion to the edit.
@Suite(.aside) struct ExchangeTests {
    private static let large = randomBytes(64 << 20, seed: 64)

    private enum Edit: CaseIterable { case insert, delete, overwrite, move, repetition, zeros }

    private static func edit(_ content: inout [UInt8], _ random: inout SeededGenerator) {
        let start = random.upTo(content.count)
        let length = random.upTo([10, 5000, 300_000][random.upTo(2)])
        let range = start..<min(start + length, content.count)
        switch Edit.allCases.randomElement(using: &random)! {
        case .insert: content.insert(contentsOf: randomBytes(length, seed: random.next()), at: start)
        case .delete: content.removeSubrange(range)
        case .overwrite: content.replaceSubrange(range, with: randomBytes(range.count, seed: random.next()))
        case .move:
            let moved = content[range]
            content.removeSubrange(range)
            content.insert(contentsOf: moved, at: random.upTo(content.count))
        case .repetition: content.insert(contentsOf: content[range], at: random.upTo(content.count))
        case .zeros: content.replaceSubrange(range, with: [UInt8](repeating: 0, count: length))
        }
    }

    @Test("any edits are rebuilt")
    func anyEdits() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<40 {
            let base = randomBytes(random.upTo([0, 3000, 3_000_000][min(round, random.upTo(2))]), seed: random.next())
            var new = base
            for _ in 0..<random.upTo(12) { Self.edit(&new, &random) }
            let exchange = try Exchange(from: base, to: new)
            #expect(exchange.isRebuilt, "round \(round), seed \(seed)")
            #expect(exchange.cost <= new.count * 3 / 2 + 100, "round \(round), seed \(seed)")
            #expect(exchange.work.positions <= 3 * new.count + 1000, "round \(round), seed \(seed)")
        }
    }

    @Test("a few small edits cost a few kilobytes each")
    func smallEdits() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let base = randomBytes(4 << 20, seed: seed)
        for _ in 0..<10 {
            var new = base
            let count = 1 + random.upTo(4)
            for _ in 0..<count {
                let at = random.upTo(new.count - 100)
                if random.upTo(1) == 0 {
                    new.replaceSubrange(at..<at + 8, with: randomBytes(8, seed: random.next()))
                } else {
                    new.insert(contentsOf: randomBytes(1 + random.upTo(20), seed: random.next()), at: at)
                }
            }
            let exchange = try Exchange(from: base, to: new)
            #expect(exchange.isRebuilt, "seed \(seed)")
            // An edit beside a boundary changes two chunks, sometimes three, of at most 256 KiB.
            #expect(exchange.cost <= 100 + count * 7500, "\(exchange.cost) for \(count), seed \(seed)")
        }
    }

    @Test("a byte inserted in 64 MiB costs less than 4 KB", arguments: [0, 1, 31_000_007, 64 << 20])
    func insertedByteCostsOneChunk(at: Int) throws {
        var new = Self.large
        new.insert(0x5A, at: at)
        let exchange = try Exchange(from: Self.large, to: new)
        #expect(exchange.isRebuilt)
        #expect(exchange.cost <= 4096, "\(exchange.cost)")
    }

    @Test("eight bytes overwritten in 64 MiB cost less than 4 KB")
    func eightBytesOverwritten() throws {
        var new = Self.large
        new.replaceSubrange(20_000_000..<20_000_008, with: [1, 2, 3, 4, 5, 6, 7, 8])
        let exchange = try Exchange(from: Self.large, to: new)
        #expect(exchange.isRebuilt)
        #expect(exchange.cost <= 4096, "\(exchange.cost)")
    }

    @Test("3 MB appended cost hardly more")
    func appended() throws {
        let exchange = try Exchange(from: Self.large, to: Self.large + randomBytes(3_000_000, seed: 1))
        #expect(exchange.isRebuilt)
        #expect(3_000_000...3_005_000 ~= exchange.cost, "\(exchange.cost)")
    }

    @Test("a megabyte that moves costs some kilobytes at each end")
    func moved() throws {
        let base = randomBytes(8 << 20, seed: 2)
        let moved = base[2_000_000..<3_000_000]
        let new = Array(base[..<2_000_000]) + base[3_000_000..<6_000_000] + moved + base[6_000_000...]
        let exchange = try Exchange(from: base, to: new)
        #expect(exchange.isRebuilt)
        #expect(exchange.cost <= 30_000, "\(exchange.cost)")
    }

    @Test("a change of pages of 4 KiB costs about a page for each", arguments: [1, 100])
    func pages(count: Int) throws {
        var new = Self.large
        var random = SeededGenerator(seed: 3)
        // A change of a row, and the counter of changes in the first page.
        for page in [0] + (0..<count).map({ _ in random.upTo(16382) + 1 }) {
            let at = page * 4096 + (page == 0 ? 24 : random.upTo(3000))
            new.replaceSubrange(
                at..<at + (page == 0 ? 4 : 200), with: randomBytes(page == 0 ? 4 : 200, seed: random.next()))
        }
        let exchange = try Exchange(from: Self.large, to: new)
        #expect(exchange.isRebuilt)
        #expect(exchange.cost <= 4096 * (count + 1), "\(exchange.cost)")
    }

    @Test("a word replaced everywhere is found although no chunk is left")
    func replacedEverywhere() throws {
        var (base, new): ([UInt8], [UInt8]) = ([], [])
        for line in 0..<6000 as Range<UInt64> {
            let text = randomBytes(1500, seed: line)
            base += text
            new += text + [UInt8(truncatingIfNeeded: line), 2, 3]
        }
        let exchange = try Exchange(from: base, to: new)
        #expect(exchange.isRebuilt)
        #expect(exchange.match.copiedLength == 0)
        #expect(exchange.cost < new.count * 9 / 10, "\(exchange.cost)")
    }
}
