import PortolanConcurrency
import Testing

/// Threads for all tasks of a process, here for some of them.
@Suite(.timeLimit(.minutes(20))) struct TaskThreadsTests {
    private actor Counter {
        private(set) var count = 0
        func add() { count += 1 }
    }

    @Test("every job runs once, on as many threads as there may be", arguments: [1, 2, 5])
    func runsEachOnce(limit: Int) async {
        let threads = TaskThreads(limit: limit)
        let counter = Counter()
        let tally = Tally()
        await withTaskExecutorPreference(threads) {
            await withTaskGroup(of: Void.self) { tasks in
                for _ in 0..<2000 {
                    tasks.addTask {
                        tally.enter()
                        tally.leave()
                        await counter.add()
                    }
                }
            }
        }
        #expect(await counter.count == 2000)
        #expect(tally.all == 2000)
        #expect((1...limit).contains(tally.most))
    }

    @Test("jobs that are delayed run in the order of their deadlines, and none before its own", arguments: [1, 3])
    func keepsDeadlines(limit: Int) async {
        let threads = TaskThreads(limit: limit)
        await withTaskExecutorPreference(threads) {
            await withTaskGroup(of: Bool.self) { tasks in
                for number in (0..<200).shuffled() {
                    tasks.addTask {
                        let wait = Duration.milliseconds(number)
                        let start = ContinuousClock.now
                        try? await Task.sleep(for: wait)
                        return start.duration(to: .now) >= wait
                    }
                }
                for await wasKept in tasks { #expect(wasKept) }
            }
        }
    }

    @Test("a short delay is not kept waiting by a long one, nor by one without end")
    func shortBeforeLong() async {
        let threads = TaskThreads(limit: 2)
        await withTaskExecutorPreference(threads) {
            await withTaskGroup(of: Void.self) { tasks in
                for seconds in [1 << 40, 1_000_000, 3600] {
                    tasks.addTask { try? await Task.sleep(for: .seconds(seconds)) }
                }
                // Ends only if these end first.
                await withTaskGroup(of: Void.self) { short in
                    for number in 0..<20 {
                        short.addTask { try? await Task.sleep(for: .milliseconds(number)) }
                    }
                }
                tasks.cancelAll()
            }
        }
    }
}
