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

/// Blocking threads for one purpose, each started when it is first needed.
///
/// Each use gets the thread with the fewest uses at the time, so that none waits for a thread that is held by a slow disk while another one
/// is free.
package final class BlockingThreads: Sendable {
    /// Threads for the files of items: twice as many as a listener has places for sessions, so that no transfer waits for the disk or the
    /// rate limit of another peer's.
    static let forItems = BlockingThreads(limit: 2 * DescriptorBudget.usualPlaces)
    /// Threads for short reads and writes of this device's own state, such as keys, contacts and rosters. Handshakes wait for these, so that
    /// no item's files are touched on them.
    static let forLookups = BlockingThreads(limit: 4)

    private let limit: Int
    private let threads = Mutex<[(thread: BlockingThread, uses: Int)]>([])

    init(limit: Int) {
        precondition(limit > 0, "blocking calls need a thread")
        self.limit = limit
    }

    /// Runs `body`, which is isolated to no actor, on one of the threads.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let (index, thread) = take()
        defer { giveBack(index) }
        return try await withTaskExecutorPreference(thread, operation: body)
    }

    private func take() -> (Int, BlockingThread) {
        threads.withLock { threads in
            var index = threads.indices.min { threads[$0].uses < threads[$1].uses }
            if threads.count < limit, index.map({ threads[$0].uses > 0 }) ?? true {
                threads.append((BlockingThread(), 0))
                index = threads.count - 1
            }
            guard let index else { preconditionFailure("a pool without threads") }
            threads[index].uses += 1
            return (index, threads[index].thread)
        }
    }

    private func giveBack(_ index: Int) {
        threads.withLock { $0[index].uses -= 1 }
    }
}

/// Runs `body` where blocking calls on the files of items are allowed.
package func withBlockingThread<Result>(
    _ body: @Sendable () async throws -> sending Result
) async rethrows -> sending Result {
    try await BlockingThreads.forItems.run(body)
}

/// Runs `body` where short blocking calls on this device's own state are allowed. They never queue behind the files of an item.
package func withLookupThread<Result>(
    _ body: @Sendable () async throws -> sending Result
) async rethrows -> sending Result {
    try await BlockingThreads.forLookups.run(body)
}
