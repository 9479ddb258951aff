import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

@Suite(.aside) struct ComingRangesTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func agreesWithASetOfBytes(seed: UInt64) {
        withSeed(0xC0_0000 + seed) { random in
            for _ in 0..<200 {
                var coverage = ByteRanges()
                var bytes: Set<UInt64> = []
                for _ in 0..<40 {
                    let start = UInt64(random.below(64))
                    let range = start..<(start + 1 + UInt64(random.below(8)))
                    if bytes.isDisjoint(with: range) {
                        try coverage.add(range)
                        bytes.formUnion(range)
                    } else {
                        let before = coverage
                        #expect(violation { try coverage.add(range) } == .unexpected)
                        #expect(coverage == before)
                    }
                    #expect(coverage.total == UInt64(bytes.count))
                    #expect(coverage.ranges.flatMap { Array($0) } == bytes.sorted())
                    #expect(
                        zip(coverage.ranges, coverage.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                }
            }
        }
    }

    @Test func unionCoversBothSets() {
        withSeed(0xC0_1000) { random in
            for _ in 0..<2000 {
                var coverages = (ByteRanges(), ByteRanges())
                var bytes: Set<UInt64> = []
                for _ in 0..<random.below(12) {
                    let start = UInt64(random.below(20))
                    let range = start..<(start + 1 + UInt64(random.below(6)))
                    do {
                        if random.chance(2) { try coverages.0.add(range) } else { try coverages.1.add(range) }
                        bytes.formUnion(range)
                    } catch is ProtocolViolation {}
                }
                let size = UInt64(random.below(24))
                #expect(coverages.0.covers(size, with: coverages.1) == bytes.isSuperset(of: 0..<size))
            }
        }
    }

    @Test func numberOfPartsIsBounded() throws {
        var coverage = ByteRanges()
        for part in 0..<4096 { try coverage.add(UInt64(part * 2)..<UInt64(part * 2 + 1)) }
        #expect(violation { try coverage.add(9000..<9001) } == .limit)
        // A range that joins two others frees a place.
        try coverage.add(1..<2)
        try coverage.add(9000..<9001)
    }
}
