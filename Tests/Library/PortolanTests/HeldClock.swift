import NodeTestSupport
import PortolanTransport

/// Clock of the machine, but for sleeps of one length, which last until the test ends them.
final class HeldClock: VirtualClock {
    private let held: Duration
    private let manual = ManualClock()

    init(_ held: Duration) { self.held = held }

    /// Held sleeps, as they begin. Iterate it only once.
    var sleeps: AsyncStream<Duration> { manual.sleeps }

    var instant: ContinuousClock.Instant { .now }

    func sleep(for duration: Duration) async throws {
        if duration == held {
            try await manual.sleep(for: duration)
        } else {
            try await Task.sleep(for: duration)
        }
    }

    /// Ends the sleeps that have begun.
    func end() { manual.advance(by: held) }
}
