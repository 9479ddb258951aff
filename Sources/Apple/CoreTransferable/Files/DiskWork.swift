import Synchronization

/// Runs blocking file work on threads outside Swift's pool.
enum DiskWork {
    /// Queue without a quality of service: libdispatch would raise priorities for one, and log that it may not.
    private static let queue = DispatchQueue(label: "transfer files", attributes: .concurrent)

    /// Stop flag, polled by work whose result is no longer wanted.
    final class Stop: Sendable {
        private let isSet = Atomic(false)

        func set() { isSet.store(true, ordering: .relaxed) }

        /// - Throws: `CancellationError` once the task that waits for the work is cancelled.
        func check() throws {
            if isSet.load(ordering: .relaxed) { throw CancellationError() }
        }
    }

    /// Waits until the work has ended, also after a stop, so that its files can then be removed.
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable (Stop) throws -> Result
    ) async throws -> Result {
        let stop = Stop()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try work(stop) }) }
            }
        } onCancel: {
            stop.set()
        }
    }

    /// Starts work in the background; its end is not waited for.
    static func later(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
