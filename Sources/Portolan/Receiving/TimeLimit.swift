import PortolanTransport
import Synchronization

/// Runs somebody else's code, where blocking calls are allowed, and waits for it no longer than `limit`.
///
/// A task that is cancelled need not end, and code that is not ours may never do: when its time is up, or the caller is
/// cancelled, it is cancelled and left to itself.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value,
    otherwise: @escaping @Sendable () -> any Error
) async throws -> Value {
    let outcome = FirstOutcome<Value>()
    let work = Task(executorPreference: BlockingThreads.next()) {
        do {
            outcome.settle(.success(try await body()))
        } catch {
            outcome.settle(.failure(error))
        }
    }
    let clock = Task {
        try await Task.sleep(for: limit)
        outcome.settle(.failure(otherwise()))
    }
    defer {
        work.cancel()
        clock.cancel()
    }
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { outcome.wait($0) }
    } onCancel: {
        outcome.settle(.failure(CancellationError()))
    }
}

/// The first of several outcomes, for one who waits.
private final class FirstOutcome<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<Value, any Error>)
        case early(Result<Value, any Error>)
        case over
    }

    private let state = Mutex(State.open)

    func settle(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .early(result)
                return nil
            case .waited(let waiter):
                state = .over
                return waiter
            case .early, .over:
                return nil
            }
        }
        waiter?.resume(with: result)
    }

    /// Called once.
    func wait(_ waiter: CheckedContinuation<Value, any Error>) {
        let early = state.withLock { state -> Result<Value, any Error>? in
            guard case .early(let result) = state else {
                state = .waited(waiter)
                return nil
            }
            state = .over
            return result
        }
        if let early { waiter.resume(with: early) }
    }
}
