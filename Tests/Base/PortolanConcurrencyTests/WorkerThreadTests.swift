import Foundation
import Glibc
import PortolanConcurrency
import Testing

/// Threads for work that blocks from beginning to end.
@Suite(.timeLimit(.minutes(20))) struct WorkerThreadTests {
    private struct Failure: Error {}

    @Test("all waiters get the work's result, before and after its end")
    func returns() async throws {
        let isOver = OneShot<Void, Never>()
        let thread = try WorkerThread(named: "returning") {
            while !isOver.isSettled { usleep(1000) }
            return 7
        }
        async let early = thread.value
        isOver.settle()
        #expect(try await early == 7)
        #expect(try await thread.value == 7)
    }

    @Test("an error of the work reaches its waiters")
    func throwsErrors() async throws {
        let thread = try WorkerThread<Void>(named: "throwing") { throw Failure() }
        await #expect(throws: Failure.self) { try await thread.value }
    }

    @Test("a thread has a name and takes no signals")
    func isQuiet() async throws {
        let (name, isBlocked) = try await WorkerThread(named: "a name that is too long") {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let isBlocked = [SIGINT, SIGTERM, SIGHUP, SIGCHLD].allSatisfy { sigismember(&mask, $0) == 1 }
            return (try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8), isBlocked)
        }.value
        #expect(name == "a name that is \n")
        #expect(isBlocked)
    }
}
