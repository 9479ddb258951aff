import Testing

@testable import Portolan

@Suite struct RetryScheduleTests {
    private let start = ContinuousClock.now

    @Test("the waits grow, and stay at the longest")
    func waitsGrow() {
        var schedule = RetrySchedule(patience: .seconds(600))
        let waits = (0..<8).map { _ in schedule.nextWait(now: start, chance: 0) }
        #expect(waits == [0.5, 1, 2, 4, 8, 15, 15, 15].map { .seconds($0) })
    }

    @Test("chance makes a wait longer by a quarter at most")
    func jitter() {
        var schedule = RetrySchedule(patience: .seconds(600))
        #expect(schedule.nextWait(now: start, chance: 1) == .milliseconds(625))
        #expect(schedule.nextWait(now: start, chance: 0.5) == .milliseconds(1125))
    }

    @Test("the last attempt is made when the time is up, and none after it")
    func lastAttemptIsAtTheEnd() {
        var schedule = RetrySchedule(patience: .seconds(2))
        #expect(schedule.nextWait(now: start, chance: 0) == .milliseconds(500))
        #expect(schedule.nextWait(now: start + .milliseconds(600), chance: 0) == .seconds(1))
        #expect(schedule.nextWait(now: start + .milliseconds(1700), chance: 0) == .milliseconds(300))
        #expect(schedule.nextWait(now: start + .seconds(2), chance: 0) == nil)
        #expect(schedule.nextWait(now: start + .seconds(9), chance: 0) == nil)
    }

    @Test("without patience there is no attempt")
    func noAttemptWithoutPatience() {
        var schedule = RetrySchedule(patience: .zero)
        #expect(schedule.nextWait(now: start, chance: 0) == nil)
    }

    @Test("the time begins anew with progress")
    func beginsAnew() {
        var schedule = RetrySchedule(patience: .seconds(1))
        #expect(schedule.nextWait(now: start, chance: 0) == .milliseconds(500))
        schedule.hasProgressed()
        #expect(schedule.nextWait(now: start + .seconds(5), chance: 0) == .milliseconds(500))
        #expect(schedule.nextWait(now: start + .seconds(6), chance: 0) == nil)
    }
}
