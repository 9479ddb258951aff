import NIOPosix
import Synchronization

/// A thread on which blocking calls may run: reading, writing and syncing files.
///
/// A disk may take seconds to answer and must not hold a thread of Swift's cooperative pool or an event loop meanwhile. Async code
/// that touches files runs with one of these as its preference, and stays on it.
package final class BlockingThread: TaskExecutor {
    private let pool = NIOThreadPool(numberOfThreads: 1)

    fileprivate init() {
        pool.start()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { _ in
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

/// The blocking threads of this process, each started when it is first needed.
package enum BlockingThreads {
    /// More transfers than this share threads, and wait for each other's disks.
    private static let limit = 8

    private static let threads = Mutex<(all: [BlockingThread], next: Int)>(([], 0))

    /// The thread whose turn it is.
    package static func next() -> BlockingThread {
        threads.withLock { threads in
            if threads.all.count < limit { threads.all.append(BlockingThread()) }
            let index = threads.next % limit
            threads.next = index + 1
            return threads.all[min(index, threads.all.count - 1)]
        }
    }
}

/// Runs `body` where blocking calls are allowed.
package func withBlockingThread<Result>(
    _ body: @Sendable () async throws -> sending Result
) async rethrows -> sending Result {
    try await withTaskExecutorPreference(BlockingThreads.next(), operation: body)
}
