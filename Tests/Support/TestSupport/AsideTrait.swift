import Foundation
import Glibc
import Synchronization
import Testing

extension Trait where Self == AsideTrait {
    /// For suites that compute or wait for the disk for long: they run on threads of their own, which give way to all others.
    ///
    /// The few threads that tasks share are for tests that others wait for.
    package static var aside: Self { Self() }
}

package struct AsideTrait: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(AsideThreads.shared) { try await function() }
    }
}

private final class AsideThreads: TaskExecutor {
    static let shared = AsideThreads(count: 2)

    private let waiting = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    private init(count: Int) {
        for _ in 0..<count { Thread.detachNewThread { self.run() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        waiting.withLock { $0.append(job) }
        count.signal()
    }

    private func run() -> Never {
        // Of this thread alone: Linux keeps one priority for each. Lower than this, it would hardly run beside a busy program.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        while true {
            count.wait()
            let job = waiting.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
