import PortolanProtocol
import TestSupport
import Testing

/// Items of a parcel, and a receiver's answers for those that it stored before.
@Suite(.aside) struct ParcelOfferTests {
    private func offer(parcel: UInt128? = 7, _ items: [UInt64?] = [1, 2], request: UInt64? = nil) throws -> Offer {
        try Offer(
            id: 1,
            items: items.map { number in
                try OfferedItem(
                    title: "note",
                    representations: [
                        OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)
                    ], preview: nil, inline: nil, parcelItem: number)
            }, request: request, parcel: parcel)
    }

    private func machine(_ offer: Offer) -> OfferingMachine {
        var machine = OfferingMachine(offer: offer)
        _ = machine.start()
        return machine
    }

    private func answer(_ first: ItemChoice, _ second: ItemDecision? = .decline(Decline(.notWanted))) throws -> Message
    {
        .answer(
            try Message.Answer(offer: 1, choices: [first] + (second.map { [ItemChoice(item: 1, $0)] } ?? [])))
    }

    private func stored() throws -> ItemDecision {
        .stored(representation: 0, try StoredItem(name: Array("note.txt".utf8), bytes: 5, entries: 1, keptBytes: 5))
    }

    @Test("an item that was stored before is settled by the answer")
    func settles() throws {
        var sender = machine(try offer())
        let actions = try sender.receive(answer(ItemChoice(item: 0, stored())))
        guard case .settled(0, .stored(let item, representation: 0)) = actions.first, case .finished = actions.last
        else { throw VectorError("\(actions)") }
        #expect(item.keptBytes == 5)
        try sender.endOfInput()

        var receiver = ReceivingMachine()
        _ = try receiver.receive(.offer(offer()))
        guard case .send(.answer(let said)) = receiver.answer([try stored(), .decline(Decline(.notWanted))]).first
        else {
            throw VectorError("Nothing was said")
        }
        #expect(try said.choices.first?.decision == stored() && receiver.isAtRest && !receiver.allowsPayload)
    }

    @Test("a claim of an earlier storing is refused for an item without a parcel, with a question, or taken already")
    func refuses() throws {
        var sender = machine(try offer(parcel: nil, [nil, nil]))
        #expect(violation { _ = try sender.receive(answer(ItemChoice(item: 0, stored()))) } == .unexpected)
        sender = machine(try offer())
        #expect(
            violation { _ = try sender.receive(answer(ItemChoice(item: 0, stored(), terms: LaneTerms(asks: true)))) }
                == .unexpected)
        sender = machine(try offer())
        #expect(
            violation { _ = try sender.receive(answer(ItemChoice(item: 0, stored(), isInline: true))) } == .unexpected)
        sender = machine(try offer())
        _ = try sender.receive(answer(ItemChoice(item: 0, .take(representation: 0))))
        #expect(violation { _ = try sender.receive(answer(ItemChoice(item: 0, stored()), nil)) } == .unexpected)
    }

    @Test("each item of a parcel has an identifier of its own, and no other item has one")
    func identifiers() throws {
        #expect(throws: InvalidValue.self) { _ = try offer([1, 1]) }
        #expect(throws: InvalidValue.self) { _ = try offer([1, nil]) }
        #expect(throws: InvalidValue.self) { _ = try offer([0, 1]) }
        #expect(throws: InvalidValue.self) { _ = try offer(parcel: nil, [1, 2]) }
        #expect(throws: InvalidValue.self) { _ = try offer([1], request: 3) }
        #expect(try Message(decoding: Message.offer(offer()).encode()) == .offer(offer()))
    }
}
