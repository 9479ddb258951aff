import CAvahi
import Glibc
import PortolanConcurrency
import PortolanValues

/// Event loop for Avahi's objects on one thread, with its own timers.
final class AvahiLoop {
    private let poll: OpaquePointer
    let api: UnsafePointer<AvahiPoll>
    private var timers: [Timer] = []
    private var nextTimer = 0
    /// Called when the wall clock was set back: Avahi's own timers use it, and wait until it reaches the former time
    /// again.
    var onClockSetBack: () -> Void = {}
    /// Difference between the wall clock and the monotonic clock.
    private var lead = AvahiLoop.currentLead()

    private struct Timer {
        let id: Int
        let due: ContinuousClock.Instant
        let body: () -> Void
    }

    /// - Throws: ``ThreadError`` if no descriptor is left.
    init() throws(ThreadError) {
        guard let poll = avahi_simple_poll_new(), let api = avahi_simple_poll_get(poll) else {
            throw ThreadError(code: errno)
        }
        self.poll = poll
        self.api = UnsafePointer(api)
    }

    deinit { avahi_simple_poll_free(poll) }

    /// Runs `body` in a later turn, outside of all callbacks of Avahi.
    @discardableResult
    func after(_ delay: Duration, _ body: @escaping () -> Void) -> Int {
        nextTimer += 1
        timers.append(Timer(id: nextTimer, due: .now + delay, body: body))
        return nextTimer
    }

    func cancel(_ timer: Int?) {
        timers.removeAll { $0.id == timer }
    }

    func cancelAll() {
        timers = []
    }

    /// Waits for the next event or timer and handles it.
    func turn() {
        let wait = timers.map(\.due).min().map { due in
            min(ContinuousClock.now.duration(to: due), .seconds(3600)).pollMilliseconds
        }
        // This fails only for a broken descriptor of our own; the pause keeps the loop from using a whole core.
        if avahi_simple_poll_iterate(poll, wait ?? -1) < 0 { usleep(100_000) }
        lookAtClock()
        let now = ContinuousClock.Instant.now
        for timer in timers.filter({ $0.due <= now }).sorted(by: { ($0.due, $0.id) < ($1.due, $1.id) })
        where timers.contains(where: { $0.id == timer.id }) {
            cancel(timer.id)
            timer.body()
        }
    }

    private func lookAtClock() {
        let now = Self.currentLead()
        let isSetBack = lead - now > .seconds(1)
        // Small steps back would add up.
        if now > lead || isSetBack { lead = now }
        if isSetBack { onClockSetBack() }
    }

    private static func currentLead() -> Duration {
        func time(_ clock: clockid_t) -> Duration {
            var time = timespec()
            clock_gettime(clock, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        return time(CLOCK_REALTIME) - time(CLOCK_BOOTTIME)
    }
}
