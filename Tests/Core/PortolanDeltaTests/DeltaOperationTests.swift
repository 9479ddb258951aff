import Testing

@testable import PortolanDelta

@Suite struct DeltaOperationTests {
    @Test("neighbours become one operation")
    func merging() {
        var merger = OperationMerger()
        #expect(merger.add(.copy(base: 0..<10)) == nil)
        #expect(merger.add(.copy(base: 10..<15)) == nil)
        #expect(merger.add(.copy(base: 10..<10)) == nil)
        #expect(merger.add(.copy(base: 16..<20)) == .copy(base: 0..<15))
        #expect(merger.add(.literal(19..<20)) == .copy(base: 16..<20))
        #expect(merger.add(.literal(20..<25)) == nil)
        #expect(merger.finish() == .literal(19..<25))
        #expect(merger.finish() == nil)
    }
}
