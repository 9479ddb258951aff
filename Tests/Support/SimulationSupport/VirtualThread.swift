import DequeModule
import Dispatch
import Foundation

/// A thread of a simulation: it runs when it is its turn, until it gives way.
///
/// As an executor it runs the jobs of one task that makes blocking calls.
final class VirtualThread: TaskExecutor, @unchecked Sendable {
    // Sendable for the reason that its loop is: whoever has the turn touches what is in here.
    private unowned let loop: VirtualLoop
    private let mayGo = DispatchSemaphore(value: 0)
    private let hasGivenWay = DispatchSemaphore(value: 0)
    private var jobs: Deque<UnownedJob> = []
    private var timer: VirtualTimer?
    /// nil once it has begun.
    private var body: (@Sendable () -> Void)?

    /// Events of the simulation that had happened when it last found nothing to do.
    var seen: UInt64 = 0
    /// Whether no more jobs come.
    var isStopped = false
    private(set) var isOver = false

    /// A thread that runs `body`.
    init(of loop: VirtualLoop, _ body: @escaping @Sendable () -> Void) {
        self.loop = loop
        start(body)
    }

    /// A thread that runs jobs until it is stopped.
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

    /// What the body holds goes while it is this thread's turn: lanes that are let go of end, which is an event of the simulation.
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

    /// Lets it run until it gives way. For the thread that runs the loop.
    func resume() {
        timer?.cancel()
        timer = nil
        mayGo.signal()
        hasGivenWay.wait()
    }

    /// Lets the others run. For this thread alone.
    func giveWay() {
        hasGivenWay.signal()
        mayGo.wait()
    }

    /// Has this timer wake it, unless something else does before.
    func wakeUp(_ timer: VirtualTimer) { self.timer = timer }
}
