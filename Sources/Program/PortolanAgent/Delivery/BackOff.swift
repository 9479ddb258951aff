/// Limits of an ``OutboxSchedule``.
package struct ScheduleLimits: Hashable, Sendable {
    /// Largest number of concurrent deliveries.
    package var running = 4
    /// Wait after the first failure; doubled with each further failure.
    package var firstWait = Duration.seconds(5)
    package var longestWait = Duration.seconds(30 * 60)
    /// Longest time between two checks of the wall clock while a parcel can expire.
    package var mostSleep = Duration.seconds(60 * 60)

    package init() {}
}

/// Exponential back-off of a peer or a parcel.
struct BackOff: Sendable {
    private var failures = 0
    /// Time of the next attempt; nil for no wait.
    var due: ContinuousClock.Instant?

    /// Doubles the wait, and returns a random part of it between a half and the whole.
    mutating func fail(
        at now: ContinuousClock.Instant, _ limits: ScheduleLimits, _ chance: inout any RandomNumberGenerator & Sendable
    ) -> ContinuousClock.Instant {
        var wait = limits.firstWait
        for _ in 0..<failures where wait < limits.longestWait { wait *= 2 }
        failures += 1
        let end = now + min(wait, limits.longestWait) * Double.random(in: 0.5...1, using: &chance)
        due = end
        return end
    }

    func isWaiting(at now: ContinuousClock.Instant) -> Bool { due.map { $0 > now } ?? false }
}
