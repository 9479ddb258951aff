import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

/// Offered items that were hidden since are answered like items that never existed.
@Suite(.aside) struct WithdrawalTests {
    private func machine(_ items: Int = 2, withdrawing withdrawn: [(Int, Int)]) throws -> OfferingMachine {
        var machine = OfferingMachine(offer: try sampleOffer(items: items))
        _ = machine.start()
        for (item, representation) in withdrawn { machine.withdraw(item: item, representation: representation) }
        return machine
    }

    private func answer(_ choices: (Int, ItemDecision)...) throws -> Message {
        .answer(
            try Message.Answer(offer: 1, choices: choices.map { ItemChoice(item: UInt32($0.0), $0.1) }))
    }

    private let decline = ItemDecision.decline(Decline(.notWanted))

    @Test func withdrawnFormIsTreatedAsNonexistent() throws {
        var one = try machine(withdrawing: [(0, 1)])
        let withdrawn = #expect(throws: ProtocolViolation.self) {
            _ = try one.receive(answer((0, .take(representation: 1)), (1, decline)))
        }
        let never = #expect(throws: ProtocolViolation.self) {
            _ = try one.receive(answer((0, .take(representation: 4)), (1, decline)))
        }
        #expect(withdrawn == never && withdrawn?.kind == .badIndex)
        #expect(try one.receive(answer((0, .take(representation: 2)), (1, decline))).count == 2)
    }

    @Test func itemWithoutFormsIsWithdrawn() throws {
        let all = (0..<4).map { (1, $0) }
        for decision in [decline, .take(representation: 0)] {
            var one = try machine(withdrawing: all)
            #expect(violation { _ = try one.receive(answer((0, decline), (1, decision))) } == .badIndex)
            #expect(
                violation {
                    _ = try one.receive(
                        .receipt(Message.Receipt(offer: 1, item: 1, outcome: .failed(StoringFailure(.import)))))
                } == .badIndex)
            let actions = try one.receive(answer((0, decline)))
            guard case .finished = actions.last else { throw VectorError("What is gone is waited for") }
            try one.endOfInput()
        }
    }

    @Test func offerWithoutItemsIsWithdrawn() throws {
        var one = try machine(1, withdrawing: (0..<4).map { (0, $0) })
        for message in [try answer((0, decline)), .pending(Message.Pending(offer: 1))] {
            let gone = #expect(throws: ProtocolViolation.self) { _ = try one.receive(message) }
            var other = try machine(1, withdrawing: [])
            let never = #expect(throws: ProtocolViolation.self) {
                _ = try other.receive(.pending(Message.Pending(offer: 2)))
            }
            #expect(gone == never && gone?.kind == .badIndex)
        }
    }

    @Test func acceptedFormIsNotProducedAfterWithdrawal() throws {
        var one = try machine(withdrawing: [])
        let taken = try one.receive(answer((0, .take(representation: 2)), (1, .take(representation: 2))))
        guard case .produce(let transfer) = taken.first else { throw VectorError("Nothing is produced") }
        one.withdraw(item: 1, representation: 2)
        one.withdraw(item: 0, representation: 2)
        // The current transfer goes on.
        one.began(transfer.number)
        let actions = one.ended(transfer.number, failure: nil)
        guard case .send(.exportFailed(let failed)) = actions.first, actions.count == 1 else {
            throw VectorError("It is produced all the same")
        }
        #expect(failed.item == 1 && failed.representation == 2 && failed.failure == .cancelled)
        let stored = Message.Receipt(offer: 1, item: 0, outcome: .stored(try StoredItem(bytes: 0)))
        _ = try one.receive(.receipt(stored))
        #expect(violation { _ = try one.receive(answer((0, .take(representation: 3)))) } == .unexpected)
        one.withdraw(item: 1, representation: 3)
        #expect(violation { _ = try one.receive(answer((1, .take(representation: 3)))) } == .badIndex)
        let last = try one.receive(answer((1, decline)))
        guard case .finished = last.last else { throw VectorError("It does not end") }
    }

    /// Returns all results of a step: sent messages, transfers to produce, and the refusal.
    private func outcome(_ step: () throws -> [OfferingMachine.Action]) throws -> (text: [String], OutgoingTransfer?) {
        do {
            var transfer: OutgoingTransfer?
            let text = try step().map { action in
                switch action {
                case .send(let message): return "send \(message.encode())"
                case .produce(let next):
                    transfer = next
                    return "produce \(next.number) \(next.item) \(next.representation)"
                case .tookInline(let item): return "took inline \(item)"
                case .stop(let number): return "stop \(number)"
                case .settled(let item, let outcome): return "settled \(item) \(outcome)"
                case .waiting: return "waiting"
                case .wanted(let wanted): return "wanted \(wanted)"
                case .holding(let holding): return "holding \(holding)"
                case .base(let base): return "base \(base)"
                case .finished: return "finished"
                }
            }
            return (text, transfer)
        } catch let violation as ProtocolViolation {
            return (["refused \(violation.kind) \(violation.sentence)"], nil)
        }
    }

    private func offer(_ counts: [Int]) throws -> Offer {
        try Offer(
            id: 1,
            items: counts.map { count in
                try OfferedItem(
                    title: "t",
                    representations: (0..<count).map {
                        try OfferedRepresentation(type: type("com.example.r\($0)"), channel: .data)
                    })
            })
    }

    /// A first answer as an honest receiver gives it, or anything at all.
    private func message(for counts: [Int], _ random: inout SeededGenerator) throws -> Message {
        guard random.chance(4) else { return try HostilePeerTests.randomMessage(.offering, &random) }
        let choices = counts.enumerated().map { item, count in
            ItemChoice(item: UInt32(item), .take(representation: random.below(count)))
        }
        return .answer(try Message.Answer(offer: 1, choices: choices))
    }

    /// Items at the end of the lists are withdrawn at one machine, and never existed in the lists of another: the same
    /// messages have the same results.
    @Test(arguments: 0..<4)
    func withdrawnFormIsIndistinguishableFromAMissingOne(group: Int) throws {
        var refused = 0
        var produced = 0
        for number in 0..<250 {
            withSeed(UInt64(0x717_0000 + group * 1000 + number)) { random in
                let kept = (0..<(1 + random.below(3))).map { _ in 1 + random.below(3) }
                let all = kept.map { $0 + random.below(3) } + (0..<random.below(3)).map { _ in 2 }
                var less = OfferingMachine(offer: try offer(kept))
                var more = OfferingMachine(offer: try offer(all))
                _ = (less.start(), more.start())
                for (item, count) in all.enumerated() {
                    for representation in (item < kept.count ? kept[item] : 0)..<count {
                        more.withdraw(item: item, representation: representation)
                    }
                }
                var current: OutgoingTransfer?
                var hasBegun = false
                for _ in 0..<40 {
                    let step: (inout OfferingMachine) throws -> [OfferingMachine.Action]
                    if let transfer = current, random.chance(3) {
                        guard hasBegun || !random.chance(2) else {
                            less.began(transfer.number)
                            more.began(transfer.number)
                            hasBegun = true
                            continue
                        }
                        let (isEnd, failure) = (hasBegun, random.chance(2) ? SourceFailure.changed : nil)
                        current = nil
                        step = { machine in
                            isEnd
                                ? machine.ended(transfer.number, failure: failure)
                                : machine.exportFailed(transfer.number, .export)
                        }
                    } else {
                        let message = try message(for: kept, &random)
                        step = { machine in try machine.receive(message) }
                    }
                    let (one, next) = try outcome { try step(&less) }
                    let (other, _) = try outcome { try step(&more) }
                    guard one == other else { throw VectorError("\(one) is not \(other)") }
                    if one.first?.hasPrefix("refused") == true { refused += 1 }
                    if let next {
                        (current, hasBegun) = (next, false)
                        produced += 1
                    }
                }
            }
        }
        #expect(refused > 500 && produced > 200, "The runs must reach both to mean something")
    }
}
