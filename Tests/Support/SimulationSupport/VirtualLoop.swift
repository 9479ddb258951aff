import DequeModule
import Dispatch
import HeapModule
import NIOCore
import PortolanTransport
import TestSupport

/// Event loop whose time passes only when no job is ready: the only clock, executor and scheduler of a simulation.
///
/// Jobs run in the order in which they became ready, on the thread that calls ``run(until:)``. Threads of the
/// simulation run one at a time and in turns, when no job is ready; the seed determines the turns. A seed therefore
/// determines the order of all events.
package final class VirtualLoop: EventLoop, TaskExecutor, SimulatedRuntime, @unchecked Sendable {
    // Sendable because only one thread runs at a time: `run` resumes a thread of the simulation and waits until that
    // one gives way, and both hand over by a semaphore. Only the thread with the turn accesses the state.

    /// Error: all tasks and threads wait, and no event is pending.
    package struct Stalled: Error, CustomStringConvertible {
        package let description = "Everyone waits, and nothing will happen."
    }

    private var nanoseconds: Int64 = 0
    private let origin = ContinuousClock.now
    private var ready: Deque<() -> Void> = []
    private var timers = Heap<VirtualTimer>()
    private var timersMade: UInt64 = 0
    private var random: SeededGenerator

    /// Threads that have not ended, without the one that calls `run`.
    private var threads: [VirtualThread] = []
    private var idle: [VirtualThread] = []
    private var current: VirtualThread?
    /// Number of events, so that a waiting thread is resumed only after a new one.
    private var events: UInt64 = 1
    private let hasThreads: Bool

    /// - Parameter hasThreads: true if blocking calls get a thread of the simulation; without threads they must never
    ///   have to wait.
    package init(seed: UInt64, hasThreads: Bool) {
        random = SeededGenerator(seed: seed)
        self.hasThreads = hasThreads
    }

    // MARK: Running

    /// Runs ready jobs, and advances the time when there are none, until `isDone`.
    ///
    /// - Throws: ``Stalled``
    package func run(until isDone: () -> Bool) throws {
        while !isDone() {
            if let job = ready.popFirst() {
                job()
                events += 1
            } else if let thread = nextThread() {
                resume(thread)
            } else {
                try passTime()
            }
        }
    }

    /// Runs an asynchronous function from its beginning to its end.
    ///
    /// - Throws: ``Stalled``, and the error of `body`.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let outcome = VirtualResult<Result>()
        Task(executorPreference: self) {
            do {
                outcome.value = .success(try await body())
            } catch {
                outcome.value = .failure(error)
            }
        }
        try run { outcome.value != nil }
        guard let value = outcome.value else { throw Stalled() }
        return try value.get()
    }

    private func passTime() throws(Stalled) {
        while let timer = timers.popMin() {
            guard let body = timer.body else { continue }
            nanoseconds = max(nanoseconds, timer.time)
            timer.cancel()
            events += 1
            return body()
        }
        throw Stalled()
    }

    // MARK: Time

    /// Nanoseconds since the beginning.
    package var elapsed: Int64 { nanoseconds }

    package var instant: ContinuousClock.Instant { origin + .nanoseconds(nanoseconds) }

    package var now: NIODeadline { .uptimeNanoseconds(UInt64(nanoseconds)) }

    /// Calls `body` at a virtual time.
    @discardableResult
    func at(_ time: Int64, _ body: @escaping () -> Void) -> VirtualTimer {
        timersMade += 1
        let timer = VirtualTimer(time: time, number: timersMade, body)
        timers.insert(timer)
        return timer
    }

    package func sleep(for duration: Duration) async throws {
        let sleep = VirtualSleep()
        let time = nanoseconds + TimeAmount(duration).nanoseconds
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                sleep.begin(continuation, at(time) { sleep.end(.success(())) })
            }
        } onCancel: {
            sleep.end(.failure(CancellationError()))
        }
    }

    // MARK: Jobs

    package let mostLanes = 4

    package var executor: any TaskExecutor { self }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.append { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    package var inEventLoop: Bool { current == nil }

    package func execute(_ task: @escaping @Sendable () -> Void) { ready.append(task) }

    package func scheduleTask<T>(
        deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let timer = at(Int64(clamping: deadline.uptimeNanoseconds)) {
            do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
        }
        return Scheduled(promise: promise) { timer.cancel() }
    }

    package func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + delay, task)
    }

    package func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        preconditionFailure("A simulation ends with the last reference to it")
    }

    // MARK: Threads

    package func startThread(_ body: @escaping @Sendable () -> Void) {
        precondition(hasThreads, "A simulation without threads was to start one")
        threads.append(VirtualThread(of: self, body))
        events += 1
    }

    package func withThread<Result>(
        isolation: isolated (any Actor)?, _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard hasThreads else { return try await body() }
        let thread = idle.popLast() ?? makeWorker()
        defer { idle.append(thread) }
        return try await withTaskExecutorPreference(thread, operation: body)
    }

    private func makeWorker() -> VirtualThread {
        let worker = VirtualThread(workerOf: self)
        threads.append(worker)
        return worker
    }

    package func giveWay(isRetry: Bool, until deadline: ContinuousClock.Instant?) {
        guard let thread = current else { preconditionFailure("Only a thread of a simulation may wait") }
        if !isRetry { events += 1 }
        thread.seen = events
        if let deadline { thread.wakeUp(at(nanoseconds + (deadline - instant).nanoseconds) {}) }
        thread.giveWay()
    }

    /// Ends a simulation: runs ready jobs, drops timers, and ends the threads that wait for jobs.
    ///
    /// Only for a simulation without waiting tasks.
    func finish() {
        while let job = ready.popFirst() { job() }
        timers = Heap()
        for thread in threads { thread.isStopped = true }
        events += 1
        while let thread = nextThread() { resume(thread) }
    }

    private func nextThread() -> VirtualThread? {
        guard !threads.isEmpty else { return nil }
        let start = Int(random.next() % UInt64(threads.count))
        for offset in threads.indices {
            let thread = threads[(start + offset) % threads.count]
            if thread.seen < events || thread.hasJobs { return thread }
        }
        return nil
    }

    private func resume(_ thread: VirtualThread) {
        current = thread
        thread.resume()
        current = nil
        guard thread.isOver else { return }
        threads.removeAll { $0 === thread }
        events += 1
    }
}

/// Event at a time, unless it is cancelled.
final class VirtualTimer: Comparable {
    let time: Int64
    private let number: UInt64
    private(set) var body: (() -> Void)?

    init(time: Int64, number: UInt64, _ body: @escaping () -> Void) {
        self.time = time
        self.number = number
        self.body = body
    }

    func cancel() { body = nil }

    static func < (one: VirtualTimer, other: VirtualTimer) -> Bool {
        (one.time, one.number) < (other.time, other.number)
    }

    static func == (one: VirtualTimer, other: VirtualTimer) -> Bool { one === other }
}

// Sendable for the reason that the loop is: only the thread with the turn accesses timers.
extension VirtualTimer: @unchecked Sendable {}

/// A task that sleeps.
private final class VirtualSleep: @unchecked Sendable {
    // Sendable for the reason that its loop is.
    private var continuation: CheckedContinuation<Void, any Error>?
    private var timer: VirtualTimer?

    func begin(_ continuation: CheckedContinuation<Void, any Error>, _ timer: VirtualTimer) {
        (self.continuation, self.timer) = (continuation, timer)
    }

    func end(_ result: Result<Void, any Error>) {
        timer?.cancel()
        continuation.take()?.resume(with: result)
    }
}

/// Result of a task, for the thread with the turn.
private final class VirtualResult<Value>: @unchecked Sendable {
    var value: Result<Value, any Error>?
}

extension Duration {
    /// Whole nanoseconds.
    var nanoseconds: Int64 { TimeAmount(self).nanoseconds }
}
