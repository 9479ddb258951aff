import Foundation
import TestSupport
import Testing

@testable import PortolanProtocol

/// Claims for many small files in one message.
@Suite struct SmallClaimsTests {
    @Test func digestsOfManyFilesAreClaimsOfEach() throws {
        let digests = (0..<UInt8(3)).flatMap { [UInt8](repeating: $0, count: 16) }
        let message = try Message.Holding(transfer: 1, first: 1, digests: digests)
        #expect(try Message(decoding: Message.holding(message).encode()) == .holding(message))
        #expect(message.parts.map(\.index) == [1, 2, 3] && message.parts.map { $0.digests.first } == [0, 1, 2])
        var tree = try outgoingTree(asks: true)
        try tree.addEntry(isFolder: true)
        for _ in 1...3 { try tree.addFile(size: 5) }
        #expect(violation { _ = try tree.receive(message) } == .unexpected)
        _ = try tree.receive(
            try Message.Wanted(transfer: 1, first: 0, decisions: [.nothing, .compare, .nothing, .compare]))
        // The end of the claims for file 3, which `message` has already given.
        let again = try Message.Holding(transfer: 1, index: 3, block: 0, digests: [], isLast: true)
        #expect(try tree.receive(message))
        #expect(violation { _ = try tree.receive(again) } == .unexpected, "all of it was said")
        #expect(violation { _ = try tree.receive(message) } == .unexpected)
    }

    @Test func digestsOfOtherFilesThanTheirNumber() throws {
        func refused(_ change: (inout WireHolding) -> Void) -> Bool {
            var wire = WireHolding()
            (wire.transfer, wire.index, wire.files) = (1, 1, 2)
            wire.digests = Data(repeating: 0, count: 32)
            change(&wire)
            return (try? Message.Holding(wire)) == nil
        }
        #expect(!refused { _ in })
        #expect(refused { $0.files = 3 })
        #expect(refused { $0.files = .max })
        #expect(refused { $0.block = 1 })
        #expect(refused { $0.done = true })
        #expect(refused { $0.index = .max })
        #expect(refused { $0.digests = Data() })
    }

    @Test func smallFilesAreClaimedTogetherUnlessOver() throws {
        let digests = [UInt8](repeating: 7, count: 48)
        for isOneOver in [false, true] {
            var tree = try incomingTree(asks: true)
            try tree.take([.folder(0)], deciding: .nothing)
            try tree.take([.file(1, size: 5), .file(2, size: 6), .file(3, size: 7)], deciding: .compare)
            if isOneOver { try tree.take([.end(2, size: 0, sent: 0, failure: .unreadable)]) }
            let said = tree.holding(from: 1, digests: digests)
            #expect(said.count == (isOneOver ? 2 : 1))
            #expect(said.flatMap(\.parts).map(\.index) == (isOneOver ? [1, 3] : [1, 2, 3]))
            #expect(try tree.take([.end(3, size: 7, sent: 0)]).count == 1, "it is held")
        }
    }
}
