import PortolanConcurrency

/// Runs a program's own exporter or importer, which may never end, with a time limit.
///
/// The work runs in a task that is cancelled with the caller's. Work that ignores this has one more second, and then
/// runs on unattended; its input stays until it ends.
/// - Parameters:
///   - limit: time after which `lateError` is thrown; nil waits for ever.
/// - Throws: the error of `work`; `CancellationError` if the caller's task is cancelled and `work` does not end.
func waiting<Result: Sendable>(
    atMost limit: Duration? = nil, or lateError: @autoclosure () -> any Error = CancellationError(),
    for work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try Task.checkCancellation()
    let outcome = OneShot<Result, any Error>()
    let lateError = lateError()
    let worker = Task {
        do {
            outcome.settle(.success(try await work()))
        } catch {
            outcome.settle(.failure(error))
        }
    }
    let alarm = limit.map { limit in
        Task {
            try await Task.sleep(for: limit)
            // The outcome is settled before the cancellation, since work that heeds it answers at once.
            outcome.settle(.failure(lateError))
            worker.cancel()
        }
    }
    defer { alarm?.cancel() }
    return try await withTaskCancellationHandler {
        try await outcome.value()
    } onCancel: {
        worker.cancel()
        Task {
            try await Task.sleep(for: .seconds(1))
            outcome.settle(.failure(CancellationError()))
        }
    }
}
