import Glibc

/// Threads on which calls may block: reading, writing and syncing files.
///
/// A disk may take seconds to answer and must not hold a thread of Swift's pool or an event loop meanwhile. Async code
/// that touches files runs with these as its preference. A task has a thread only while it runs: one that waits for a
/// peer, a person or a clock holds none, so that there are as many threads as calls that block at the moment. A thread
/// that has been idle for a while ends.
package final class BlockingThreads: TaskExecutor, @unchecked Sendable {
    /// Threads for short reads and writes of this device's own state, such as keys, contacts and rosters. Handshakes
    /// wait for these, so that no item's files are touched on them.
    private static let forLookups = BlockingThreads(named: "lookup", limit: 4)

    /// Set on each of these threads.
    private static let mark: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "A thread cannot be marked: \(code)")
        return key
    }()

    /// Time after which a thread without work ends.
    private static let rest = Duration.seconds(5)
    /// Time in which the latest idle thread looks for jobs before it waits to be woken.
    private static let glance = Duration.milliseconds(1)

    private struct State {
        var jobs = Queue<UnownedJob>()
        var threads = 0
        /// Threads that wait for a job; the one that was busy last is woken first.
        var idle: [Sleeper] = []
        /// Threads that were started or woken for a job and have not got there.
        var coming = 0
        /// True while an idle thread looks for jobs without being woken.
        var isWatched = false
    }

    /// A thread that waits for a job.
    private final class Sleeper {
        let woken = Condition()
        var isWoken = false
    }

    // Sendable, which the compiler cannot see: `name`, `limit` and `lock` are immutable and Sendable. `state`, and
    // `isWoken` of the sleepers in it, are read and written with the lock held alone: by ``enqueue(_:)``, by ``work()``
    // between two jobs, and by what these call. Waiting for a condition gives the lock back only while a thread sleeps.
    private let name: String
    private let limit: Int
    private var state = State()
    private let lock = PlainLock()

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

    /// Runs `body` where short calls on this device's own state may block: on the calling thread, if it belongs to a
    /// pool for blocking calls.
    package static func lookUp<Result, Failure>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if pthread_getspecific(mark) != nil { return try await body() }
        return try await forLookups.run(body)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.lock()
        defer { lock.unlock() }
        state.jobs.append(job)
        guard state.jobs.count > state.coming else { return }
        // The calling thread usually ends its job soon and takes this one: waking another thread would cost more than
        // the job. If it continues or blocks, an idle thread takes it within a millisecond.
        if state.isWatched, state.jobs.count == 1, isCurrent { return }
        wakeOne()
    }

    /// Called with the lock held.
    private func wakeOne() {
        if let sleeper = state.idle.popLast() {
            state.coming += 1
            sleeper.isWoken = true
            sleeper.woken.signal()
        } else if state.threads < limit {
            start()
        }
    }

    /// Called with the lock held.
    private func start() {
        do {
            try startThread(named: name) { self.work() }
            state.threads += 1
            state.coming += 1
        } catch {
            // The existing threads run the jobs, one after the other.
            precondition(state.threads > 0, "There is no thread for calls that block: \(error)")
        }
    }

    // MARK: Threads

    /// True if the calling thread belongs to this pool.
    private var isCurrent: Bool { pthread_getspecific(Self.mark) == Unmanaged.passUnretained(self).toOpaque() }

    private func work() {
        pthread_setspecific(Self.mark, Unmanaged.passUnretained(self).toOpaque())
        let sleeper = Sleeper()
        lock.lock()
        state.coming -= 1
        while let job = next(sleeper) {
            lock.unlock()
            job.runSynchronously(on: asUnownedTaskExecutor())
            lock.lock()
        }
        state.threads -= 1
        lock.unlock()
    }

    /// Called with the lock held.
    ///
    /// - Returns: nil when the thread is to end.
    private func next(_ sleeper: Sleeper) -> UnownedJob? {
        while true {
            if let job = state.jobs.popFirst() { return job }
            // Another thread may have taken the job first; this one waits again.
            guard rest(sleeper) || !state.jobs.isEmpty else { return nil }
        }
    }

    /// Waits, with the lock, until there may be a job.
    ///
    /// - Returns: false after ``rest`` without a job.
    private func rest(_ sleeper: Sleeper) -> Bool {
        let end = ContinuousClock.now + Self.rest
        sleeper.isWoken = false
        state.idle.append(sleeper)
        if !state.isWatched {
            state.isWatched = true
            _ = sleeper.woken.wait(lock, until: .now + Self.glance)
            state.isWatched = false
            // This thread was woken for one job; further jobs, which it would have found by polling, need another
            // thread.
            if sleeper.isWoken, state.jobs.count > state.coming { wakeOne() }
        }
        while !sleeper.isWoken, state.jobs.isEmpty, sleeper.woken.wait(lock, until: end) {}
        guard sleeper.isWoken else {
            state.idle.removeAll { $0 === sleeper }
            return false
        }
        state.coming -= 1
        return true
    }
}

/// Runs `body` where short blocking calls on this device's own state are allowed. They never queue behind the files of
/// an item.
package func withLookupThread<Result, Failure>(
    _ body: @Sendable () async throws(Failure) -> sending Result
) async throws(Failure) -> sending Result {
    try await BlockingThreads.lookUp(body)
}
