import CPortolanLinux
import Glibc
import PortolanValues
import Synchronization

#if compiler(>=6.3) && compiler(<6.4)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// Threads on which a whole process runs its tasks, in place of those of libdispatch.
///
/// libdispatch counts its busy threads every second for as long as the process lives. A process with these threads
/// sleeps until something happens: threads wait for a job, and one of them waits for the next deadline. Jobs run in the
/// order in which they come.
///
/// As with any pool for tasks, nothing that blocks may run here.
package final class TaskThreads: TaskExecutor, @unchecked Sendable {
    // Sendable because `state` is used under `lock` alone, and the descriptor never changes.
    private var state = State()
    private let limit: Int
    private let lock = PlainLock()
    private let wanted = Condition()
    /// Wakes the thread that waits for a deadline.
    private let timer: CInt

    private struct State {
        var jobs = Queue<UnownedJob>()
        /// The latest deadline first.
        var delayed: [Delayed] = []
        var threads = 0
        /// Threads that wait for a job.
        var idle = 0
        /// True while a thread waits for the next deadline.
        var isTimed = false
        /// True after the thread that waits for the next deadline was woken for a job, until it runs.
        var isCalled = false

        var hasWork: Bool { !jobs.isEmpty || (!isTimed && !delayed.isEmpty) }
    }

    private struct Delayed {
        let job: UnownedJob
        /// Nanoseconds since the machine started.
        let due: Int64
    }

    private static var processors: Int { max(2, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// - Parameter limit: largest number of threads; they start as they are needed, and stay. The process
    ///   keeps them.
    package init(limit: Int) {
        precondition(limit > 0, "Tasks need a thread")
        self.limit = limit
        timer = portolan_timer()
        precondition(timer >= 0, "A process without a timer cannot wait")
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        withLock {
            state.jobs.append(job)
            wakeOne()
        }
    }

    /// Runs a job after a time; the time in which the machine is suspended counts.
    package func enqueue(_ job: consuming ExecutorJob, after delay: Duration) {
        let job = UnownedJob(job)
        let wait = delay.wholeNanoseconds
        let now = Self.now()
        let due = max(1, wait > .max - now ? .max : now + wait)
        withLock {
            // Inserted after jobs of the same deadline, which are further back in the array.
            let place = state.delayed.firstIndex { $0.due <= due } ?? state.delayed.endIndex
            state.delayed.insert(Delayed(job: job, due: due), at: place)
            guard place == state.delayed.endIndex - 1 else { return }
            if !state.isTimed { wakeOne() } else if !state.isCalled { setTimer(due) }
        }
    }

    // MARK: Threads

    /// Wakes an idle thread, or starts one, to look for work. Called with the lock held.
    private func wakeOne() {
        if state.idle > 0 {
            wanted.signal()
        } else if state.threads < limit, start() {
            state.threads += 1
        } else if state.isTimed {
            state.isCalled = true
            setTimer(1)
        }
    }

    private func start() -> Bool {
        do {
            try startThread(named: "tasks") { self.work() }
            return true
        } catch {
            precondition(state.threads > 0, "Tasks cannot run without a thread: \(error)")
            return false
        }
    }

    private func work() -> Never {
        lock.lock()
        while true {
            if let job = next() {
                // This also wakes a successor if this thread waited for the next deadline.
                if state.hasWork { wakeOne() }
                lock.unlock()
                job.runSynchronously(on: asUnownedTaskExecutor())
                lock.lock()
            } else if !state.isTimed, let first = state.delayed.last {
                state.isTimed = true
                setTimer(first.due)
                lock.unlock()
                var expirations: UInt64 = 0
                _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
                lock.lock()
                (state.isTimed, state.isCalled) = (false, false)
            } else {
                state.idle += 1
                wanted.wait(lock)
                state.idle -= 1
            }
        }
    }

    /// Returns the next job that is due. Called with the lock held.
    private func next() -> UnownedJob? {
        if !state.delayed.isEmpty {
            let now = Self.now()
            while let first = state.delayed.last, first.due <= now {
                state.jobs.append(first.job)
                state.delayed.removeLast()
            }
        }
        return state.jobs.popFirst()
    }

    private func setTimer(_ due: Int64) {
        let code = portolan_set_timer(timer, due)
        precondition(code == 0, "A timer is set to a time")
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func withLock(_ body: () -> Void) {
        lock.lock()
        body()
        lock.unlock()
    }
}

// MARK: - In place of libdispatch

// The API for executors of a whole process is a proposal, in the library of these compilers only. With other compilers
// the process keeps libdispatch.
#if compiler(>=6.3) && compiler(<6.4)
    extension TaskThreads {
        /// Runs all tasks of this process on such threads, except those with a preference for another executor. Called
        /// once, before the first task.
        ///
        /// The main actor is not affected: a process that uses it needs its own loop for it.
        ///
        /// - Parameter limit: largest number of threads; nil for one for each processor.
        package static func install(limit: Int? = nil) {
            Factory.limit.store(limit ?? processors, ordering: .relaxed)
            _createExecutors(factory: Factory.self)
        }

        private struct Factory: ExecutorFactory {
            static let limit = Atomic(processors)
            static let threads = TaskThreads(limit: limit.load(ordering: .relaxed))

            static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
            static var defaultExecutor: any TaskExecutor { threads }
        }
    }

    extension TaskThreads: SchedulingExecutor {
        package func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            guard let delay = delay as? Duration else { preconditionFailure("A clock that counts no time") }
            enqueue(job, after: delay)
        }

        package func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
        }
    }
#else
    extension TaskThreads {
        /// Does nothing: this compiler cannot replace the executor of a process.
        package static func install(limit: Int? = nil) {}
    }
#endif
