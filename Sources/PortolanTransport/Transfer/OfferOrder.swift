import PortolanConcurrency
import PortolanProtocol

/// An offer that is to be made, and what becomes of it.
struct OfferOrder: Sendable {
    let offering: any Offering
    /// The number of the request that the offer answers, if it does.
    let request: UInt64?
    /// How long the other side may take to decide.
    let answerWait: Duration
    let manner: SendingManner
    /// Called when the offer has been made.
    let hasOffered: @Sendable () -> Void
    private let settled = OneShot<[ItemOutcome]?, any Error>()

    init(
        _ offering: any Offering, answering request: UInt64?, answerWait: Duration, manner: SendingManner,
        hasOffered: @escaping @Sendable () -> Void = {}
    ) {
        self.offering = offering
        self.request = request
        self.answerWait = answerWait
        self.manner = manner
        self.hasOffered = hasOffered
    }

    /// What became of each item; nil if no offer was made.
    var outcomes: [ItemOutcome]? {
        get async throws { try await settled.value() }
    }

    func settle(_ result: Result<[ItemOutcome]?, any Error>) { settled.settle(result) }
}
