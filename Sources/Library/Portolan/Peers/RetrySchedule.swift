/// Delays of retries after a session has broken. Time and random numbers are arguments.
struct RetrySchedule {
    /// Short delays first, since most interruptions are short; then long ones, which cost nothing.
    private static let waits: [Duration] = [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15),
    ]
    /// Relative random variation, so that several senders do not return to one peer at the same moment.
    private static let jitter = 0.25

    private let patience: Duration
    private var attempts = 0
    private var end: ContinuousClock.Instant?

    /// - Parameter patience: time for retries.
    init(patience: Duration) {
        self.patience = patience
    }

    /// Begins the schedule again after a session has made progress: its next failure is a new interruption.
    mutating func hasProgressed() {
        attempts = 0
        end = nil
    }

    /// Returns the wait before the next attempt; nil if the time is up.
    ///
    /// - Parameter chance: from 0 to 1.
    mutating func nextWait(now: ContinuousClock.Instant, chance: Double) -> Duration? {
        let end = end ?? now + patience
        self.end = end
        guard now < end else { return nil }
        let wait = Self.waits[min(attempts, Self.waits.count - 1)] * (1 + Self.jitter * chance)
        attempts += 1
        // The last attempt is made when the time is up, and not before.
        return min(wait, end - now)
    }
}
