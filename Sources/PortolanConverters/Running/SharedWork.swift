import PortolanConcurrency
import Synchronization

/// Work on a thread that several tasks may wait for, and that is stopped when none waits any more.
final class SharedWork<Value: Sendable>: Sendable {
    /// Outcome for one task that waits.
    typealias Waiter = OneShot<Value, ConverterError>

    /// Raised when nobody waits; the work then ends as soon as it looks.
    let stop = StopSign()

    private let cancelled: ConverterError
    private let state = Mutex(State())

    private struct State {
        /// Of tasks that wait, or are about to.
        var waiters: [Waiter] = []
        var outcome: Waiter.Outcome?
        var isAbandoned = false
    }

    /// - Parameter cancelled: what a task gets that is cancelled.
    init(cancelled: ConverterError) {
        self.cancelled = cancelled
    }

    /// Counts one more task that will wait.
    ///
    /// - Returns: nil where the work is being stopped and somebody has to begin anew.
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
            defer { state.waiters = [] }
            return state.waiters
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
            stop.raise()
        }
    }
}
