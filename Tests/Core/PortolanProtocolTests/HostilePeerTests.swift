import PortolanProtocol
import TestSupport
import Testing

/// Random messages from a peer that knows the protocol and keeps none of its rules. Machines may throw, never trap, and
/// never pass content that was not offered, accepted and begun.
@Suite(.aside) struct HostilePeerTests {
    /// A message that this part of a session takes.
    static func randomMessage(_ route: MessageRoute, _ random: inout SeededGenerator) throws -> Message {
        while true {
            let message = try randomMessage(&random)
            if message.route == route { return message }
        }
    }

    private static func randomMessage(_ random: inout SeededGenerator) throws -> Message {
        func small(_ random: inout SeededGenerator) -> UInt32 {
            random.chance(12) ? .random(in: .min ... .max, using: &random) : UInt32(random.below(4))
        }
        let offer = UInt64(random.chance(8) ? 2 : 1)
        let failure: SourceFailure? = random.chance(3) ? .changed : nil
        switch random.below(15) {
        case 0: return .offer(try sampleOffer(id: offer, items: 1 + random.below(3)))
        case 1, 2:
            var choices: [ItemChoice] = []
            for item in 0..<(1 + random.below(3)) {
                let decision: ItemDecision =
                    random.chance(4) ? .decline(Decline(.notWanted)) : .take(representation: Int(small(&random)))
                choices.append(ItemChoice(item: random.chance(6) ? 77 : UInt32(item), decision))
            }
            guard let answer = try? Message.Answer(offer: offer, choices: choices) else { return .joined }
            return .answer(answer)
        case 3: return .pending(Message.Pending(offer: offer))
        case 4, 5, 6:
            return .begin(
                try Message.Begin(
                    transfer: 1 + UInt32(random.below(3)), offer: offer, item: small(&random),
                    representation: small(&random), channel: random.chance(2) ? .data : .file, name: [0x6E],
                    size: random.chance(3) ? UInt64(small(&random)) : nil))
        case 7, 8:
            return .wanted(
                try Message.Wanted(
                    transfer: 1 + UInt32(random.below(2)), first: small(&random) / 2,
                    decisions: [random.chance(2) ? .nothing : .all]))
        case 9:
            return .holding(
                try Message.Holding(
                    transfer: 1 + UInt32(random.below(2)), index: small(&random), block: UInt64(random.below(8)),
                    digests: [], isLast: true))
        case 10, 11:
            return .end(
                try Message.End(
                    transfer: 1 + UInt32(random.below(2)), entries: UInt32(random.below(3)),
                    bytes: UInt64(random.below(8)), failure: failure))
        case 12:
            return .exportFailed(
                Message.ExportFailed(
                    offer: offer, item: small(&random), representation: small(&random), failure: .export))
        case 13:
            return .receipt(
                Message.Receipt(
                    offer: offer, item: small(&random),
                    outcome: random.chance(2) ? .stored(try StoredItem(bytes: 1)) : .failed(StoringFailure(.import))))
        default:
            return .total(
                try Message.Total(
                    transfer: 1 + UInt32(random.below(2)), bytes: UInt64(random.below(8)), isFinal: random.chance(2)))
        }
    }

    /// Items that the receiving side has accepted, recorded apart from the machine's own state.
    private struct Model {
        var taken: [Int: Int] = [:]
        var tried: Set<[Int]> = []
        var arriving: Int?
        /// The transfer that began last, and how much of its content the machine passed.
        var transfer: UInt32 = 0
        var received: UInt64 = 0
    }

    /// Sometimes returns a Begin that is valid, so that the runs get beyond the first refusal.
    private static func plausibleBegin(_ model: Model, _ random: inout SeededGenerator) throws -> Message? {
        let taken = model.taken.sorted { $0.key < $1.key }.randomElement(using: &random)
        guard let (item, representation) = taken, random.chance(3) else { return nil }
        return .begin(
            try Message.Begin(
                transfer: model.transfer + 1, offer: 1, item: UInt32(item), representation: UInt32(representation),
                channel: representation < 2 ? .file : .data, name: [], size: nil))
    }

    @Test(arguments: 0..<4)
    func noPayloadIsAcceptedWithoutAnAcceptedAnswer(group: Int) {
        var written = 0
        var violations = 0
        for number in 0..<400 {
            withSeed(UInt64(0xBAD_0000 + group * 1000 + number)) { random in
                var machine = ReceivingMachine()
                var model = Model()
                for _ in 0..<60 {
                    do {
                        if random.chance(3) {
                            let isPlausible = random.chance(2)
                            let header = PayloadHeader(
                                transfer: isPlausible ? model.transfer : 1 + UInt32(random.below(2)),
                                entry: UInt32(random.below(2)),
                                offset: isPlausible ? model.received : UInt64(random.below(4)))
                            let count = 1 + random.below(3)
                            guard case .write(let item) = try machine.payload(header, count: count) else { continue }
                            written += 1
                            model.received += UInt64(count)
                            guard model.arriving == item else { throw VectorError("Payload for nothing that began") }
                        } else {
                            let message =
                                try Self.plausibleBegin(model, &random) ?? Self.randomMessage(.receiving, &random)
                            let actions = try machine.receive(message)
                            try Self.perform(actions, &machine, &model, &random)
                        }
                    } catch is ProtocolViolation {
                        violations += 1
                        // A real session ends here; going on is only harder.
                    }
                }
            }
        }
        #expect(written > 20 && violations > 1000, "The runs must reach both to mean something")
    }

    private static func perform(
        _ actions: [ReceivingMachine.Action], _ machine: inout ReceivingMachine, _ model: inout Model,
        _ random: inout SeededGenerator
    ) throws {
        for action in actions {
            switch action {
            case .decide(let offer):
                model.taken = [:]
                model.tried = []
                let decisions = offer.items.indices.map { item -> ItemDecision in
                    guard !random.chance(4) else { return .decline(Decline(.notWanted)) }
                    let representation = random.below(4)
                    model.taken[item] = representation
                    model.tried.insert([item, representation])
                    return .take(representation: representation)
                }
                _ = machine.answer(decisions)
            case .begin(let item, let begin), .beginTree(let item, let begin, _):
                guard model.arriving == nil else { throw VectorError("Two transfers at once") }
                guard model.taken.removeValue(forKey: item) == Int(begin.representation) else {
                    throw VectorError("Item \(item) began without having been taken so")
                }
                (model.arriving, model.transfer, model.received) = (item, begin.transfer, 0)
                if random.chance(8) {
                    _ = machine.failed(item, StoringFailure(.noSpace))
                    model.arriving = nil
                }
            case .endTree: try perform(machine.treeCompleted(), &machine, &model, &random)
            case .complete(let item, _), .aborted(let item, _):
                guard model.arriving == item else { throw VectorError("An end without a beginning") }
                model.arriving = nil
                chooseAgain(item, &machine, &model, &random)
            case .produceFailed(let item, let representation, _):
                guard model.taken.removeValue(forKey: item) == representation else {
                    throw VectorError("What failed was not taken")
                }
                chooseAgain(item, &machine, &model, &random)
            case .total(let item, _):
                guard model.arriving == item else { throw VectorError("A total of what does not arrive") }
            case .beginWhole(let item, _, _): throw VectorError("Item \(item) was not to come whole")
            case .inline(let item, _, _, _): throw VectorError("Item \(item) was not taken inline")
            case .send, .compare, .finished: break
            }
        }
    }

    private static func chooseAgain(
        _ item: Int, _ machine: inout ReceivingMachine, _ model: inout Model, _ random: inout SeededGenerator
    ) {
        let next = random.below(4)
        if model.tried.insert([item, next]).inserted {
            model.taken[item] = next
            _ = machine.answerAgain(item, .take(representation: next))
        } else {
            _ = machine.failed(item, StoringFailure(.import))
        }
    }

    @Test(arguments: 0..<4)
    func senderProducesOnlyAcceptedForms(group: Int) {
        var produced = 0
        for number in 0..<500 {
            withSeed(UInt64(0xBAD_9000 + group * 1000 + number)) { random in
                var machine = OfferingMachine(offer: try sampleOffer())
                _ = machine.start()
                var current: OutgoingTransfer?
                var hasBegun = false
                var seen: Set<[Int]> = []
                for _ in 0..<60 {
                    var actions: [OfferingMachine.Action] = []
                    if let transfer = current, random.chance(3) {
                        if !hasBegun, random.chance(2) {
                            machine.began(transfer.number)
                            hasBegun = true
                        } else {
                            current = nil
                            actions =
                                hasBegun
                                ? machine.ended(transfer.number, failure: random.chance(2) ? .changed : nil)
                                : machine.exportFailed(transfer.number, .export)
                        }
                    } else {
                        let message = try Self.randomMessage(.offering, &random)
                        do { actions = try machine.receive(message) } catch is ProtocolViolation {}
                    }
                    for action in actions {
                        guard case .produce(let transfer) = action else { continue }
                        produced += 1
                        guard current == nil else { throw VectorError("Two productions at once") }
                        guard seen.insert([transfer.item, transfer.representation]).inserted else {
                            throw VectorError("The same thing was produced twice")
                        }
                        (current, hasBegun) = (transfer, false)
                    }
                }
            }
        }
        #expect(produced > 200, "The runs must produce something to mean anything")
    }
}
