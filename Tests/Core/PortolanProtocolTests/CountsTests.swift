import SwiftProtobuf
import TestSupport
import Testing

@testable import PortolanProtocol

/// Counts of End, Stored and Total: the rules of their list, and what a message makes of them.
@Suite struct CountsTests {
    private static func wire(_ counts: [(kind: Int, number: UInt64)]) -> [WireCount] {
        counts.map { kind, number in
            .with {
                $0.kind = WireCountKind(rawValue: kind) ?? .unspecified
                $0.number = number
            }
        }
    }

    /// The refusal of such a list, whichever message has it; nil if all three take it.
    private static func refusal(_ counts: [(kind: Int, number: UInt64)]) throws -> ProtocolViolation.Kind? {
        let messages: [WireControlMessage] = [
            .with { $0.end.counts = wire(counts) }, .with { $0.receipt.stored.counts = wire(counts) },
            .with { $0.total.counts = wire(counts) },
        ]
        let refusals = try messages.map { message in
            let bytes: [UInt8] = try message.serializedBytes()
            return violation { _ = try Message(decoding: bytes) }
        }
        #expect(Set(refusals).count == 1, "\(refusals)")
        return refusals[0]
    }

    @Test func kindsRise() throws {
        #expect(try Self.refusal([(1, 2), (2, 1), (8, 1)]) == nil)
        #expect(try Self.refusal([(2, 1), (1, 2)]) == .malformed)
        #expect(try Self.refusal([(1, 1), (1, 1)]) == .malformed)
        #expect(try Self.refusal([(99, 1), (1, 1)]) == .malformed, "an unknown kind before a known one")
    }

    @Test func aCountOfZeroIsLeftOut() throws {
        #expect(try Self.refusal([(3, 0)]) == .malformed)
        #expect(try Self.refusal([(99, 0)]) == .malformed)
        #expect(Counts().wire.isEmpty)
        var counts = Counts()
        (counts[.keptBytes], counts[.updated]) = (5, 1)
        (counts[.keptBytes], counts[.updated]) = (0, 0)
        #expect(counts == Counts() && counts.wire.isEmpty)
    }

    @Test func thereAreAtMost16() throws {
        #expect(try Self.refusal((1...16).map { ($0, 1) }) == nil)
        #expect(try Self.refusal((1...17).map { ($0, 1) }) == .limit)
        #expect(try Self.refusal((100...116).map { ($0, 1) }) == .limit, "all of them unknown")
    }

    @Test func aNumberIsNoGreaterThanASize() throws {
        #expect(try Self.refusal([(4, Limits.size)]) == nil)
        #expect(try Self.refusal([(4, Limits.size + 1)]) == .limit)
        #expect(try Self.refusal([(99, Limits.size + 1)]) == .limit)
    }

    @Test func unknownKindsAndThoseOfOtherMessagesArePassedOver() throws {
        #expect(try Counts(Self.wire([(0, 7), (99, 1)])) == Counts())
        let total = try Message.Total(WireTotal.with { $0.counts = Self.wire([(4, 9), (7, 5), (99, 1)]) })
        #expect(try total == Message.Total(transfer: 0, bytes: 5, isFinal: false))
        let stored = try StoredItem(WireStored.with { $0.counts = Self.wire([(7, 5), (8, 1)]) })
        #expect(try stored == StoredItem(bytes: 0))
    }

    @Test func eachKindIsOfItsOwnNumber() throws {
        let stored = try StoredItem(WireStored.with { $0.counts = Self.wire((1...6).map { ($0, UInt64(10 - $0)) }) })
        #expect(stored.omissions.further == 9 && stored.omissions.furtherMissing == 8)
        #expect(stored.keptEntries == 7 && stored.keptBytes == 6 && stored.isUpdated && stored.surplusEntries == 4)
        #expect(stored.wire.counts.map(\.kind.rawValue) == [1, 2, 3, 4, 5, 6])
        #expect(stored.wire.counts.map(\.number) == [9, 8, 7, 6, 1, 4])
        let total = try Message.Total(transfer: 3, bytes: 4, isFinal: true)
        #expect(total.wire.counts.map(\.kind) == [.foundBytes, .foundAll])
        #expect(total.wire.counts.map(\.number) == [4, 1])
    }

    @Test func numbersThatOurTypesDoNotHoldAreTheGreatestOnes() throws {
        let stored = try StoredItem(WireStored.with { $0.counts = Self.wire([(3, 1 << 40), (6, 1 << 40)]) })
        #expect(stored.keptEntries == .max && stored.surplusEntries == .max)
        // More content is missing than there are omissions.
        let end = try Message.End(WireEnd.with { $0.counts = Self.wire([(1, 2), (2, 5)]) })
        #expect(end.omissions.further == 2 && end.omissions.furtherMissing == 2)
        let none = try Message.End(WireEnd.with { $0.counts = Self.wire([(2, 5)]) })
        #expect(none.omissions.isEmpty)
    }
}
