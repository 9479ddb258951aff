import Glibc
import Testing

@testable import PortolanTransport

/// Which thread a blocking call gets.
@Suite(.timeLimit(.minutes(5))) struct BlockingThreadsTests {
    /// Holds a thread of `threads` while `body` runs.
    private func holding(_ threads: BlockingThreads, _ body: () async -> Void) async {
        let (began, feed) = AsyncStream.makeStream(of: Void.self)
        let isOver = Flag()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await threads.run {
                    feed.finish()
                    while !isOver.isSet { usleep(1000) }
                }
            }
            for await _ in began {}
            await body()
            isOver.set()
        }
    }

    @Test("while one thread is held by a slow disk, others do all the work")
    func passesOverHeldThreads() async {
        let threads = BlockingThreads(limit: 3)
        await holding(threads) {
            await holding(threads) {
                // None of them ends if it waits for a thread that is held.
                for _ in 0..<10 { await threads.run { await Task.yield() } }
            }
        }
    }

    @Test("as many transfers as there are places for sessions leave a thread for another one")
    func leavesAThread() async {
        let isOver = Flag()
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<DescriptorBudget.usualPlaces {
                tasks.addTask {
                    await BlockingThreads.forItems.run { while !isOver.isSet { usleep(10_000) } }
                }
            }
            for _ in 0..<10 { await BlockingThreads.forItems.run { await Task.yield() } }
            isOver.set()
        }
    }
}
