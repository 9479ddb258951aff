import Glibc
import PortolanConcurrency
import Synchronization
import Testing

@testable import PortolanTransport

/// Which thread a blocking call gets.
@Suite(.timeLimit(.minutes(5))) struct BlockingThreadsTests {
    /// Counts how many are at work.
    private final class Tally: Sendable {
        private let counts = Mutex((all: 0, now: 0, most: 0))

        var all: Int { counts.withLock(\.all) }
        var most: Int { counts.withLock(\.most) }

        func enter() {
            counts.withLock { counts in
                counts.all += 1
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() { counts.withLock { $0.now -= 1 } }
    }

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

    @Test("tasks that wait for something else hold no thread")
    func holdsNoThreadWhileWaiting() async {
        let threads = BlockingThreads(limit: 1)
        let isOver = OneShot<Void, Never>()
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<100 { tasks.addTask { await threads.run { await isOver.value() } } }
            // Ends only if the one thread is free.
            await threads.run { _ = isOver.settle() }
        }
    }

    @Test("each call runs once, however many come at a time and however few threads there are", arguments: [1, 2, 7])
    func runsEachOnce(limit: Int) async {
        let threads = BlockingThreads(limit: limit)
        let tally = Tally()
        await withTaskGroup(of: Void.self) { tasks in
            for number in 0..<500 {
                tasks.addTask {
                    await threads.run {
                        tally.enter()
                        if number.isMultiple(of: 10) { usleep(100) }
                        tally.leave()
                    }
                }
            }
        }
        #expect(tally.all == 500)
        #expect((1...limit).contains(tally.most))
    }

    @Test("as many transfers as there may be half-open connections leave a thread for another one")
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
