import Foundation
import PortolanProtocol
import TestSupport
import Testing

/// Content that is sent with an offer: its receivers, and its valid forms.
@Suite struct InlineTests {
    /// An offer of two items, each with its text.
    private func offer() throws -> Offer {
        let bringing = try sampleOffer().bringing([0: inlineSample(of: 2), 1: inlineSample(of: 2)])
        return try #require(bringing)
    }

    private func answer(_ choices: [ItemChoice]) throws -> Message {
        .answer(try Message.Answer(offer: 1, choices: choices))
    }

    private func choice(
        _ item: UInt32 = 0, _ representation: Int = 2, asks: Bool = false, isInline: Bool = true
    ) -> ItemChoice {
        ItemChoice(
            item: item, .take(representation: representation), terms: LaneTerms(asks: asks), isInline: isInline)
    }

    // MARK: The sender

    @Test func acceptedInlineContentIsNotSentAgain() throws {
        var sender = OfferingMachine(offer: try offer())
        guard case .send(.offer(let sent)) = sender.start().first else { throw VectorError("No offer") }
        #expect(sent.items.allSatisfy { $0.inline != nil })
        #expect(sender.offer.items.allSatisfy { $0.inline == nil }, "A session may last, and this is large")
        let actions = try sender.receive(answer([choice(), choice(1, isInline: false)]))
        guard case .tookInline(0) = actions.first, case .produce(let transfer) = actions.last, actions.count == 2,
            transfer.item == 1, transfer.number == 1
        else { throw VectorError("\(actions)") }
        let stored = Message.Receipt(offer: 1, item: 0, outcome: .stored(try StoredItem(bytes: 4)))
        guard case .settled(0, .stored(_, representation: 2)) = try sender.receive(.receipt(stored)).first else {
            throw VectorError("It is not settled")
        }
    }

    @Test func anotherFormMayBeTakenAfterInlineContentFails() throws {
        var sender = OfferingMachine(offer: try offer())
        _ = sender.start()
        _ = try sender.receive(answer([choice(), choice(1)]))
        guard case .produce(let transfer) = try sender.receive(answer([choice(0, 3, isInline: false)])).first else {
            throw VectorError("Nothing is produced")
        }
        #expect(transfer.representation == 3)
        #expect(violation { _ = try sender.receive(answer([choice(1, 2, isInline: false)])) } == .unexpected)
    }

    @Test func contentThatWasNotInlineCannotBeTakenInline() throws {
        let alone = try sampleOffer()
        for (offer, choice) in [
            (alone, choice()), (try offer(), choice(0, 3)), (try offer(), choice(0, 2, asks: true)),
        ] {
            var sender = OfferingMachine(offer: offer)
            _ = sender.start()
            #expect(
                violation { _ = try sender.receive(answer([choice, self.choice(1, isInline: false)])) } == .unexpected)
        }
        // After the first answer, inline content cannot be chosen any more.
        var sender = OfferingMachine(offer: try offer())
        _ = sender.start()
        guard
            case .produce(let transfer) = try sender.receive(answer([choice(0, 3, isInline: false), choice(1)])).last
        else { throw VectorError("Nothing is produced") }
        _ = sender.exportFailed(transfer.number, .export)
        #expect(violation { _ = try sender.receive(answer([choice()])) } == .unexpected)
    }

    @Test func withdrawnInlineContentCannotBeTaken() throws {
        var sender = OfferingMachine(offer: try offer())
        _ = sender.start()
        sender.withdraw(item: 0, representation: 2)
        #expect(violation { _ = try sender.receive(answer([choice(), choice(1)])) } == .badIndex)
    }

    // MARK: The receiver

    @Test func inlineContentIsDeliveredOnAcceptance() throws {
        var receiver = ReceivingMachine()
        _ = try receiver.receive(.offer(offer()))
        let actions = receiver.answer([.take(representation: 2), .take(representation: 2)], inline: [1])
        guard case .send(.answer(let answer)) = actions.first, actions.count == 2,
            case .inline(1, let begin, nil, let content) = actions.last
        else { throw VectorError("\(actions)") }
        #expect(answer.choices.map(\.isInline) == [false, true])
        #expect(begin.size == 4 && begin.name == Array("n".utf8) && content == Data("aaaa".utf8))
        // The other item is transferred as usual, with the first free number.
        guard case .begin = try receiver.receive(.begin(beginning(of: 0, transfer: 1))).first else {
            throw VectorError("It did not begin")
        }
        guard case .send = receiver.stored(1, try StoredItem(bytes: 4)).first else { throw VectorError("No receipt") }
        #expect(violation { _ = try receiver.receive(.begin(beginning(of: 1, transfer: 2))) } == .unexpected)
    }

    private func beginning(of item: UInt32, transfer: UInt32) throws -> Message.Begin {
        try Message.Begin(
            transfer: transfer, offer: 1, item: item, representation: 2, channel: .data, name: [], size: 4)
    }

    @Test(arguments: [
        ([TreeSample.folder(0)], ProtocolViolation.Kind.unexpected),
        ([.file(1, content: [1])], .unexpected),
        ([.file(0, size: 3)], .unexpected),
        ([.file(0, content: [1]), .mark], .unexpected),
        ([.file(0, size: 0), .end(0, size: 0)], .unexpected),
        ([.file(0, content: [1]), .hole(entry: 0, offset: 0, length: 1)], .unexpected),
        ([.file(0, content: [1]), .content(entry: 0, [1])], .unexpected),
        ([.file(0, content: [1]), .file(1, content: [1])], .unexpected),
    ])
    func onlyWholeEntriesComeWithAnOffer(elements: [TreeSample], refusal: ProtocolViolation.Kind) throws {
        let content = try InlineContent(
            representation: 0, name: [], content: Data(TreeSample.record(elements, transfer: 0)))
        var receiver = ReceivingMachine()
        _ = try receiver.receive(.offer(#require(try sampleOffer(items: 1).bringing([0: content]))))
        guard
            case .inline(0, _, let tree?, let brought) = receiver.answer([.take(representation: 0)], inline: [0]).last
        else { throw VectorError("Nothing came") }
        #expect(violation { _ = try tree.takeInline(brought) } == refusal)
    }

    @Test func inlineFolderContainsItsFiles() throws {
        let elements: [TreeSample] = [.folder(0), .file(1, content: [1, 2]), .folder(2), .file(3, in: 2, content: [])]
        let content = try InlineContent(
            representation: 1, name: [], content: Data(TreeSample.record(elements, transfer: 0)))
        var receiver = ReceivingMachine()
        _ = try receiver.receive(.offer(#require(try sampleOffer(items: 1).bringing([0: content]))))
        guard
            case .inline(0, _, let tree?, let brought) = receiver.answer([.take(representation: 1)], inline: [0]).last
        else { throw VectorError("Nothing came") }
        #expect(try tree.takeInline(brought) == 2)
    }

    // MARK: The offer

    @Test func inlineContentOfAnOfferIsLimited() throws {
        let offer = try sampleOffer(items: 3)
        func bringing(_ count: Int) throws -> Offer? {
            let content = try InlineContent(representation: 2, name: [], content: Data(count: count))
            return try offer.bringing([0: content, 1: content])
        }
        let most = try #require(try bringing(Limits.inlineContent / 2))
        #expect(try Message(decoding: Message.offer(most).encode()) == .offer(most))
        #expect(throws: InvalidValue.self) { try bringing(Limits.inlineContent / 2 + 1) }
        #expect(throws: InvalidValue.self) {
            try offer.bringing([0: InlineContent(representation: 4, name: [], content: Data())])
        }
    }

    @Test func inlineContentCountsInTheFootprint() throws {
        let plain = try sampleOffer()
        let content = try InlineContent(representation: 2, name: [], content: Data(count: 100_000))
        let bringing = try #require(try plain.bringing([0: content]))
        #expect(bringing.footprint >= plain.footprint + 100_000)
    }
}
