import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// An offer that is to be made, and its result.
final class OfferOrder: Sendable {
    let offering: any OfferSource
    /// The number of the request that the offer answers, if it does.
    let request: UInt64?
    /// Time that the other side may take to decide.
    let answerWait: Duration
    let manner: SendingManner
    /// Called when the offer has been made.
    let hasOffered: @Sendable () -> Void
    /// Called with each word of the receiver about the offer.
    let wasHeard: @Sendable () -> Void
    private let state = Mutex(State.waiting)
    private let settled = OneShot<[ItemOutcome]?, any Error>()

    private enum State {
        case waiting, begun, withdrawn
    }

    init(
        _ offering: any OfferSource, answering request: UInt64?, answerWait: Duration, manner: SendingManner,
        hasOffered: @escaping @Sendable () -> Void = {}, wasHeard: @escaping @Sendable () -> Void = {}
    ) {
        self.offering = offering
        self.request = request
        self.answerWait = answerWait
        self.manner = manner
        self.hasOffered = hasOffered
        self.wasHeard = wasHeard
    }

    /// Outcome of each item; nil if no offer was made.
    var outcomes: [ItemOutcome]? {
        get async throws { try await settled.value() }
    }

    func settle(_ result: Result<[ItemOutcome]?, any Error>) { settled.settle(result) }

    /// Begins this order's turn.
    ///
    /// - Returns: false if it was withdrawn.
    func begin() -> Bool {
        state.withLock { state in
            guard state == .waiting else { return false }
            state = .begun
            return true
        }
    }

    /// Withdraws the offer, which is not wanted any more.
    ///
    /// - Returns: false if its turn has come.
    func withdraw() -> Bool {
        let isWithdrawn = state.withLock { state in
            guard state == .waiting else { return false }
            state = .withdrawn
            return true
        }
        if isWithdrawn { settle(.failure(CancellationError())) }
        return isWithdrawn
    }
}
