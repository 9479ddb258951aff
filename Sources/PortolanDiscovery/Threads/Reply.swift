import Synchronization

/// One answer that several may try to give, from any thread; the first one counts.
final class Reply<Success: Sendable, Failure: Error>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Result<Success, Failure>, Never>)
        case settled(Result<Success, Failure>)
        case delivered
    }

    private let state = Mutex(State.empty)

    private func park(_ continuation: CheckedContinuation<Result<Success, Failure>, Never>) {
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
        if let result { continuation.resume(returning: result) }
    }

    /// Gives the answer, unless one was given before.
    func settle(_ result: Result<Success, Failure>) {
        let continuation: CheckedContinuation<Result<Success, Failure>, Never>? = state.withLock { state in
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
        continuation?.resume(returning: result)
    }

    /// Waits for the answer. Called once; for a wait that ends early, `settle` with an error.
    func value() async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
            park(continuation)
        }
        return try result.get()
    }
}
