import Glibc
import PortolanConcurrency
import Testing

@testable import PortolanTransport

/// Threads for the files of items.
@Suite(.timeLimit(.minutes(20))) struct ItemThreadsTests {
    @Test("transfers as many as there may be half-open connections leave a thread for another one")
    func leavesAThread() async {
        let isOver = Flag()
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<DescriptorBudget.mostHalfOpen {
                tasks.addTask {
                    await BlockingThreads.forItems.run { while !isOver.isSet { usleep(10_000) } }
                }
            }
            for _ in 0..<10 { await BlockingThreads.forItems.run { await Task.yield() } }
            isOver.set()
        }
    }
}
