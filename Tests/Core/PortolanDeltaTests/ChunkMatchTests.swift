import TestSupport
import Testing

@testable import PortolanDelta

@Suite struct ChunkMatchTests {
    /// A list with a chunk for each number: equal ones for equal numbers.
    private func list(_ numbers: [Int], length: Int = 65536) -> ChunkList {
        var chunks: [Int: Chunk] = [:]
        var list = ChunkList()
        for number in numbers {
            let chunk =
                chunks[number]
                ?? Chunk(
                    digest: withUnsafeBytes(of: (UInt64(number), UInt64(0))) { ChunkDigest($0) }, length: length)
            chunks[number] = chunk
            list.append(chunk)
        }
        return list
    }

    private func offset(_ chunk: Int) -> UInt64 { UInt64(chunk) * 65536 }

    private func copy(_ chunks: Range<Int>) -> ChunkMatch.Segment {
        .copy(base: offset(chunks.lowerBound)..<offset(chunks.upperBound))
    }

    @Test("equal lists are one copy; lists without anything in common one changed range")
    func extremes() throws {
        let base = list(Array(0..<20))
        #expect(ChunkMatch(new: base, base: base).segments == [copy(0..<20)])
        #expect(ChunkMatch(new: ChunkList(), base: base).segments.isEmpty)
        let other = ChunkMatch(new: list(Array(100..<120)), base: base)
        #expect(other.segments.count == 1 && other.copiedLength == 0 && other.changedLength == offset(20))
        let changed = try #require(changedRanges(other).first)
        #expect(changed.range == 0..<offset(20))
        #expect(changed.requests.map(\.base) == [0..<offset(20)])
        let first = changedRanges(ChunkMatch(new: base, base: ChunkList()))
        #expect(first.map(\.range) == [0..<offset(20)] && first.allSatisfy { $0.requests.isEmpty })
    }

    private func changedRanges(_ match: ChunkMatch) -> [ChangedRange] {
        match.segments.compactMap { if case .changed(let changed) = $0 { changed } else { nil } }
    }

    @Test("a changed range is compared with the base between its neighbours")
    func gap() {
        let base = list(Array(0..<20))
        let middle = ChunkMatch(new: list(Array(0..<5) + [100] + Array(6..<20)), base: base)
        #expect(middle.segments.count == 3)
        #expect(middle.segments.first == copy(0..<5) && middle.segments.last == copy(6..<20))
        #expect(changedRanges(middle).map(\.range) == [offset(5)..<offset(6)])
        #expect(changedRanges(middle).flatMap(\.requests).map(\.base) == [offset(5)..<offset(6)])

        let ends = ChunkMatch(new: list([100] + Array(1..<19) + [101, 102]), base: base)
        #expect(changedRanges(ends).flatMap(\.requests).map(\.base) == [0..<offset(1), offset(19)..<offset(20)])

        // Between neighbours that are adjacent in the base, there is nothing to compare with.
        let inserted = ChunkMatch(new: list(Array(0..<5) + [100] + Array(5..<20)), base: base)
        #expect(changedRanges(inserted).map(\.requests) == [[]])
    }

    @Test("of a long gap, the ends are compared")
    func longGap() {
        let base = list(Array(0..<1000))
        let match = ChunkMatch(new: list([0, 5000, 999]), base: base)
        let requests = changedRanges(match).flatMap(\.requests)
        #expect(requests.map(\.base) == [offset(1)..<offset(3), offset(997)..<offset(999)])
    }

    @Test("chunks that have changed places are compared with both former neighbours")
    func moved() {
        let base = list(Array(0..<20))
        let match = ChunkMatch(new: list(Array(10..<20) + [100] + Array(0..<10)), base: base)
        #expect(match.segments.first == copy(10..<20) && match.segments.last == copy(0..<10))
        // The first range has no successor, and the other no predecessor.
        #expect(changedRanges(match).map(\.requests) == [[]])
        let inner = ChunkMatch(new: list([10, 11, 100, 4, 5]), base: base)
        #expect(
            changedRanges(inner).flatMap(\.requests).map(\.base) == [offset(12)..<offset(14), offset(2)..<offset(4)])
    }

    @Test("requests as they are asked ascend by whole blocks, and no byte is in two")
    func ascending() {
        func bases(_ match: ChunkMatch, _ size: UInt64) -> [Range<UInt64>] {
            match.ascending(in: size).flatMap { segment -> [Range<UInt64>] in
                if case .changed(let changed) = segment { changed.requests.map(\.base) } else { [] }
            }
        }
        // Of two windows in the wrong order one remains.
        let twenty = list(Array(0..<20))
        let inner = ChunkMatch(new: list([10, 11, 100, 4, 5, 101, 7, 8, 102, 10]), base: twenty)
        #expect(bases(inner, twenty.size) == [offset(2)..<offset(4), offset(6)..<offset(7), offset(9)..<offset(10)])
        let base = list(Array(0..<400))
        let long = bases(ChunkMatch(new: list(Array(1000..<1300)), base: base), base.size)
        #expect(long.count == 5 && long.first?.lowerBound == 0 && long.last?.upperBound == offset(400))
        #expect(zip(long, long.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let length = 16_384 + random.upTo(100_000)
            let base = list((0..<random.upTo(400)).map { _ in random.upTo(300) }, length: length)
            let new = list((0..<random.upTo(400)).map { _ in random.upTo(600) }, length: length)
            var asked: UInt64 = 0
            for range in bases(ChunkMatch(new: new, base: base), base.size) {
                #expect(range.lowerBound >= asked && range.upperBound <= base.size, "seed \(seed)")
                #expect(range.lowerBound.isMultiple(of: 1024), "seed \(seed)")
                #expect(range.upperBound.isMultiple(of: 1024) || range.upperBound == base.size, "seed \(seed)")
                asked = range.upperBound
            }
        }
    }

    @Test("long changed ranges are divided, and each part is compared with its share of the base")
    func longRange() {
        let base = list(Array(0..<400))
        let match = ChunkMatch(new: list(Array(1000..<1300)), base: base)
        let ranges = changedRanges(match)
        #expect(ranges.count == 5)
        #expect(ranges.first?.range.lowerBound == 0 && ranges.last?.range.upperBound == offset(300))
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
        #expect(ranges.allSatisfy { $0.requests.count == 1 && $0.range.count <= ChangedRange.maximumLength })
        let bases = ranges.flatMap(\.requests).map(\.base)
        #expect(bases.first?.lowerBound == 0 && bases.last?.upperBound == offset(400))
        #expect(zip(bases, bases.dropFirst()).allSatisfy { $0.upperBound > $1.lowerBound })
    }

    @Test("a long stretch where little or much was before is compared at its ends", arguments: [1, 4000])
    func longInsertion(replaced: Int) {
        let base = list(Array(0..<5000))
        let new = Array(0..<500) + Array(10_000..<10_300) + Array(500 + replaced..<5000)
        let ranges = changedRanges(ChunkMatch(new: list(new), base: base))
        #expect(ranges.count == 5)
        #expect(ranges.dropFirst().dropLast().allSatisfy { $0.requests.isEmpty })
        #expect(ranges.first?.requests.first?.base.lowerBound == offset(500))
        #expect(ranges.last?.requests.last?.base.upperBound == offset(500 + replaced))
    }

    @Test("any two lists give a match that makes up the new content")
    func anyLists() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let kinds = 1 + random.upTo(30)
            let base = (0..<random.upTo(400)).map { _ in random.upTo(kinds) }
            let new = (0..<random.upTo(400)).map { _ in random.upTo(kinds + random.upTo(1) * 50) }
            let (baseList, newList) = (list(base), list(new))
            let match = ChunkMatch(new: newList, base: baseList)
            var at: UInt64 = 0
            for segment in match.segments {
                switch segment {
                case .copy(let range):
                    let chunks = Int(range.lowerBound / 65536)..<Int(range.upperBound / 65536)
                    let position = Int(at / 65536)
                    #expect(Array(base[chunks]) == Array(new[position..<position + chunks.count]), "seed \(seed)")
                    at += UInt64(range.count)
                case .changed(let changed):
                    #expect(changed.range.lowerBound == at, "seed \(seed)")
                    #expect(changed.requests.allSatisfy { $0.base.upperBound <= baseList.size }, "seed \(seed)")
                    at = changed.range.upperBound
                }
            }
            #expect(at == newList.size && match.copiedLength + match.changedLength == at, "seed \(seed)")
        }
    }

    @Test("of equal chunks, the one behind the copy before is taken, else the next one")
    func repetitions() {
        let base = list([0, 1, 0, 2, 0, 3, 0, 4])
        #expect(ChunkMatch(new: base, base: base).segments == [copy(0..<8)])
        #expect(ChunkMatch(new: list([0, 2, 0, 3]), base: base).segments == [copy(0..<1), copy(3..<6)])
        let edited = ChunkMatch(new: list([0, 1, 100, 0, 3]), base: base)
        #expect(edited.segments.suffix(2) == [copy(2..<3), copy(5..<6)])
    }

    @Test("equal chunks cost linear time", arguments: [1000, 4000, 16000])
    func equalChunks(count: Int) {
        let same = list(Array(repeating: 0, count: count))
        let longer = list(Array(repeating: 0, count: 2 * count))
        #expect(ChunkMatch(new: longer, base: same).steps <= 8 * count)
        #expect(ChunkMatch(new: same, base: longer).segments.count == 1)
        // The copy breaks off at each second chunk.
        let broken = ChunkMatch(new: list((0..<count).map { $0.isMultiple(of: 2) ? 0 : $0 }), base: same)
        #expect(broken.copiedLength == offset(count / 2))
        #expect(broken.steps <= 20 * count)
    }
}
