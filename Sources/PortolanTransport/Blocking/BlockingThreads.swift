import NIOPosix

/// Threads on which blocking calls may run: reading, writing and syncing files.
///
/// A disk may take seconds to answer and must not hold a thread of Swift's cooperative pool or an event loop meanwhile. Async code
/// that touches files runs with this executor as its preference; between its jobs it may move from one of the threads to another.
package final class BlockingThreads: TaskExecutor {
    /// The threads of this process, started at first use.
    package static let shared = BlockingThreads(count: 8)

    private let pool: NIOThreadPool

    private init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

/// Runs `body` where blocking calls are allowed.
package func withBlockingThreads<Result>(
    _ body: @Sendable () async throws -> sending Result
) async rethrows -> sending Result {
    try await withTaskExecutorPreference(BlockingThreads.shared, operation: body)
}
