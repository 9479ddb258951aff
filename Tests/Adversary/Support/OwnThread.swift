import Dispatch

/// Runs a test's own code where it may block: the hostile peers do, and must not hold the threads that their victims need.
final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a hostile peer")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
