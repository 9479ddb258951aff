import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// Order to make an offer, and its result.
final class OfferOrder: Sendable {
    let offering: any OfferSource
    /// The number of the request that the offer answers, if it does.
    let request: UInt64?
    /// Time in which the other side must decide.
    let answerWait: Duration
    let manner: SendingManner
    /// Called when the offer has been made.
    let hasOffered: @Sendable () -> Void
    /// Called with each message of the receiver about the offer.
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

    /// Withdraws the order before the offer is made.
    ///
    /// - Returns: false if the offer is already being made.
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
