import PortolanConcurrency
import Synchronization

/// Bounds what strangers whose offers are declined add to the journal: anybody on the network can make as many offers as it likes.
final class StrangerOffers: Sendable {
    private let count = Mutex(StrangerOfferCount())
    private let folds: AsyncStream<Void>
    private let folding: AsyncStream<Void>.Continuation

    init() { (folds, folding) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Whether an offer that is declined now gets an entry of its own; else it is counted for one of many.
    func isTold() -> Bool {
        if count.withLock({ $0.tells(at: .now) }) { return true }
        folding.yield()
        return false
    }

    /// Writes one entry about all that were counted, at most once a minute, until the task is cancelled. Called once.
    func run(_ append: @Sendable (EventJournal.Entry) -> Void) async {
        for await _ in folds {
            try? await Task.sleep(for: StrangerOfferCount.span)
            let number = count.withLock { $0.take() }
            guard number > 0 else { continue }
            append(
                .init(
                    kind: .offersDeclined,
                    values: [
                        "count": .number(number),
                        "message": .text(
                            number == 1
                                ? "and 1 more offer of strangers was declined"
                                : "and \(number) more offers of strangers were declined"),
                    ]))
        }
    }
}

/// Declined offers of strangers within a span of time.
struct StrangerOfferCount: Sendable {
    static let span = Duration.seconds(60)
    /// Offers of all strangers that get an entry each within the span.
    static let most = 20

    private var begin: ContinuousClock.Instant?
    private var told = 0
    private var folded: Int64 = 0

    /// Counts an offer.
    ///
    /// - Returns: whether it gets an entry.
    mutating func tells(at now: ContinuousClock.Instant) -> Bool {
        if begin.map({ now - $0 >= Self.span }) ?? true { (begin, told) = (now, 0) }
        guard told < Self.most else {
            folded += 1
            return false
        }
        told += 1
        return true
    }

    /// - Returns: offers without an entry since the call before.
    mutating func take() -> Int64 {
        defer { folded = 0 }
        return folded
    }
}
