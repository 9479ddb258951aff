import PortolanConcurrency
import PortolanValues
import Synchronization

/// Activity of accepted transfers in a session, by the time of their last progress.
///
/// Progress is a record of content in either direction, a receipt, or a message about content that the receiver has
/// already. Signs of life are none.
package final class SessionActivity: Sendable {
    /// Time without progress after which a transfer does not protect its session's place any more.
    package static let patience = Duration.seconds(10)

    private let start: ContinuousClock.Instant
    /// Number of offers in either direction with unsettled accepted items.
    private let offers = Atomic(0)
    /// Nanoseconds from the start.
    private let progress = Atomic<Int64>(0)

    package init(at start: ContinuousClock.Instant) { self.start = start }

    /// True if an accepted transfer is not settled.
    package var hasWork: Bool { offers.load(ordering: .relaxed) > 0 }

    /// Returns true if an accepted transfer has made progress lately.
    package func isUnderWay(at now: ContinuousClock.Instant) -> Bool {
        hasWork && sinceStart(now) - progress.load(ordering: .relaxed) <= Self.patience.wholeNanoseconds
    }

    /// Notes that a part of an offer was accepted.
    ///
    /// - Returns: true if it is the only one.
    @discardableResult
    package func began(at now: ContinuousClock.Instant) -> Bool {
        progressed(at: now)
        return offers.wrappingAdd(1, ordering: .relaxed).oldValue == 0
    }

    /// Notes that an offer's accepted items are settled.
    ///
    /// - Returns: true if no other offer is unsettled.
    @discardableResult
    package func ended() -> Bool { offers.wrappingSubtract(1, ordering: .relaxed).newValue == 0 }

    package func progressed(at now: ContinuousClock.Instant) { progress.store(sinceStart(now), ordering: .relaxed) }

    private func sinceStart(_ now: ContinuousClock.Instant) -> Int64 { start.duration(to: now).wholeNanoseconds }
}
