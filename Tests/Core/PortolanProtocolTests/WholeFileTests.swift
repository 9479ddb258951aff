import Foundation
import PortolanProtocol
import TestSupport
import Testing

/// Files that are sent whole on the session: one tree record between Begin and End.
@Suite struct WholeFileTests {
    /// A receiver that has accepted a representation of the only item of an offer.
    private func receiver(_ representation: Int = 0, _ terms: LaneTerms? = nil) throws -> ReceivingMachine {
        var machine = ReceivingMachine()
        _ = try machine.receive(.offer(sampleOffer(items: 1)))
        _ = machine.answer(
            [.take(representation: representation)], terms: [0: terms ?? LaneTerms(lanes: 4, takesWhole: true)])
        return machine
    }

    private func begin(_ representation: UInt32 = 0, asks: Bool = false, isWhole: Bool = true) throws -> Message {
        .begin(
            try Message.Begin(
                transfer: 1, offer: 1, item: 0, representation: representation, channel: .file, name: [0x6E],
                size: nil, asks: asks, isWhole: isWhole))
    }

    private func end(bytes: UInt64, lanes: [UInt32] = []) throws -> Message {
        .end(try Message.End(transfer: 1, entries: 0, bytes: bytes, lanes: lanes))
    }

    private func payload(_ offset: UInt64 = 0) -> PayloadHeader {
        PayloadHeader(transfer: 1, entry: 0, offset: offset)
    }

    @Test func fileComesInOneRecord() throws {
        var machine = try receiver()
        guard case .beginWhole(item: 0, let begun, let tree) = try machine.receive(begin()).first else {
            throw VectorError("It did not begin")
        }
        #expect(begun.isWhole && tree.number == 1)
        let record = Data(try TreeSample.record([.file(0, content: [1, 2, 3])], transfer: 1))
        #expect(try machine.payload(payload(), count: 10) == .write(item: 0))
        #expect(try machine.payload(payload(10), count: record.count - 10) == .write(item: 0))
        guard case .complete(item: 0, _) = try machine.receive(end(bytes: UInt64(record.count))).first else {
            throw VectorError("It is not complete")
        }
        #expect(try tree.takeInline(record) == 3)
        guard case .send(.receipt) = machine.stored(0, try StoredItem(bytes: 3)).first else {
            throw VectorError("No receipt")
        }
    }

    @Test func wholeFilesNeedPermission() throws {
        for terms in [LaneTerms(), LaneTerms(lanes: 4)] {
            var machine = try receiver(0, terms)
            #expect(violation { _ = try machine.receive(begin()) } == .unexpected)
        }
        // The flag has no meaning in an answer that asks.
        var machine = try receiver(0, LaneTerms(asks: true, takesWhole: true))
        #expect(violation { _ = try machine.receive(begin()) } == .unexpected)
        #expect(throws: InvalidValue.self) { try begin(asks: true) }
        // A receiver that allowed it may still get the file on lanes.
        machine = try receiver()
        guard case .beginTree = try machine.receive(begin(isWhole: false)).first else {
            throw VectorError("It did not begin on lanes")
        }
    }

    @Test func contentLargerThanATreeRecordIsRefused() throws {
        var machine = try receiver()
        _ = try machine.receive(begin())
        #expect(try machine.payload(payload(), count: Limits.payload) == .write(item: 0))
        #expect(Limits.payload == Limits.treeRecord)
        #expect(violation { _ = try machine.payload(payload(UInt64(Limits.payload)), count: 1) } == .unexpected)
    }

    @Test func payloadFollowsTheRulesForData() throws {
        var machine = try receiver()
        #expect(violation { _ = try machine.payload(payload(), count: 1) } == .unexpected)
        _ = try machine.receive(begin())
        #expect(violation { _ = try machine.payload(payload(1), count: 1) } == .unexpected)
        let entry = PayloadHeader(transfer: 1, entry: 1, offset: 0)
        #expect(violation { _ = try machine.payload(entry, count: 1) } == .unexpected)
        let other = PayloadHeader(transfer: 2, entry: 0, offset: 0)
        #expect(violation { _ = try machine.payload(other, count: 1) } == .unexpected)
        #expect(try machine.payload(payload(), count: 4) == .write(item: 0))
        for end in [try end(bytes: 3), try end(bytes: 4, lanes: [0])] {
            #expect(violation { _ = try machine.receive(end) } == .unexpected)
        }
        let total = Message.total(try Message.Total(transfer: 1, bytes: 4, isFinal: true))
        #expect(violation { _ = try machine.receive(total) } == .unexpected)
    }

    @Test func abandonedFileIsDropped() throws {
        var machine = try receiver()
        _ = try machine.receive(begin())
        _ = machine.failed(0, StoringFailure(.noSpace))
        #expect(try machine.payload(payload(), count: 4) == .discard)
        #expect(try machine.receive(end(bytes: 4)).isEmpty)
        #expect(machine.isAtRest)
    }

    @Test func interruptedTransferIsNotComplete() throws {
        var machine = try receiver()
        _ = try machine.receive(begin())
        let end = try Message.End(transfer: 1, entries: 0, bytes: 0, failure: .cancelled)
        guard case .aborted(item: 0, .cancelled) = try machine.receive(.end(end)).first else {
            throw VectorError("It was not broken off")
        }
    }

    @Test func aSenderNumbersTheRecordAsData() throws {
        var machine = OfferingMachine(offer: try sampleOffer(items: 1))
        _ = machine.start()
        let choice = ItemChoice(item: 0, .take(representation: 0), terms: LaneTerms(takesWhole: true))
        let answer = Message.answer(try Message.Answer(offer: 1, choices: [choice]))
        #expect(try Message(decoding: answer.encode()) == answer)
        guard case .produce(var transfer) = try machine.receive(answer).first else {
            throw VectorError("Nothing is produced")
        }
        guard case .begin(let begin) = try transfer.beginWhole(name: [0x6E], size: 3, record: 20) else {
            throw VectorError("Nothing begins")
        }
        #expect(begin.isWhole && begin.size == 3 && !begin.asks)
        #expect(try Message(decoding: Message.begin(begin).encode()) == .begin(begin))
        #expect(transfer.nextPayload == payload() && transfer.remaining == 20)
        transfer.sent(20)
        let end = transfer.end()
        #expect(end.bytes == 20 && end.entries == 0 && end.lanes.isEmpty && end.failure == nil)
    }
}
