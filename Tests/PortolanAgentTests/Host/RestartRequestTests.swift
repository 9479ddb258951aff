import Synchronization
import Testing

@testable import PortolanAgent

@Suite("The wish to be started again")
struct RestartRequestTests {
    /// Time that passes at the request of a test.
    private final class Steps: Sendable {
        let (begun, beginning) = AsyncStream.makeStream(of: Duration.self)
        private let (wakes, waking) = AsyncStream.makeStream(of: Void.self)

        func sleep(_ duration: Duration) async throws {
            beginning.yield(duration)
            for await _ in wakes { return }
            throw CancellationError()
        }

        func wake() { waking.yield() }
    }

    @Test("several folders cause one restart, which waits for further ones, and no early one is lost")
    func severalFoldersCauseOneRestart() async throws {
        let steps = Steps()
        let request = RestartRequest { try await steps.sleep($0) }
        request.ask()
        let hasEnded = Atomic(false)
        async let end: Void = {
            try await request.run()
            hasEnded.store(true, ordering: .sequentiallyConsistent)
        }()
        var sleeps = steps.begun.makeAsyncIterator()
        #expect(await sleeps.next() == RestartRequest.leastAge)
        request.ask()
        steps.wake()
        #expect(await sleeps.next() == RestartRequest.pause)
        request.ask()
        let isEarly = hasEnded.load(ordering: .sequentiallyConsistent)
        #expect(!isEarly)
        steps.wake()
        try await end
    }

    @Test("without a request an agent does not restart, and a stop ends the wait")
    func noRestartWithoutARequest() async throws {
        let steps = Steps()
        let request = RestartRequest { try await steps.sleep($0) }
        let running = Task { try await request.run() }
        var sleeps = steps.begun.makeAsyncIterator()
        #expect(await sleeps.next() == RestartRequest.leastAge)
        steps.wake()
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}
