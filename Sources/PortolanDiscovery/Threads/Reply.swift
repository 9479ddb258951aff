import Synchronization

/// One answer that several may try to give, from any thread; the first one counts.
final class Reply<Success: Sendable, Failure: Error>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Success, Failure>)
        case settled(Result<Success, Failure>)
        case delivered
    }

    private let state = Mutex(State.empty)

    /// Hands over who waits. Returns false if the answer was there already, and has been given.
    func await(_ continuation: CheckedContinuation<Success, Failure>) -> Bool {
        let result: Result<Success, Failure>? = state.withLock { state in
            switch state {
            case .empty:
                state = .awaited(continuation)
                return nil
            case .settled(let result):
                state = .delivered
                return result
            case .awaited, .delivered: preconditionFailure("a reply is awaited once")
            }
        }
        guard let result else { return true }
        continuation.resume(with: result)
        return false
    }

    /// Gives the answer, unless one was given before.
    func settle(_ result: Result<Success, Failure>) {
        let continuation: CheckedContinuation<Success, Failure>? = state.withLock { state in
            switch state {
            case .empty:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .delivered
                return continuation
            case .settled, .delivered: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
