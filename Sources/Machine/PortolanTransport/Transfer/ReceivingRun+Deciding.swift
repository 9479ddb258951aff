import PortolanConcurrency
import PortolanProtocol

/// Decisions on offers: accepted items and their representations.
extension ReceivingRun {
    /// Time after which the sender is informed that a decision takes longer.
    private static let moment = Duration.milliseconds(300)

    /// Asks for decisions, informs the sender if that takes longer than a moment, and ends when the sender disconnects.
    ///
    /// The sender's standing is evaluated when the offer comes, and again as the last step after the decision, since a
    /// person may take hours.
    mutating func decide(on offer: Offer) async throws -> [ReceivingMachine.Action] {
        try sender.requireNotLost()
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
        let taken = terms(for: decisions, of: offer)
        return machine.answer(decisions, terms: taken.onLanes, inline: taken.inline)
    }

    /// Determines the terms of accepted items: those of files and folders, and which items came with their offer. If
    /// content comes on lanes, lanes are admitted from now on.
    private func terms(
        for decisions: [ItemDecision], of offer: Offer
    ) -> (onLanes: [Int: LaneTerms], inline: Set<Int>) {
        var terms: [Int: LaneTerms] = [:]
        var inline: Set<Int> = []
        for (item, decision) in decisions.enumerated() {
            guard case .take(let representation) = decision else { continue }
            let offered = offer.items[item]
            terms[item] = laneTerms(for: representation, of: offered, item)
            if offered.inline?.representation == representation, terms[item]?.asks != true { inline.insert(item) }
        }
        if terms.keys.contains(where: { !inline.contains($0) }) { lanes.open() }
        return (terms, inline)
    }

    /// - Returns: nil for data, which is not sent on lanes.
    private func laneTerms(for representation: Int, of offered: OfferedItem, _ item: Int) -> LaneTerms? {
        guard offered.representations[representation].channel == .file else { return nil }
        let wish = receiver.terms(item: item, representation: representation, of: offered)
        return LaneTerms(
            asks: wish.asks, lanes: wish.lanes == 0 ? session.runtime.mostLanes : wish.lanes, takesWhole: !wish.asks)
    }

    /// Returns another acceptable representation, if there is one.
    mutating func chooseAgain(
        _ item: Int, because failure: StoringFailure, _ sentence: String
    ) -> [ReceivingMachine.Action] {
        if let offer, let other = receiver.choose(item: item, from: offer.items[item], excluding: machine.tried(item)) {
            let terms = laneTerms(for: other, of: offer.items[item], item)
            if terms != nil { lanes.open() }
            return machine.answerAgain(item, .take(representation: other), terms: terms ?? LaneTerms())
        }
        receiver.report(.failed(item: item, sentence: sentence))
        return machine.failed(item, failure)
    }
}
