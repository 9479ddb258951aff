import PortolanProtocol
import TestSupport
import Testing

@Suite(.aside) struct MachineTests {
    @Test(arguments: 0..<4)
    func honestMachinesReachTheSameOutcome(group: Int) throws {
        var stored = 0
        var failed = 0
        var tookInline = 0
        for number in 0..<150 {
            let seed = UInt64(group * 1000 + number)
            withSeed(seed) { random in
                let items = 1 + random.below(5)
                let inline = try Dictionary(
                    uniqueKeysWithValues: (0..<items).filter { _ in random.chance(2) }.map { item in
                        (item, try inlineSample(of: random.chance(2) ? 0 : 2))
                    })
                guard let offer = try sampleOffer(items: items).bringing(inline) else {
                    throw VectorError("Too much for an offer")
                }
                var pair = try MachinePair(offer)
                var steps = 0
                while try pair.step(&random) {
                    steps += 1
                    if steps > 20_000 { throw VectorError("It does not end") }
                }
                guard pair.senderFinished, pair.receiverFinished else { throw VectorError("It stands still") }
                try pair.receiving.endOfInput()
                try pair.offering.endOfInput()
                tookInline += pair.tookInline.count
                for item in 0..<items {
                    guard let outcome = pair.outcomes[item] else { throw VectorError("Item \(item) has no outcome") }
                    if case .stored = outcome {
                        stored += 1
                        guard pair.storedByReceiver.contains(item) else { throw VectorError("Stored at one side only") }
                    } else {
                        failed += 1
                        guard !pair.storedByReceiver.contains(item) else {
                            throw VectorError("Stored at one side only")
                        }
                    }
                }
            }
        }
        #expect(stored > 50 && failed > 50 && tookInline > 10, "The runs must reach both ends to mean something")
    }

    // MARK: Violations by a sender

    /// A receiver that has taken representation `take` of both items of `sampleOffer`.
    private func receiver(taking take: Int = 2) throws -> ReceivingMachine {
        var machine = ReceivingMachine()
        _ = try machine.receive(.offer(sampleOffer()))
        _ = machine.answer([.take(representation: take), .take(representation: take)])
        return machine
    }

    private func begin(
        _ transfer: UInt32 = 1, item: UInt32 = 0, representation: UInt32 = 2, channel: Channel = .data,
        offer: UInt64 = 1, size: UInt64? = nil
    ) throws -> Message {
        .begin(
            try Message.Begin(
                transfer: transfer, offer: offer, item: item, representation: representation, channel: channel,
                name: Array("n".utf8), size: size))
    }

    private func end(_ entries: UInt32, _ bytes: UInt64, failure: SourceFailure? = nil) throws -> Message {
        .end(try Message.End(transfer: 1, entries: entries, bytes: bytes, failure: failure))
    }

    private func payload(_ offset: UInt64, entry: UInt32 = 0, transfer: UInt32 = 1) -> PayloadHeader {
        PayloadHeader(transfer: transfer, entry: entry, offset: offset)
    }

    @Test func aSessionMayEndWithoutAnOffer() throws {
        let machine = ReceivingMachine()
        try machine.endOfInput()
    }

    @Test func payloadIsRefusedBeforeOfferAcceptanceAndBegin() throws {
        var machine = ReceivingMachine()
        #expect(violation { _ = try machine.payload(payload(0), count: 1) } == .unexpected)
        _ = try machine.receive(.offer(sampleOffer()))
        #expect(!machine.allowsPayload)
        #expect(violation { _ = try machine.payload(payload(0), count: 1) } == .unexpected)
        _ = machine.answer([.take(representation: 2), .decline(Decline(.notWanted))])
        #expect(machine.allowsPayload)
        #expect(violation { _ = try machine.payload(payload(0), count: 1) } == .unexpected)
        #expect(violation { _ = try machine.receive(begin(item: 1)) } == .unexpected)
        _ = try machine.receive(begin())
        #expect(try machine.payload(payload(0), count: 1) == .write(item: 0))
    }

    @Test func onlyAcceptedItemsMayBegin() throws {
        func refused(_ message: Message) throws -> ProtocolViolation.Kind? {
            var machine = try receiver()
            return violation { _ = try machine.receive(message) }
        }
        #expect(try refused(begin()) == nil)
        #expect(try refused(begin(2)) == .unexpected)
        #expect(try refused(begin(0)) == .unexpected)
        #expect(try refused(begin(item: 2)) == .badIndex)
        #expect(try refused(begin(representation: 3)) == .unexpected)
        #expect(try refused(begin(representation: 99)) == .badIndex)
        #expect(try refused(begin(representation: .max)) == .badIndex)
        #expect(try refused(begin(channel: .file)) == .unexpected)
        #expect(try refused(begin(offer: 2)) == .unexpected)
        #expect(try refused(.offer(sampleOffer(id: 2))) == .unexpected)
        #expect(try refused(end(0, 0)) == .unexpected)
    }

    @Test func anItemBeginsOnce() throws {
        var machine = try receiver()
        _ = try machine.receive(begin())
        #expect(violation { _ = try machine.receive(begin(2, item: 1)) } == .unexpected)
        _ = try machine.receive(end(0, 0))
        #expect(violation { _ = try machine.receive(begin(2)) } == .unexpected)
        _ = try machine.receive(begin(2, item: 1))
    }

    @Test func dataIsHeldToItsOffsetsAndItsSize() throws {
        func run(_ body: (inout ReceivingMachine) throws -> Void) throws -> ProtocolViolation.Kind? {
            var machine = try receiver()
            _ = try machine.receive(begin(size: 4))
            _ = try machine.payload(payload(0), count: 3)
            return violation { try body(&machine) }
        }
        #expect(try run { _ = try $0.payload(self.payload(3), count: 1) } == nil)
        #expect(try run { _ = try $0.payload(self.payload(0), count: 1) } == .unexpected)
        #expect(try run { _ = try $0.payload(self.payload(2), count: 1) } == .unexpected)
        #expect(try run { _ = try $0.payload(self.payload(4), count: 1) } == .unexpected)
        #expect(try run { _ = try $0.payload(self.payload(3), count: 2) } == .unexpected)
        #expect(try run { _ = try $0.payload(self.payload(3, entry: 1), count: 1) } == .unexpected)
        #expect(try run { _ = try $0.payload(self.payload(3, transfer: 2), count: 1) } == .unexpected)
        #expect(try run { _ = try $0.payload(self.payload(3), count: 0) } == .limit)
        #expect(try run { _ = try $0.payload(self.payload(.max), count: 1) } == .unexpected)
        #expect(try run { _ = try $0.receive(self.end(0, 3)) } == .unexpected, "shorter than declared")
        #expect(try run { _ = try $0.receive(self.end(0, 4)) } == .unexpected, "not what was sent")
        #expect(try run { _ = try $0.receive(self.end(1, 3)) } == .unexpected)
        #expect(try run { _ = try $0.receive(self.end(0, 3, failure: .changed)) } == nil)
        #expect(try run { try $0.endOfInput() } == .unexpected)
    }

    @Test func payloadOfAnItemGivenUpIsDiscardedUntilItsEnd() throws {
        var machine = try receiver()
        _ = try machine.receive(begin())
        _ = machine.failed(0, StoringFailure(.noSpace))
        #expect(try machine.payload(payload(0), count: 3) == .discard)
        #expect(violation { _ = try machine.payload(payload(0), count: 3) } == .unexpected, "still held to its word")
        #expect(try machine.receive(end(0, 3, failure: .cancelled)).isEmpty)
    }

    // MARK: Violations by a receiver

    private func sender() throws -> OfferingMachine {
        var machine = OfferingMachine(offer: try sampleOffer())
        _ = machine.start()
        return machine
    }

    private func answer(_ choices: (UInt32, Int)..., offer: UInt64 = 1) throws -> Message {
        .answer(
            try Message.Answer(
                offer: offer, choices: choices.map { ItemChoice(item: $0, .take(representation: $1)) }))
    }

    private func receipt(_ item: UInt32, stored: Bool = true, offer: UInt64 = 1) throws -> Message {
        .receipt(
            Message.Receipt(
                offer: offer, item: item,
                outcome: stored ? .stored(try StoredItem(bytes: 0)) : .failed(StoringFailure(.noSpace))))
    }

    @Test func choicesThatDoNotExistGetOneAnswer() throws {
        func refusal(_ message: Message) throws -> ProtocolViolation? {
            var machine = try sender()
            do {
                _ = try machine.receive(message)
                return nil
            } catch { return error }
        }
        let beyond = try refusal(answer((0, 4), (1, 0)))
        #expect(beyond?.kind == .badIndex && beyond?.closeCode == .badIndex)
        #expect(try refusal(answer((0, 31), (1, 0))) == beyond)
        #expect(try refusal(answer((0, 4_000_000_000), (1, 0))) == beyond)
        #expect(try refusal(answer((0, 0), (2, 0))) == beyond)
        #expect(try refusal(answer((0, 0), (.max, 0))) == beyond)
    }

    @Test func theFirstAnswerDecidesAboutEveryItemOnce() throws {
        func refused(_ message: Message) throws -> ProtocolViolation.Kind? {
            var machine = try sender()
            return violation { _ = try machine.receive(message) }
        }
        #expect(try refused(answer((1, 0), (0, 3))) == nil)
        #expect(try refused(answer((0, 0))) == .unexpected)
        #expect(try refused(answer((0, 0), (1, 0), offer: 2)) == .badIndex)
        #expect(try refused(receipt(0)) == .unexpected)
        #expect(try refused(receipt(0, stored: false)) == .unexpected)
        #expect(try refused(receipt(7, stored: false)) == .badIndex)
        #expect(try refused(.pending(Message.Pending(offer: 3))) == .badIndex)
    }

    @Test func secondAnswerIsOnlyForFailedExports() throws {
        var machine = try sender()
        _ = try machine.receive(answer((0, 0), (1, 0)))
        #expect(violation { _ = try machine.receive(answer((0, 1))) } == .unexpected, "it is being produced")
        #expect(violation { _ = try machine.receive(answer((1, 1))) } == .unexpected, "it waits its turn")
        _ = machine.exportFailed(1, .export)
        #expect(violation { _ = try machine.receive(answer((0, 0))) } == .unexpected, "it was tried")
        _ = try machine.receive(answer((0, 1)))
        #expect(violation { _ = try machine.receive(answer((0, 2))) } == .unexpected, "twice")
    }

    @Test func receiptIsAcceptedOnlyForCompleteTransfers() throws {
        var machine = try sender()
        _ = try machine.receive(answer((0, 3), (1, 3)))
        #expect(violation { _ = try machine.receive(receipt(0)) } == .unexpected)
        machine.began(1)
        #expect(violation { _ = try machine.receive(receipt(0)) } == .unexpected)
        _ = machine.ended(1, failure: .changed)
        #expect(violation { _ = try machine.receive(receipt(0)) } == .unexpected)
        _ = try machine.receive(receipt(0, stored: false))
        #expect(violation { _ = try machine.receive(receipt(0, stored: false)) } == .unexpected, "twice")
    }

    @Test func transferGivenUpByTheReceiverIsStopped() throws {
        func stops(_ actions: [OfferingMachine.Action]) -> [UInt32] {
            actions.compactMap { if case .stop(let transfer) = $0 { transfer } else { nil } }
        }
        for hasBegun in [false, true] {
            var machine = try sender()
            _ = try machine.receive(answer((0, 3), (1, 3)))
            if hasBegun { machine.began(1) }
            #expect(stops(try machine.receive(receipt(1, stored: false))).isEmpty, "that one was not under way")
            #expect(throws: ProtocolViolation.self) { try machine.endOfInput() }
            #expect(stops(try machine.receive(receipt(0, stored: false))) == [1])
            // The receiver has sent its last message, and does not know what the sender still does.
            try machine.endOfInput()
            let last = hasBegun ? machine.ended(1, failure: .cancelled) : machine.exportFailed(1, .cancelled)
            guard case .finished? = last.first, last.count == 1 else { throw VectorError("It is not finished") }
        }
    }

    @Test func pendingIsSentOnceBeforeTheAnswer() throws {
        var machine = try sender()
        let pending = Message.pending(Message.Pending(offer: 1))
        _ = try machine.receive(pending)
        #expect(violation { _ = try machine.receive(pending) } == .unexpected)
        _ = try machine.receive(answer((0, 0), (1, 0)))
        #expect(violation { _ = try machine.receive(pending) } == .unexpected)
    }

    /// A side sends and receives in the two directions of a session at the same time.
    @Test func theDirectionsOfASessionAreCountedForThemselves() throws {
        var offering = try sender()
        var receiving = try receiver()
        _ = try offering.receive(answer((0, 2), (1, 2)))
        offering.began(1)
        _ = try receiving.receive(begin())
        #expect(try receiving.payload(payload(0), count: 1) == .write(item: 0))
        _ = offering.ended(1, failure: nil)
        _ = try receiving.receive(end(0, 1))
        _ = try offering.receive(receipt(0))
        #expect(offering.nextTransfer == 2)
        _ = try receiving.receive(begin(2, item: 1))
    }

    @Test func aLaterOfferContinuesTheSessionsNumbers() throws {
        var machine = ReceivingMachine()
        _ = try machine.receive(.offer(sampleOffer(id: 4, items: 1)))
        _ = machine.answer([.take(representation: 3)])
        _ = try machine.receive(begin(representation: 3, offer: 4))
        _ = try machine.receive(end(0, 0))
        #expect(violation { _ = try machine.receive(.offer(sampleOffer(id: 5))) } == .unexpected, "our word is awaited")
        _ = machine.stored(0, try StoredItem(bytes: 0))
        #expect(violation { _ = try machine.receive(.offer(sampleOffer(id: 4))) } == .unexpected, "used before")
        _ = try machine.receive(.offer(sampleOffer(id: 5, items: 1)))
        _ = machine.answer([.take(representation: 3)])
        #expect(violation { _ = try machine.receive(begin(1, representation: 3, offer: 5)) } == .unexpected)
        _ = try machine.receive(begin(2, representation: 3, offer: 5))
    }
}
