import PortolanConcurrency
import PortolanFiles
import Synchronization

/// Work on a thread with several waiting tasks; stopped when no task waits.
final class SharedWork<Value: Sendable>: Sendable {
    /// Outcome for one task that waits.
    typealias Waiter = OneShot<Value, ConverterError>

    /// Raised when no task waits; the work polls it.
    let stop = StopRequest()

    private let cancelled: ConverterError
    private let state = Mutex(State())

    private struct State {
        /// Waiters of the tasks that wait, or are about to.
        var waiters: [Waiter] = []
        var outcome: Waiter.Outcome?
        var isAbandoned = false
    }

    /// - Parameter cancelled: error for a cancelled task.
    init(cancelled: ConverterError) {
        self.cancelled = cancelled
    }

    /// Adds a waiting task.
    ///
    /// - Returns: nil if the work is being stopped, so that new work is needed.
    func join() -> Waiter? {
        state.withLock { state in
            guard !state.isAbandoned else { return nil }
            let waiter = Waiter()
            if let outcome = state.outcome { waiter.settle(outcome) } else { state.waiters.append(waiter) }
            return waiter
        }
    }

    /// Waits for the outcome, or for the calling task's cancellation.
    func value(for waiter: Waiter) async throws(ConverterError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await waiter.outcome()
        } onCancel: {
            leave(waiter)
        }
        return try outcome.get()
    }

    func finish(_ outcome: Waiter.Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.settle(outcome) }
    }

    private func leave(_ waiter: Waiter) {
        guard waiter.settle(.failure(cancelled)) else { return }
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.waiters.removeAll { $0 === waiter }
            guard state.waiters.isEmpty else { return }
            state.isAbandoned = true
            stop.request()
        }
    }
}
