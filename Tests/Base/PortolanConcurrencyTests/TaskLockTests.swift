import PortolanConcurrency
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct TaskLockTests {
    private struct Failed: Error {}

    /// Record of the tasks that held the lock.
    private final class Diary: Sendable {
        private let state = Mutex((inside: 0, most: 0, order: [Int]()))

        var most: Int { state.withLock(\.most) }
        var order: [Int] { state.withLock(\.order) }

        func enter(_ number: Int) {
            state.withLock { state in
                state.inside += 1
                state.most = max(state.most, state.inside)
                state.order.append(number)
            }
        }

        func leave() { state.withLock { $0.inside -= 1 } }
    }

    /// Takes the lock until `release` is settled.
    private func hold(_ lock: TaskLock, until release: OneShot<Void, Never>) async -> Task<Void, any Error> {
        let isHeld = OneShot<Void, Never>()
        let holder = Task {
            try await lock.withLock {
                isHeld.settle()
                await release.value()
            }
        }
        await isHeld.value()
        return holder
    }

    @Test func oneTaskHoldsTheLockAtATime() async throws {
        let lock = TaskLock()
        let diary = Diary()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<50 {
                tasks.addTask {
                    try await lock.withLock {
                        diary.enter(number)
                        await Task.yield()
                        diary.leave()
                    }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(diary.most == 1)
        #expect(diary.order.sorted() == Array(0..<50))
    }

    @Test func asManyAsThereArePlaces() async throws {
        let lock = TaskLock(places: 2)
        let release = OneShot<Void, Never>()
        let holders = [await hold(lock, until: release), await hold(lock, until: release)]
        let diary = Diary()
        let third = Task {
            try await lock.withLock {
                diary.enter(3)
                #expect(release.isSettled)
            }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(diary.order.isEmpty)
        release.settle()
        for holder in holders + [third] { try await holder.value }
        #expect(diary.order == [3])
        // All places are free again.
        let again = OneShot<Void, Never>()
        let others = [await hold(lock, until: again), await hold(lock, until: again)]
        again.settle()
        for holder in others { try await holder.value }
    }

    @Test func inTheOrderOfAsking() async throws {
        let lock = TaskLock()
        let release = OneShot<Void, Never>()
        let holder = await hold(lock, until: release)
        let diary = Diary()
        var waiters: [Task<Void, any Error>] = []
        for number in 0..<10 {
            // Each task runs to its first wait before the next one is made.
            waiters.append(Task.immediate { try await lock.withLock { diary.enter(number) } })
        }
        release.settle()
        try await holder.value
        for waiter in waiters { try await waiter.value }
        #expect(diary.order == Array(0..<10))
    }

    @Test func cancelledTaskLeavesTheQueue() async throws {
        let lock = TaskLock()
        let release = OneShot<Void, Never>()
        let holder = await hold(lock, until: release)
        let first = Task.immediate { try await lock.withLock {} }
        let second = Task.immediate { try await lock.withLock { 2 } }
        first.cancel()
        // While the lock is held.
        await #expect(throws: CancellationError.self) { try await first.value }
        release.settle()
        try await holder.value
        #expect(try await second.value == 2)
        #expect(try await lock.withLock { 3 } == 3)
    }

    @Test func anErrorGivesTheLockBack() async throws {
        let lock = TaskLock()
        for _ in 0..<2 {
            await #expect(throws: Failed.self) { try await lock.withLock { throw Failed() } }
        }
    }
}
