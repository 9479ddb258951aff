import Glibc
import PortolanConcurrency
import Testing

/// Threads for all tasks of a process, used here for some of them.
@Suite(.timeLimit(.minutes(20))) struct TaskThreadsTests {
    private actor Counter {
        private(set) var count = 0
        func add() { count += 1 }
    }

    /// Name of the thread that calls.
    private static func threadName() -> String {
        let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    // A compiler with another interface for executors needs a new `TaskThreads.install`: the one for unknown compilers
    // does nothing, and leaves the tasks to libdispatch.
    @Test("a process that has installed them runs its tasks on them, also after a delay")
    func areInstalled() async {
        let names = await Task.detached {
            let before = Self.threadName()
            try? await Task.sleep(for: .milliseconds(1))
            return [before, Self.threadName()]
        }.value
        #expect(names == ["tasks\n", "tasks\n"])
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
