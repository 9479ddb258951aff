import PortolanDiscovery
import Testing

/// Races for which more addresses can be found.
struct AddressSeekingTests {
    private let start = ContinuousClock.now
    private let deadline: ContinuousClock.Instant

    init() { deadline = start + .seconds(10) }

    private func attempt(_ number: Int) -> AddressRace.Attempt {
        AddressRace.Attempt(number: number, address: place(number))
    }

    private func place(_ number: Int) -> NetworkAddress { address("192.0.2.\(number + 1)", on: .ethernet) }

    private func race(_ count: Int) -> AddressRace {
        AddressRace((0..<count).map(place), canSeek: true, deadline: deadline)
    }

    @Test("more addresses are sought when the only one has failed, and one that is found joins")
    func foundAddressCanWin() {
        var race = race(1)
        #expect(race.start(now: start) == [.connect(attempt(0)), .wait(until: start + .seconds(1))])
        #expect(race.failed(attempt(0), now: start + .milliseconds(5)) == [.seek, .wait(until: deadline)])
        let (taken, actions) = race.add([place(1), place(2)], now: start + .milliseconds(900))
        #expect(taken == 2)
        #expect(actions == [.connect(attempt(1)), .wait(until: start + .milliseconds(1150))])
        #expect(race.failed(attempt(1), now: start + .seconds(1)).first == .connect(attempt(2)))
        #expect(race.succeeded(attempt(2)) == [])
    }

    @Test("a race without addresses seeks at once, and is lost when there are none")
    func noneAtAll() {
        var race = race(0)
        #expect(race.start(now: start) == [.seek, .wait(until: deadline)])
        #expect(race.addNoMore() == [.giveUp(.noAddresses)])
        #expect(race.add([place(0)], now: start).taken == 0, "it is over")
    }

    @Test("a race is lost only when all have failed and no more will come, in either order")
    func losing() {
        var first = race(1)
        _ = first.start(now: start)
        _ = first.failed(attempt(0), now: start)
        #expect(first.add([], now: start).actions == [])
        #expect(first.addNoMore() == [.giveUp(.allFailed)])

        var second = race(1)
        _ = second.start(now: start)
        _ = second.tick(now: start + .seconds(1))
        #expect(second.addNoMore() == [], "the first may still answer")
        #expect(second.failed(attempt(0), now: start + .seconds(2)) == [.giveUp(.allFailed)])
    }

    @Test("silent addresses do not keep it from seeking, once")
    func silence() {
        var race = race(1)
        _ = race.start(now: start)
        #expect(race.tick(now: start + .milliseconds(999)) == [.wait(until: start + .seconds(1))])
        #expect(race.tick(now: start + .seconds(1)) == [.seek, .wait(until: deadline)])
        #expect(race.tick(now: start + .seconds(2)) == [.wait(until: deadline)])
        // The time of the address that does not answer is over.
        let (_, actions) = race.add([place(1)], now: start + .seconds(3))
        #expect(actions.first == .connect(attempt(1)))
        #expect(race.succeeded(attempt(1)) == [.cancel(attempt(0))])
    }

    @Test("an address that takes the connection and proves nothing is passed over after half a second")
    func unproven() {
        var race = race(2)
        _ = race.start(now: start)
        let now = start + .milliseconds(10)
        #expect(race.connected(attempt(0), now: now) == [.wait(until: now + .milliseconds(500))])
        #expect(race.tick(now: now + .milliseconds(400)) == [.wait(until: now + .milliseconds(500))])
        #expect(race.tick(now: now + .milliseconds(500)).first == .connect(attempt(1)))
        #expect(race.succeeded(attempt(1)) == [.cancel(attempt(0))])
    }

    @Test("a flood of addresses is bounded")
    func flood() {
        var race = race(1)
        _ = race.start(now: start)
        _ = race.failed(attempt(0), now: start)
        var taken = 0
        for _ in 0..<100 { taken += race.add(Array(repeating: place(1), count: 16), now: start).taken }
        #expect(taken == AddressRace.maximumAddresses - 1)
    }
}
