import PortolanValues
import TestSupport
import Testing

@Suite struct ByteRangesTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func rangesAgreeWithASetOfBytes(seed: UInt64) {
        var random = SeededGenerator(seed: 0xB7_0000 + seed)
        for _ in 0..<200 {
            var (ranges, bytes) = (ByteRanges(), Set<UInt64>())
            for _ in 0..<40 {
                let start = UInt64.random(in: 0..<64, using: &random)
                let range = start..<(start + UInt64.random(in: 0..<8, using: &random))
                #expect(ranges.overlaps(range) == !bytes.isDisjoint(with: range))
                #expect(ranges.contains(range) == bytes.isSuperset(of: range))
                ranges.insert(range)
                bytes.formUnion(range)
                #expect(ranges.total == UInt64(bytes.count))
                #expect(ranges.ranges.flatMap { Array($0) } == bytes.sorted())
                #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            }
            let end = UInt64.random(in: 0..<80, using: &random)
            #expect(ranges.clamped(to: end).ranges.flatMap { Array($0) } == bytes.filter { $0 < end }.sorted())
        }
    }
}
