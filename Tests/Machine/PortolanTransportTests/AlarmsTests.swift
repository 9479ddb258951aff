import PortolanConcurrency
import Synchronization
import Testing

@testable import PortolanTransport

/// Calls that are made while something lasts.
@Suite(.timeLimit(.minutes(20))) struct AlarmsTests {
    /// Counter of calls that tests can await.
    private final class Calls: Sendable {
        private let made = Atomic(0)

        var count: Int { made.load(ordering: .relaxed) }

        func add() { made.add(1, ordering: .relaxed) }

        func wait(for count: Int) async throws {
            while self.count < count { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func withAlarms(_ body: (Alarms) async throws -> Void) async throws {
        let alarms = Alarms(on: .system)
        let running = Task { await alarms.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(alarms)) } catch { result = .failure(error) }
        running.cancel()
        await running.value
        try result.get()
    }

    @Test("an alarm is called again and again while it lasts, and never afterwards")
    func callsWhileTheConditionLasts() async throws {
        try await withAlarms { alarms in
            let calls = Calls()
            try await alarms.with(
                Alarm(after: .milliseconds(2)) {
                    calls.add()
                    return true
                }
            ) {
                try await calls.wait(for: 5)
            }
            let made = calls.count
            try await Task.sleep(for: .milliseconds(20))
            #expect(calls.count == made)
        }
    }

    @Test("an alarm that declines a second call gets none")
    func callsOnce() async throws {
        try await withAlarms { alarms in
            let (once, often) = (Calls(), Calls())
            try await alarms.with(
                Alarm(after: .milliseconds(1)) {
                    once.add()
                    return false
                },
                Alarm(after: .milliseconds(1)) {
                    often.add()
                    return true
                }
            ) {
                try await often.wait(for: 20)
            }
            #expect(once.count == 1)
        }
    }

    @Test("an alarm that is due before those that were set earlier is not late", arguments: [1, 100])
    func wakesForTheEarliest(others: Int) async throws {
        try await withAlarms { alarms in
            let calls = Calls()
            try await alarms.with(Alarm(after: .seconds(600)) { false }) {
                for number in 1...others {
                    try await alarms.with(
                        Alarm(after: .milliseconds(1)) {
                            calls.add()
                            return false
                        }
                    ) {
                        try await calls.wait(for: number)
                    }
                }
            }
        }
    }

    @Test("a call that is under way is cancelled and waited for")
    func cancelsRunningCalls() async throws {
        try await withAlarms { alarms in
            let (began, ended) = (Calls(), Calls())
            try await alarms.with(
                Alarm(after: .zero) {
                    began.add()
                    try? await Task.sleep(for: .seconds(600))
                    ended.add()
                    return true
                }
            ) {
                try await began.wait(for: 1)
            }
            #expect(ended.count == 1)
        }
    }

    @Test("a call that takes long holds up no other one")
    func doesNotWaitForSlowCalls() async throws {
        try await withAlarms { alarms in
            let calls = Calls()
            try await alarms.with(
                Alarm(after: .milliseconds(1)) {
                    try? await Task.sleep(for: .seconds(600))
                    return false
                },
                Alarm(after: .milliseconds(1)) {
                    calls.add()
                    return true
                }
            ) {
                try await calls.wait(for: 3)
            }
        }
    }

    @Test("an operation does not wait for alarms that do not run any more")
    func endsWithoutARun() async throws {
        let alarms = Alarms(on: .system)
        let running = Task { await alarms.run() }
        running.cancel()
        await running.value
        await alarms.with(Alarm(after: .zero) { true }) {}
    }
}
