import PortolanConcurrency
import PortolanFiles
import PortolanProtocol

/// Which offers are taken, and in which form.
extension ReceivingRole {
    /// Time after which the sender is told that a decision takes longer.
    private static let moment = Duration.milliseconds(300)

    /// Asks for decisions, tells the sender when that takes a moment, and gives up when the sender does.
    ///
    /// The sender's standing is evaluated before and after: a person may take hours.
    mutating func decide(on offer: Offer) async throws -> [ReceivingMachine.Action] {
        try sender.confirm()
        let receiver = receiver
        let decided = OneShot<[ItemDecision], any Error>()
        let isDecidedOrDue = OneShot<Void, Never>()
        let decisions = try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask {
                decided.settle(.success(await receiver.decide(on: offer)))
                isDecidedOrDue.settle()
            }
            return try await session.whenClosed {
                decided.settle(.failure(TransportError.senderLeft))
                isDecidedOrDue.settle()
            } during: {
                await session.alarms.with(
                    Alarm(after: Self.moment) {
                        isDecidedOrDue.settle()
                        return false
                    }
                ) {
                    await isDecidedOrDue.value(ifCancelled: .success(()))
                }
                if !decided.isSettled, !Task.isCancelled {
                    for case .send(let message) in machine.pending() { session.send(message) }
                }
                return try await decided.value(ifCancelled: .failure(CancellationError()))
            }
        }
        try Task.checkCancellation()
        try sender.confirm()
        return machine.answer(decisions, terms: terms(for: decisions, of: offer))
    }

    /// How the files and folders among what is taken are to come. Lanes are let in from here on.
    private func terms(for decisions: [ItemDecision], of offer: Offer, from first: Int = 0) -> [Int: LaneTerms] {
        var terms: [Int: LaneTerms] = [:]
        for (index, decision) in decisions.enumerated() {
            let item = first + index
            guard case .take(let representation) = decision,
                offer.items[item].representations[representation].channel == .file
            else { continue }
            let wish = receiver.terms(item: item, representation: representation, of: offer.items[item])
            terms[item] = LaneTerms(asks: wish.asks, isInOrder: wish.isInOrder, lanes: session.runtime.mostLanes)
        }
        if !terms.isEmpty { lanes.open() }
        return terms
    }

    /// Another representation, if there is one that may serve.
    mutating func chooseAgain(
        _ item: Int, because failure: StoringFailure, _ sentence: String
    ) -> [ReceivingMachine.Action] {
        if let offer, let other = receiver.choose(item: item, from: offer.items[item], excluding: machine.tried(item)) {
            let terms = terms(for: [.take(representation: other)], of: offer, from: item)
            return machine.answerAgain(item, .take(representation: other), terms: terms[item] ?? LaneTerms())
        }
        receiver.report(.failed(item: item, sentence: sentence))
        return machine.failed(item, failure)
    }
}
