import Glibc
import PortolanConcurrency
import Testing

/// Choice of a thread for a blocking call.
@Suite(.timeLimit(.minutes(20))) struct BlockingThreadsTests {
    /// Holds a thread of `threads` while `body` runs.
    private func holding(_ threads: BlockingThreads, _ body: () async -> Void) async {
        let (began, feed) = AsyncStream.makeStream(of: Void.self)
        let isOver = OneShot<Void, Never>()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await threads.run {
                    feed.finish()
                    while !isOver.isSettled { usleep(1000) }
                }
            }
            for await _ in began {}
            await body()
            isOver.settle()
        }
    }

    @Test("while one thread is held by a slow disk, others do all the work")
    func passesOverHeldThreads() async {
        let threads = BlockingThreads(limit: 3)
        await holding(threads) {
            await holding(threads) {
                // None of them would end if it waited for an occupied thread.
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
            // Ends only if the single thread is free.
            await threads.run { _ = isOver.settle() }
        }
    }

    @Test("a job that a thread leaves behind is done though that thread blocks", arguments: [2, 5])
    func runsRemainingJobs(limit: Int) async {
        let threads = BlockingThreads(limit: limit)
        for _ in 0..<200 {
            await threads.run {
                let isDone = OneShot<Void, Never>()
                Task(executorPreference: threads) { isDone.settle() }
                while !isDone.isSettled { usleep(50) }
            }
        }
    }

    @Test("a job never waits for another one that blocks, on any thread")
    func strandsNothing() async {
        for _ in 0..<300 {
            let threads = BlockingThreads(limit: 3)
            await threads.run {
                let hasRested = OneShot<Void, Never>()
                Task(executorPreference: threads) { hasRested.settle() }
                while !hasRested.isSettled { usleep(10) }
                // The other thread polls for jobs now. The first job is left to it, and for the second it is woken.
                usleep(30)
                let isOver = OneShot<Void, Never>()
                let begun = [OneShot<Void, Never>(), OneShot<Void, Never>()]
                for one in begun {
                    Task(executorPreference: threads) {
                        one.settle()
                        while !isOver.isSettled { usleep(50) }
                    }
                }
                while !begun.allSatisfy({ $0.isSettled }) { usleep(50) }
                isOver.settle()
            }
        }
    }

    @Test("a look-up on a thread that may block needs no other one")
    func lookUpRunsOnTheSameThread() async {
        await BlockingThreads(limit: 1).run {
            let here = pthread_self()
            await BlockingThreads.lookUp { #expect(pthread_self() == here) }
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
}
