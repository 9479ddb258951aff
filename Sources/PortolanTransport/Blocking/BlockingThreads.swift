import DequeModule
import Synchronization

/// Threads on which calls may block: reading, writing and syncing files.
///
/// A disk may take seconds to answer and must not hold a thread of Swift's pool or an event loop meanwhile. Async code that touches files
/// runs with these as its preference. A task has a thread only while it runs: one that waits for a peer, a person or a clock holds none, so
/// that there are as many threads as calls that block at the moment. A thread that has had nothing to do for a while ends.
package final class BlockingThreads: TaskExecutor {
    /// Threads for the files of items: enough for all sessions that a listener has places for, so that no call waits for another peer's.
    static let forItems = BlockingThreads(named: "files", limit: callsOfSession * DescriptorBudget.mostPlaces)
    /// Threads for short reads and writes of this device's own state, such as keys, contacts and rosters. Handshakes wait for these, so that
    /// no item's files are touched on them.
    static let forLookups = BlockingThreads(named: "lookup", limit: 4)

    /// Blocking calls that one session can have under way: one each for what it receives, sends, answers and opens.
    private static let callsOfSession = 4
    /// Time after which a thread without work ends.
    private static let rest = Duration.seconds(5)

    private struct State {
        var jobs: Deque<UnownedJob> = []
        var threads = 0
        /// Threads that wait for a job.
        var idle = 0
    }

    private let name: String
    private let limit: Int
    private let state = Monitor(State())

    init(named name: String = "blocking", limit: Int) {
        precondition(limit > 0, "Blocking calls need a thread")
        self.name = name
        self.limit = limit
    }

    /// Runs `body`, which is isolated to no actor, on these threads.
    func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
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
            try startMachineThread(named: name) { self.work() }
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
