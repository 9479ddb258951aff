import DequeModule
import Dispatch
import Foundation

/// A thread of a simulation: it runs when it is its turn, until it gives way.
///
/// As an executor it runs the jobs of one task that makes blocking calls.
final class VirtualThread: TaskExecutor, @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.
    private unowned let loop: VirtualLoop
    private let mayGo = DispatchSemaphore(value: 0)
    private let hasGivenWay = DispatchSemaphore(value: 0)
    private var jobs: Deque<UnownedJob> = []
    private var timer: VirtualTimer?
    /// Body; nil once it has begun.
    private var body: (@Sendable () -> Void)?

    /// Number of the simulation's events when the thread last found no work.
    var seen: UInt64 = 0
    /// True if no more jobs come.
    var isStopped = false
    private(set) var isOver = false

    /// Makes a thread that runs `body`.
    init(of loop: VirtualLoop, _ body: @escaping @Sendable () -> Void) {
        self.loop = loop
        start(body)
    }

    /// Makes a thread that runs jobs until it is stopped.
    init(workerOf loop: VirtualLoop) {
        self.loop = loop
        start { [self] in work() }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        Thread.detachNewThread { [self] in
            mayGo.wait()
            runToEnd()
            isOver = true
            hasGivenWay.signal()
        }
    }

    /// Releases the objects of the body during this thread's turn: released lanes end, which is an event of the
    /// simulation.
    private func runToEnd() {
        let body = body.take()
        body?()
    }

    private func work() {
        var isRetry = false
        while !isStopped {
            while let job = jobs.popFirst() {
                job.runSynchronously(on: asUnownedTaskExecutor())
                isRetry = false
            }
            loop.giveWay(isRetry: isRetry, until: nil)
            isRetry = true
        }
    }

    var hasJobs: Bool { !jobs.isEmpty }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// Runs the thread until it gives way. Called by the thread of the loop.
    func resume() {
        timer?.cancel()
        timer = nil
        mayGo.signal()
        hasGivenWay.wait()
    }

    /// Gives way to the others. Called by this thread.
    func giveWay() {
        hasGivenWay.signal()
        mayGo.wait()
    }

    /// Sets a timer that wakes the thread, unless another event does before.
    func wakeUp(_ timer: VirtualTimer) { self.timer = timer }
}
