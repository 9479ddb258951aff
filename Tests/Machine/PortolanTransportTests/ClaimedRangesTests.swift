import Testing

@testable import PortolanTransport

@Suite("Progress of kept ranges")
struct ClaimedRangesTests {
    @Test("Claimed blocks before new content count as kept, once, and those that content replaces do not.")
    func passing() {
        let block: UInt64 = 256 << 10
        var ranges = ClaimedRanges([0..<4, 6..<8, 10..<11])
        #expect(ranges.pass(4 * block..<4 * block + 10) == 4 * block)
        #expect(ranges.pass(4 * block + 10..<5 * block) == 0)
        // Block 6 differs, and comes in two pieces; block 7 agrees.
        #expect(ranges.pass(6 * block..<6 * block + 10) == 0)
        #expect(ranges.pass(6 * block + 10..<7 * block) == 0)
        #expect(ranges.pass(8 * block..<12 * block) == block)
        #expect(ranges.pass(20 * block..<21 * block) == 0)
        #expect(ranges.kept == 5 * block)
    }
}
