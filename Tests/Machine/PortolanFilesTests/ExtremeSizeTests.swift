import Glibc
import PortolanValues
import Synchronization
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Sizes, offsets and times at the ends of their ranges, in one item and across the transfers that resume it.
@Suite(.aside) struct ExtremeSizeTests {
    let temporary = TemporaryFolder.inMemory()
    static let largest = UInt64(Int64.max)

    private func about() throws -> PartialAbout {
        try Shipment([Shipment.Entry(parent: 0, name: "item", kind: .folder)]).about("item")
    }

    @Test func threeEndlessHolesAndACut() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.receive(about(), called: name("item"), asking: false)
        try partial.folder(0)
        for index in 1...3 as ClosedRange<UInt32> { try partial.add(index, "\(index)", .file(size: nil)) }
        try partial.hole(1, at: 0, length: Self.largest)
        #expect(kind { try partial.hole(2, at: 0, length: Self.largest) } == .malformedTree)
        partial.suspend()
        partial.discard()
    }

    @Test func totalSizeOverflowIsRefused() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.receive(about(), called: name("item"), keeping: .sparse, asking: false)
        try partial.folder(0)
        try partial.add(1, "1", .file(size: Self.largest))
        try partial.hole(1, at: 0, length: Self.largest)
        #expect(kind { try partial.add(2, "2", .file(size: 1)) } == .malformedTree)
        partial.suspend()
        partial.discard()
    }

    @Test func holeInAHeldFileClearsOnlyPresentBytes() throws {
        let inbox = try temporary.inbox()
        let size = Self.largest
        let file = TreeEntry(
            index: 0, parent: 0, name: try name("item"), kind: .file(size: size), permissions: 0o644, modified: someTime
        )
        let about = try Shipment([Shipment.Entry(parent: 0, name: "item", kind: .file([]))]).about("item")
        let first = try inbox.receive(about, called: name("item"), keeping: .sparse, asking: false)
        try first.add(file)
        try first.write(0, at: 0, String(repeating: "x", count: 1 << 19))
        first.suspend()
        let again = try inbox.receive(about, called: name("item"), keeping: .sparse, asking: true)
        #expect(try again.add(file) == .compare(blocks: [0..<2]))
        try again.hole(0, at: 0, length: size)
        #expect(again.files.state.withLock { $0.begun[0]?.holes } == size)
        again.discard()
    }

    @Test(arguments: 0..<4)
    func extremeNumbersDoNotTrap(group: Int) throws {
        let numbers: [UInt64] = [
            0, 1, 4096, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max,
        ]
        var steps = 0
        for round in 0..<60 {
            let seed = UInt64(0xB16_0000 + group * 1000 + round)
            var generator = SeededGenerator(seed: seed)
            func number() -> UInt64 { numbers.randomElement(using: &generator) ?? 0 }
            let inbox = try temporary.inbox()
            // Some rounds resume the partial of the one before.
            let partial = try inbox.receive(about(), called: name("item"), keeping: .sparse, asking: round % 3 > 0)
            let thrown = kind {
                try partial.folder(0)
                for index in 1...6 as ClosedRange<UInt32> {
                    let isKnown = Bool.random(using: &generator)
                    let need = try partial.add(
                        TreeEntry(
                            index: index, parent: 0, name: name("\(index)"),
                            kind: .file(size: isKnown ? number() : nil), permissions: 0o644,
                            modified: FileTime(seconds: Int64(bitPattern: number()), nanoseconds: 0)))
                    steps += 1
                    if case .compare(let blocks) = need, let block = blocks.last {
                        _ = try partial.digest(index, block: block.upperBound - 1)
                    }
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: try partial.write(index, at: number(), "x")
                    case 1: try partial.hole(index, at: number(), length: max(1, number()))
                    case 2: try partial.finish(index, size: number())
                    default: _ = try partial.digest(index, block: number())
                    }
                }
            }
            let expected: [FileError.Kind] = [.malformedTree, .tooLarge, .noSpace]
            #expect(thrown.map(expected.contains) ?? true, "seed \(seed): \(String(describing: thrown))")
            if round % 3 == 2 { partial.discard() } else { partial.suspend() }
        }
        #expect(steps > 60)
    }
}
