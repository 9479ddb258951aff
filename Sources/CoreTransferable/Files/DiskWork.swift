import Dispatch
import Synchronization

/// Runs work that waits for a disk on threads that may wait, and not on the few that run tasks.
enum DiskWork {
    private static let queue = DispatchQueue(label: "transfer files", qos: .userInitiated, attributes: .concurrent)

    /// Tells work that nobody wants its result any more.
    final class Stop: Sendable {
        private let isSet = Atomic(false)

        func set() { isSet.store(true, ordering: .relaxed) }

        /// - Throws: `CancellationError` once the task that waits for the work is cancelled.
        func check() throws {
            if isSet.load(ordering: .relaxed) { throw CancellationError() }
        }
    }

    /// Waits until the work has ended, also when it is stopped: what it uses can be taken away then.
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

    /// Work that nobody waits for.
    static func later(_ work: @escaping @Sendable () -> Void) {
        queue.async(qos: .utility, execute: work)
    }
}
