import Testing

@testable import PortolanProtocol
@testable import PortolanTransport

@Suite("The pieces of a large file")
struct RangeCursorTests {
    private static let block = RangeCursor.block

    @Test("cover it in order, in blocks, where nothing is claimed")
    func covers() {
        let size = 3 * Self.block + 17
        var cursor = RangeCursor(size: size, isClaimed: false)
        var pieces: [Range<UInt64>] = []
        while case .data(let range) = cursor.next({ _ in .data(until: size) }) { pieces.append(range) }
        #expect(pieces.map(\.lowerBound) == [0, 1, 2, 3].map { $0 * Self.block })
        #expect(pieces.last?.upperBound == size)
        #expect(cursor.next { _ in .data(until: size) } == .exhausted)
    }

    @Test("skip holes at any position relative to the blocks")
    func holes() {
        let size = 4 * Self.block
        let data = (Self.block / 2)..<(Self.block / 2 + 10)
        var cursor = RangeCursor(size: size, isClaimed: false)
        var steps: [RangeCursor.Step] = []
        while cursor.position < size {
            steps.append(
                cursor.next { position in
                    if position < data.lowerBound { return .hole(until: data.lowerBound) }
                    return position < data.upperBound ? .data(until: data.upperBound) : .hole(until: size)
                })
        }
        #expect(steps == [.hole(0..<data.lowerBound), .data(data), .hole(data.upperBound..<size)])
    }

    @Test("compare claimed ranges, send the ranges between, and wait for ranges without a claim yet")
    func claims() throws {
        let size = 6 * Self.block - 1
        var cursor = RangeCursor(size: size, isClaimed: true)
        func next() -> RangeCursor.Step { cursor.next { _ in .data(until: size) } }
        #expect(next() == .waiting)
        cursor.claim(try holding(block: 1, count: 2))
        #expect(next() == .data(0..<Self.block))
        #expect(next() == .compare(Self.block..<2 * Self.block, digest: digest(1)))
        #expect(next() == .compare(2 * Self.block..<3 * Self.block, digest: digest(2)))
        #expect(next() == .waiting)
        cursor.claim(try holding(block: 5, count: 1))
        cursor.claim(try holding(block: 0, count: 0, isLast: true))
        #expect(next() == .data(3 * Self.block..<4 * Self.block))
        #expect(next() == .data(4 * Self.block..<5 * Self.block))
        #expect(next() == .compare(5 * Self.block..<size, digest: digest(5)))
        #expect(next() == .exhausted)
    }

    private func digest(_ block: UInt8) -> ArraySlice<UInt8> { Array(repeating: block, count: 16)[...] }

    private func holding(block: UInt64, count: Int, isLast: Bool = false) throws -> Message.Holding {
        try Message.Holding(
            transfer: 1, index: 0, block: block,
            digests: (0..<count).flatMap { digest(UInt8(block) + UInt8($0)) }, isLast: isLast)
    }
}
