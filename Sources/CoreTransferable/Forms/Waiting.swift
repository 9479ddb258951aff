import Synchronization

/// Runs a program's own exporter or importer, which may never end, for as long as somebody wants to wait for it.
///
/// It runs in a task that is cancelled with the caller's. One that does not heed that is given a second, and then left to
/// itself; what it was given to work on stays until it ends.
/// - Parameters:
///   - limit: after which `lateError` is thrown; nil waits for ever.
/// - Throws: what `work` throws; `CancellationError` if the caller's task is cancelled and `work` does not end.
func waiting<Result: Sendable>(
    atMost limit: Duration? = nil, or lateError: @autoclosure () -> any Error = CancellationError(),
    for work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try Task.checkCancellation()
    let wait = Wait<Result>()
    let lateError = lateError()
    let worker = Task {
        do {
            wait.end(.success(try await work()))
        } catch {
            wait.end(.failure(error))
        }
    }
    let alarm = limit.map { limit in
        Task {
            try await Task.sleep(for: limit)
            worker.cancel()
            wait.end(.failure(lateError))
        }
    }
    defer { alarm?.cancel() }
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { wait.begin($0) }
    } onCancel: {
        worker.cancel()
        Task {
            try await Task.sleep(for: .seconds(1))
            wait.end(.failure(CancellationError()))
        }
    }
}

/// Resumes who waits with the first result of several.
private final class Wait<Result: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Result, any Error>)
        case ended(Swift.Result<Result, any Error>)
    }

    private let state = Mutex(State.open)

    func begin(_ continuation: CheckedContinuation<Result, any Error>) {
        let result: Swift.Result<Result, any Error>? = state.withLock { state in
            if case .ended(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    func end(_ result: Swift.Result<Result, any Error>) {
        let continuation: CheckedContinuation<Result, any Error>? = state.withLock { state in
            switch state {
            case .ended: return nil
            case .open:
                state = .ended(result)
                return nil
            case .waiting(let continuation):
                state = .ended(result)
                return continuation
            }
        }
        continuation?.resume(with: result)
    }
}
