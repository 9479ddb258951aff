import PortolanProtocol
import TestSupport
import Testing

/// The other side's end record in each state of an item: whether it may have crossed this side's message.
@Suite struct EndOfInputTests {
    // MARK: At the sender

    private func answer(_ decisions: [ItemDecision]) throws -> Message {
        .answer(
            try Message.Answer(
                offer: 1, choices: decisions.enumerated().map { ItemChoice(item: UInt32($0.offset), $0.element) }))
    }

    private func receipt(_ outcome: Message.Receipt.Outcome) -> Message {
        .receipt(Message.Receipt(offer: 1, item: 0, outcome: outcome))
    }

    /// Returns the reaction of one item's sender to the end record after these steps.
    private func ended(
        _ steps: ((inout OfferingMachine) throws -> Void)...
    ) throws -> ProtocolViolation.Kind? {
        var machine = OfferingMachine(offer: try sampleOffer(items: 1))
        _ = machine.start()
        for step in steps { try step(&machine) }
        return violation { try machine.endOfInput() }
    }

    @Test func unansweredOfferMayCrossTheEndRecord() throws {
        #expect(try ended() == nil)
        #expect(try ended({ _ = try $0.receive(.pending(Message.Pending(offer: 1))) }) == nil)
        #expect(try ended({ for form in 0..<4 { $0.withdraw(item: 0, representation: form) } }) == nil)
    }

    @Test func receiverMayNotEndBeforeItsLastReceipt() throws {
        let take: (inout OfferingMachine) throws -> Void = {
            _ = try $0.receive(self.answer([.take(representation: 3)]))
        }
        #expect(try ended(take) == .unexpected, "being produced")
        #expect(try ended(take, { _ = $0.exportFailed(1, .export) }) == .unexpected, "another choice is due")
        #expect(try ended(take, { $0.began(1) }) == .unexpected, "being sent")
        #expect(try ended(take, { $0.began(1) }, { _ = $0.ended(1, failure: nil) }) == .unexpected, "a receipt is due")
        #expect(try ended(take, { $0.began(1) }, { _ = $0.ended(1, failure: .changed) }) == .unexpected)
    }

    @Test func receiverMayEndAfterItsLastReceipt() throws {
        let take: (inout OfferingMachine) throws -> Void = {
            _ = try $0.receive(self.answer([.take(representation: 3)]))
        }
        let giveUp: (inout OfferingMachine) throws -> Void = {
            _ = try $0.receive(self.receipt(.failed(StoringFailure(.noSpace))))
        }
        #expect(try ended({ _ = try $0.receive(self.answer([.decline(Decline(.notWanted))])) }) == nil)
        #expect(try ended(take, giveUp) == nil, "it is still being produced")
        #expect(try ended(take, { $0.began(1) }, giveUp) == nil, "it is still being sent")
        #expect(try ended(take, { _ = $0.exportFailed(1, .export) }, giveUp) == nil)
        #expect(
            try ended(
                take, { $0.began(1) }, { _ = $0.ended(1, failure: nil) },
                { _ = try $0.receive(self.receipt(.stored(try StoredItem(bytes: 0)))) }) == nil)
    }

    // MARK: At the receiver

    private func begin() throws -> Message {
        .begin(
            try Message.Begin(
                transfer: 1, offer: 1, item: 0, representation: 3, channel: .data, name: [], size: nil))
    }

    private func end() throws -> Message { .end(try Message.End(transfer: 1, entries: 0, bytes: 0)) }

    /// Returns the reaction of one item's receiver to the end record after these steps.
    private func heardEnd(
        _ steps: ((inout ReceivingMachine) throws -> Void)...
    ) throws -> ProtocolViolation.Kind? {
        var machine = ReceivingMachine()
        for step in steps { try step(&machine) }
        return violation { try machine.endOfInput() }
    }

    @Test func aSenderDoesNotEndBeforeAllIsSettled() throws {
        let offer: (inout ReceivingMachine) throws -> Void = {
            _ = try $0.receive(.offer(sampleOffer(items: 1)))
        }
        let take: (inout ReceivingMachine) throws -> Void = { _ = $0.answer([.take(representation: 3)]) }
        let begin: (inout ReceivingMachine) throws -> Void = { _ = try $0.receive(self.begin()) }
        let end: (inout ReceivingMachine) throws -> Void = { _ = try $0.receive(self.end()) }
        let fail: (inout ReceivingMachine) throws -> Void = { _ = $0.failed(0, StoringFailure(.noSpace)) }
        #expect(try heardEnd() == nil, "nothing was offered")
        #expect(try heardEnd(offer) == .unexpected, "our answer is awaited")
        #expect(try heardEnd(offer, take) == .unexpected, "it has not come")
        #expect(try heardEnd(offer, take, begin) == .unexpected, "it is coming")
        #expect(try heardEnd(offer, take, begin, fail) == .unexpected, "given up, and still coming")
        #expect(try heardEnd(offer, take, begin, end) == .unexpected, "our receipt is awaited")
        #expect(try heardEnd(offer, { _ = $0.answer([.decline(Decline(.notWanted))]) }) == nil)
        #expect(try heardEnd(offer, take, fail) == nil, "given up before it came")
        #expect(try heardEnd(offer, take, begin, end, fail) == nil)
        #expect(
            try heardEnd(offer, take, begin, end, { _ = $0.stored(0, try StoredItem(bytes: 0)) }) == nil)
    }

    // MARK: Messages of other routes

    @Test func messageOfAnotherRouteTraps() async {
        await #expect(processExitsWith: .failure) {
            var machine = OfferingMachine(offer: try sampleOffer())
            _ = try machine.receive(.ping(id: 1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = ReceivingMachine()
            _ = try machine.receive(.pending(Message.Pending(offer: 1)))
        }
    }
}
