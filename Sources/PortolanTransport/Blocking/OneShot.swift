import Synchronization

/// A result that comes once, for whoever waits for it, before or after.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, any Error>])
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State.open([]))

    package init() {}

    /// Gives the result. What comes after the first one counts for nothing.
    package func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            guard case .open(let waiting) = state else { return [CheckedContinuation<Value, any Error>]() }
            state = .settled(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// The result, when it has come. Not ended by cancellation: whoever owns the result gives one then, too.
    package var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    switch state {
                    case .open(let waiting):
                        state = .open(waiting + [continuation])
                        return nil
                    case .settled(let result): return result
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
