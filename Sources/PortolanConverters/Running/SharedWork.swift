import Synchronization

/// Work on a thread that several tasks may wait for, and that is stopped when none waits any more.
final class SharedWork<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, ConverterError>

    /// Raised when nobody waits; the work then ends as soon as it looks.
    let stop = StopSign()

    private let cancelled: ConverterError
    private let state = Mutex(State())

    private struct State {
        /// Tasks that wait, or are about to; those that are about to have no continuation yet.
        var waiting: [Int: CheckedContinuation<Outcome, Never>?] = [:]
        var nextWaiter = 0
        var outcome: Outcome?
        var isAbandoned = false
    }

    /// - Parameter cancelled: what a task gets that is cancelled.
    init(cancelled: ConverterError) {
        self.cancelled = cancelled
    }

    /// Counts one more task that will wait.
    ///
    /// - Returns: its number, or nil where the work is being stopped and somebody has to begin anew.
    func join() -> Int? {
        state.withLock { state in
            guard !state.isAbandoned else { return nil }
            defer { state.nextWaiter += 1 }
            state.waiting.updateValue(nil, forKey: state.nextWaiter)
            return state.nextWaiter
        }
    }

    /// Waits for the outcome, or for the calling task's cancellation.
    func value(for waiter: Int) async throws(ConverterError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Outcome? in
                    guard state.waiting[waiter] != nil else { return .failure(cancelled) }
                    if let outcome = state.outcome { return outcome }
                    state.waiting[waiter] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            leave(waiter)
        }
        return try outcome.get()
    }

    func finish(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.outcome = outcome
            return state.waiting.values.compactMap(\.self)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private func leave(_ waiter: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil, let waiting = state.waiting.removeValue(forKey: waiter) else { return nil }
            if state.waiting.isEmpty {
                state.isAbandoned = true
                stop.raise()
            }
            return waiting
        }
        continuation?.resume(returning: .failure(cancelled))
    }
}
