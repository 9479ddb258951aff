import PortolanTransport
import Synchronization

/// Clock whose time passes only at the request of a test.
package final class ManualClock: VirtualClock {
    private struct Sleeper {
        let due: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = ContinuousClock.now
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Sleepers whose task was cancelled before they were registered.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    /// Length of each sleep, as it begins. Iterate it only once.
    package let sleeps: AsyncStream<Duration>
    private let feed: AsyncStream<Duration>.Continuation

    package init() {
        (sleeps, feed) = AsyncStream.makeStream()
    }

    package var instant: ContinuousClock.Instant { state.withLock(\.now) }

    package func sleep(for duration: Duration) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard state.cancelled.remove(number) == nil else { return true }
                    state.sleepers[number] = Sleeper(due: state.now + duration, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { feed.yield(duration) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the time, and wakes the sleepers whose time has come.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now += duration
            let woken = state.sleepers.filter { $0.value.due <= state.now }
            for number in woken.keys { state.sleepers[number] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
