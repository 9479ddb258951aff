import PortolanConcurrency
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct OneShotTests {
    private struct Failed: Error, Equatable {}

    @Test func theFirstResultCounts() async throws {
        let answer = OneShot<Int, Failed>()
        #expect(!answer.isSettled)
        #expect(answer.settle(.success(1)))
        #expect(!answer.settle(.success(2)))
        #expect(!answer.settle(.failure(Failed())))
        #expect(answer.isSettled)
        for _ in 0..<2 { #expect(try await answer.value() == 1) }
    }

    @Test func allWaitersGetTheResult() async {
        let answer = OneShot<Int, Failed>()
        let results = await withTaskGroup(of: Result<Int, Failed>.self) { tasks in
            for _ in 0..<20 {
                tasks.addTask {
                    do throws(Failed) { return .success(try await answer.value()) } catch { return .failure(error) }
                }
            }
            await Task.yield()
            answer.settle(.failure(Failed()))
            return await tasks.reduce(into: [Result<Int, Failed>]()) { $0.append($1) }
        }
        #expect(results == Array(repeating: .failure(Failed()), count: 20))
    }

    @Test func onlyOneOfManyConcurrentResultsCounts() async throws {
        let answer = OneShot<Int, Failed>()
        async let value = answer.value()
        let counted = await withTaskGroup(of: Int?.self) { tasks in
            for number in 0..<20 {
                tasks.addTask { answer.settle(.success(number)) ? number : nil }
            }
            return await tasks.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(counted.count == 1)
        #expect(try await value == counted.first)
    }

    @Test func cancelledTaskSettlesTheResultForAllWaiters() async throws {
        let answer = OneShot<String, any Error>()
        let cancelled = Task { try await answer.value(ifCancelled: .failure(CancellationError())) }
        let other = Task { try await answer.value() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test func cancelledTaskDoesNotWait() async throws {
        let answer = OneShot<Int, Never>()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await answer.value(ifCancelled: .success(7))
        }
        task.cancel()
        #expect(await task.value == 7)
    }

    @Test func cancellationDoesNotChangeAResult() async throws {
        let answer = OneShot<Int, Never>()
        answer.settle(.success(1))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await answer.value(ifCancelled: .success(7))
        }
        task.cancel()
        #expect(await task.value == 1)
    }
}
