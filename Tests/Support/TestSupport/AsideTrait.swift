import Foundation
import Glibc
import Synchronization
import Testing

extension Trait where Self == AsideTrait {
    /// Trait for suites with long computations or disk waits: they run on threads of their own with a low priority.
    ///
    /// The few shared threads of tasks are left to the other tests.
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
        // The priority is that of this thread alone: Linux has one for each. A lower one would hardly run beside a busy
        // program.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        while true {
            count.wait()
            let job = waiting.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
