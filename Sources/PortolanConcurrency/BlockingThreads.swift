import Synchronization

/// Threads on which calls may block: reading, writing and syncing files.
///
/// A disk may take seconds to answer and must not hold a thread of Swift's pool or an event loop meanwhile. Async code that touches files
/// runs with these as its preference. A task has a thread only while it runs: one that waits for a peer, a person or a clock holds none, so
/// that there are as many threads as calls that block at the moment. A thread that has had nothing to do for a while ends.
package final class BlockingThreads: TaskExecutor {
    /// Threads for short reads and writes of this device's own state, such as keys, contacts and rosters. Handshakes wait for these, so that
    /// no item's files are touched on them.
    package static let forLookups = BlockingThreads(named: "lookup", limit: 4)

    /// Time after which a thread without work ends.
    private static let rest = Duration.seconds(5)

    private struct State {
        var jobs = JobQueue()
        var threads = 0
        /// Threads that wait for a job.
        var idle = 0
    }

    private let name: String
    private let limit: Int
    private let state = Monitor(State())

    package init(named name: String = "blocking", limit: Int) {
        precondition(limit > 0, "Blocking calls need a thread")
        self.name = name
        self.limit = limit
    }

    /// Runs `body`, which is isolated to no actor, on these threads.
    package func run<Result, Failure>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(self, operation: body)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOneMissing = state.quietly { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        guard isOneMissing else { return state.wakeOne() }
        do {
            try startThread(named: name) { self.work() }
        } catch {
            // Those that there are do the work, one call after the other.
            let isStuck = state.quietly { state in
                state.threads -= 1
                return state.threads == 0
            }
            precondition(!isStuck, "There is no thread for calls that block: \(error)")
        }
    }

    private func work() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// - Returns: nil when the thread is to end.
    private func next() -> UnownedJob? {
        state.quietly { $0.idle += 1 }
        let job = state.wait(until: .now + Self.rest) { $0.jobs.popFirst() }
        return state.quietly { state in
            state.idle -= 1
            // One may have come since the time was up, and counts on this thread.
            if let next = job ?? state.jobs.popFirst() { return next }
            state.threads -= 1
            return nil
        }
    }
}

/// Runs `body` where short blocking calls on this device's own state are allowed. They never queue behind the files of an item.
package func withLookupThread<Result, Failure>(
    _ body: @Sendable () async throws(Failure) -> sending Result
) async throws(Failure) -> sending Result {
    try await BlockingThreads.forLookups.run(body)
}
