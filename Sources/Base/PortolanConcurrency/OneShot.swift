import Synchronization

/// A result that is settled once, from any thread or task, and that any number of tasks wait for.
///
/// ```swift
/// let answer = OneShot<[Address], any Error>()
/// thread.start { answer.settle(Result { try lookUp(name) }) }
/// return try await answer.value(ifCancelled: .failure(CancellationError()))
/// ```
///
/// The first result counts, so that a timer, a shutdown or a cancellation ends a wait early by settling it.
package final class OneShot<Success: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Success, Failure>

    private enum State {
        case open([CheckedContinuation<Outcome, Never>])
        case settled(Outcome)
    }

    private let state = Mutex(State.open([]))

    package init() {}

    /// True if there is a result.
    package var isSettled: Bool {
        state.withLock { if case .settled = $0 { true } else { false } }
    }

    /// Gives the result to all that wait and will wait.
    ///
    /// - Returns: true if this result counts; false if there was one before.
    @discardableResult
    package func settle(_ outcome: Outcome) -> Bool {
        let waiters: [CheckedContinuation<Outcome, Never>]? = state.withLock { state in
            guard case .open(let waiters) = state else { return nil }
            state = .settled(outcome)
            return waiters
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(returning: outcome) }
        return true
    }

    /// Waits for the result. The cancellation of the task does not end the wait.
    package func value() async throws(Failure) -> Success {
        try await outcome().get()
    }

    /// Waits for the result, and returns an error as a value.
    package func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let known: Outcome? = state.withLock { state in
                switch state {
                case .open(let waiters):
                    state = .open(waiters + [continuation])
                    return nil
                case .settled(let outcome): return outcome
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Waits for the result; the cancellation of the task settles it.
    ///
    /// - Parameter fallback: the result then, for all that wait.
    package func value(ifCancelled fallback: Outcome) async throws(Failure) -> Success {
        let result = await withTaskCancellationHandler {
            await outcome()
        } onCancel: {
            settle(fallback)
        }
        return try result.get()
    }
}

extension OneShot where Success == Void {
    /// Settles with success; for events without a value.
    @discardableResult
    package func settle() -> Bool { settle(.success(())) }
}
