import PortolanDiscovery
import TestSupport
import Testing

struct AddressRaceTests {
    /// Effect of a network on one attempt.
    private enum Fate {
        case answers(after: Int)
        case fails(after: Int)
        case silent
    }

    /// Runs a race in simulated time and records its events, in milliseconds since the start.
    private func run(_ fates: [Fate], deadline: Int = 10_000) -> (
        log: [String], winner: Int?, failure: AddressRace.Failure?
    ) {
        let start = ContinuousClock.now
        let addresses = fates.indices.map { address("192.0.2.\($0 + 1)", on: .ethernet) }
        var race = AddressRace(addresses, deadline: start + .milliseconds(deadline))
        var now = 0
        var wake: Int?
        var pending: [(time: Int, attempt: AddressRace.Attempt, answers: Bool)] = []
        var log: [String] = []
        var winner: Int?
        var failure: AddressRace.Failure?

        func perform(_ actions: [AddressRace.Action]) {
            for action in actions {
                switch action {
                case .connect(let attempt):
                    log.append("\(now) connect \(attempt.number)")
                    switch fates[attempt.number] {
                    case .answers(let delay): pending.append((now + delay, attempt, true))
                    case .fails(let delay): pending.append((now + delay, attempt, false))
                    case .silent: break
                    }
                case .cancel(let attempt):
                    log.append("\(now) cancel \(attempt.number)")
                    pending.removeAll { $0.attempt == attempt }
                case .seek: Issue.record("it cannot seek")
                case .wait(let until): wake = start.duration(to: until).inMilliseconds
                case .giveUp(let reason): failure = reason
                }
            }
        }

        perform(race.start(now: start))
        while winner == nil, failure == nil {
            let next = pending.min { $0.time < $1.time }
            if let next, next.time <= wake ?? .max {
                now = next.time
                pending.removeAll { $0.attempt == next.attempt }
                if next.answers {
                    winner = next.attempt.number
                    perform(race.succeeded(next.attempt))
                } else {
                    perform(race.failed(next.attempt, now: start + .milliseconds(now)))
                }
            } else if let time = wake {
                now = time
                wake = nil
                perform(race.tick(now: start + .milliseconds(now)))
            } else {
                Issue.record("the race waits for nothing: \(log)")
                break
            }
        }
        return (log, winner, failure)
    }

    @Test func onlyTheFirstAddressIsTriedWithinTheStagger() {
        let (log, winner, _) = run([.answers(after: 200), .answers(after: 1)])
        #expect(log == ["0 connect 0"] && winner == 0)
    }

    @Test func theNextStartsAfterAQuarterOfASecondAndTheFirstToAnswerWins() {
        let (log, winner, _) = run([.silent, .answers(after: 400), .answers(after: 10), .answers(after: 1)])
        #expect(
            log == ["0 connect 0", "250 connect 1", "500 connect 2", "510 cancel 0", "510 cancel 1"] && winner == 2)
    }

    @Test func aFailureStartsTheNextAtOnce() {
        let (log, winner, _) = run([.fails(after: 3), .fails(after: 4), .answers(after: 5)])
        #expect(log == ["0 connect 0", "3 connect 1", "7 connect 2"] && winner == 2)
    }

    @Test func slowAddressMayWinAfterLaterOnesFailed() {
        let (log, winner, _) = run([.answers(after: 900), .fails(after: 10), .fails(after: 10)])
        #expect(log == ["0 connect 0", "250 connect 1", "260 connect 2"] && winner == 0)
    }

    @Test func raceIsLostWhenAllAddressesFail() {
        #expect(run([.fails(after: 3), .fails(after: 300)]).failure == .allFailed)
        #expect(run([]).failure == .noAddresses)
    }

    @Test func deadlineEndsTheRace() {
        let (log, _, failure) = run([.silent, .silent], deadline: 600)
        #expect(log == ["0 connect 0", "250 connect 1", "600 cancel 0", "600 cancel 1"] && failure == .deadlinePassed)
        #expect(run([.answers(after: 1)], deadline: 0).failure == .deadlinePassed)
        #expect(run([.silent, .answers(after: 1)], deadline: 100).failure == .deadlinePassed)
    }

    @Test func connectionAfterTheWinnerIsClosed() throws {
        let now = ContinuousClock.now
        var race = AddressRace([address("192.0.2.1"), address("192.0.2.2")], deadline: now + .seconds(1))
        let first = AddressRace.Attempt(number: 0, address: address("192.0.2.1"))
        let second = AddressRace.Attempt(number: 1, address: address("192.0.2.2"))
        _ = race.start(now: now)
        _ = race.tick(now: now + .milliseconds(250))
        #expect(race.succeeded(second) == [.cancel(first)])
        #expect(race.succeeded(first) == [.cancel(first)])
        #expect(race.failed(first, now: now) == [] && race.tick(now: now + .seconds(9)) == [] && race.abandon() == [])
    }

    @Test func abandoningCancelsRunningAttempts() {
        let now = ContinuousClock.now
        var race = AddressRace([address("192.0.2.1"), address("192.0.2.2")], deadline: now + .seconds(1))
        _ = race.start(now: now)
        #expect(race.abandon() == [.cancel(AddressRace.Attempt(number: 0, address: address("192.0.2.1")))])
        #expect(race.tick(now: now + .seconds(2)) == [])
    }

    @Test func earlyTickOnlyReturnsTheNextTime() {
        let now = ContinuousClock.now
        var race = AddressRace([address("192.0.2.1"), address("192.0.2.2")], deadline: now + .seconds(1))
        _ = race.start(now: now)
        #expect(race.tick(now: now + .milliseconds(100)) == [.wait(until: now + .milliseconds(250))])
    }

    @Test func raceEndsOnceAndInTimeForAnyEvents() {
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let fates = (0..<Int.random(in: 0...16, using: &random)).map { _ -> Fate in
                switch Int.random(in: 0...2, using: &random) {
                case 0: .answers(after: .random(in: 0...2000, using: &random))
                case 1: .fails(after: .random(in: 0...2000, using: &random))
                default: .silent
                }
            }
            let (log, winner, failure) = run(fates, deadline: 1500)
            #expect((winner == nil) != (failure == nil), "seed \(seed)")
            let connected = log.filter { $0.contains("connect") }.compactMap { $0.split(separator: " ").last }
            #expect(
                connected.map(String.init) == connected.indices.map(String.init), "seed \(seed): each once, in order")
            #expect(log.allSatisfy { Int($0.prefix { $0 != " " }) ?? .max <= 1500 }, "seed \(seed)")
        }
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
