import PortolanDiscovery
import Testing

@testable import PortolanTransport

/// Order in which sessions are closed to make room for others.
@Suite struct SessionPlacesTests {
    private func places(
        all: Int = 8, strangers: Int = 6, perAddress: Int = 2, perNetwork: Int = 4
    ) -> SessionTable {
        SessionTable(.init(all: all, strangers: strangers, perAddress: perAddress, perNetwork: perNetwork))
    }

    /// An address: `host` in network `network`.
    private func address(_ network: UInt32, _ host: UInt32) -> IPAddress { .v4(network << 8 | host) }

    @Test("an address has few places, in any spelling, and its oldest makes room")
    func limitsAddresses() {
        var places = places()
        #expect(places.arrived(1, from: address(2, 1), isKnown: false) == .admit)
        for number in 2...3 as ClosedRange<UInt64> {
            #expect(places.arrived(number, from: address(1, 1), isKnown: false) == .admit)
        }
        #expect(places.arrived(4, from: address(1, 1), isKnown: false) == .admitInsteadOf(2))
        places.left(3)
        #expect(places.arrived(5, from: address(1, 1), isKnown: false) == .admit)
        // Devices with known keys at the same address are counted separately.
        #expect(places.arrived(6, from: address(1, 1), isKnown: true) == .admit)
        #expect(places.arrived(7, from: address(1, 1), isKnown: true) == .admit)
        #expect(places.arrived(8, from: address(1, 1), isKnown: true) == .admitInsteadOf(6))
    }

    @Test("many addresses of one network do not keep other networks out", arguments: [false, true])
    func limitsNetworks(isV6: Bool) {
        var places = places()
        func neighbour(_ host: UInt64) -> IPAddress { isV6 ? .v6(0xFE80 << 48, host) : address(1, UInt32(host)) }
        for number in 1...4 as ClosedRange<UInt64> {
            #expect(places.arrived(number, from: neighbour(number), isKnown: false) == .admit)
        }
        #expect(places.arrived(5, from: neighbour(5), isKnown: false) == .admitInsteadOf(1))
        #expect(places.arrived(6, from: address(2, 1), isKnown: false) == .admit)
        #expect(places.arrived(7, from: .v6(0x2001 << 48, 5), isKnown: false) == .admit)
        #expect(places.arrived(8, from: address(3, 1), isKnown: false) == .admitInsteadOf(2), "all places of strangers")
    }

    @Test("strangers leave places to known keys, and make room for more of them")
    func placesAreReservedForKnownKeys() {
        var places = places()
        for number in 1...7 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(UInt32(number), 1), isKnown: false)
        }
        #expect(places.count == 6)
        for number in 11...12 as ClosedRange<UInt64> {
            #expect(places.arrived(number, from: address(9, UInt32(number)), isKnown: true) == .admit)
        }
        #expect(places.arrived(13, from: address(9, 13), isKnown: true) == .admitInsteadOf(2))
        #expect(places.arrived(20, from: address(8, 1), isKnown: false) == .admitInsteadOf(11))
        #expect(places.count == 8)
    }

    @Test("a session with an accepted item keeps its place, and a new one is refused when all have accepted items")
    func keepsTheActive() {
        var places = places(all: 2, strangers: 2, perAddress: 2, perNetwork: 2)
        for number in 1...2 as ClosedRange<UInt64> { _ = places.arrived(number, from: address(1, 1), isKnown: false) }
        places.mark(1, isActive: true)
        #expect(places.arrived(3, from: address(1, 2), isKnown: false) == .admitInsteadOf(2))
        places.mark(3, isActive: true)
        #expect(places.arrived(4, from: address(1, 3), isKnown: false) == .refuse)
        #expect(places.arrived(5, from: address(1, 4), isKnown: true) == .refuse)
        places.left(3)
        #expect(places.arrived(6, from: address(1, 4), isKnown: true) == .admit)
        #expect(
            places.arrived(7, from: address(1, 5), isKnown: true) == .admitInsteadOf(6), "no stranger can make room")
        #expect(places.arrived(8, from: address(1, 6), isKnown: false) == .admitInsteadOf(7))
    }

    @Test("a settled item keeps no place")
    func forgetsTheSettled() {
        var places = places(all: 2, strangers: 2, perAddress: 2, perNetwork: 2)
        for number in 1...2 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(1, 1), isKnown: false)
            places.mark(number, isActive: true)
        }
        #expect(places.arrived(3, from: address(1, 2), isKnown: false) == .refuse)
        places.mark(2, isActive: false)
        #expect(places.arrived(4, from: address(1, 2), isKnown: false) == .admitInsteadOf(2))
    }

    @Test(
        "a stranger's accepted item loses its place after ten seconds without progress, and gets it back with progress")
    func forgetsTheStalled() {
        var places = places(all: 4, strangers: 2, perAddress: 2, perNetwork: 2)
        for number in 1...2 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(1, UInt32(number)), isKnown: false)
            places.mark(number, isActive: true)
        }
        places.now += SessionActivity.patience
        #expect(places.arrived(3, from: address(1, 3), isKnown: false) == .refuse)
        places.progressed(1)
        places.now += .milliseconds(1)
        #expect(places.arrived(4, from: address(1, 4), isKnown: false) == .admitInsteadOf(2))
        places.mark(4, isActive: true)
        #expect(places.arrived(5, from: address(1, 5), isKnown: false) == .refuse)
        places.now += SessionActivity.patience
        #expect(places.arrived(6, from: address(2, 1), isKnown: false) == .admitInsteadOf(1))
    }

    @Test("the accepted item of a known key keeps its place until it is settled, with or without progress")
    func leavesKnownKeysTheirPlaces() {
        var places = places(all: 2, strangers: 1, perAddress: 2, perNetwork: 2)
        for number in 1...2 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(1, UInt32(number)), isKnown: true)
            places.mark(number, isActive: true)
        }
        places.now += .seconds(3600)
        #expect(places.arrived(3, from: address(1, 3), isKnown: false) == .refuse)
        #expect(places.arrived(4, from: address(1, 4), isKnown: true) == .refuse)
        places.mark(2, isActive: false)
        #expect(places.arrived(5, from: address(1, 5), isKnown: true) == .admitInsteadOf(2))
    }

    @Test("a stranger with 576 silent sessions blocks other strangers for at most ten seconds")
    func servesBesideTheStalled() {
        let limits = DescriptorBudget(limit: 4096, inUse: 30).sessions
        var places = SessionTable(limits)
        // 72 addresses in two networks hold all places of strangers.
        for number in 1...UInt64(limits.strangers) {
            let host = UInt32(number - 1) / 8
            _ = places.arrived(number, from: address(1 + host / 36, host), isKnown: false)
            places.mark(number, isActive: true)
        }
        #expect(places.arrived(1001, from: address(9, 1), isKnown: false) == .refuse)
        #expect(places.arrived(1002, from: address(9, 1), isKnown: true) == .admit)
        places.now += SessionActivity.patience + .milliseconds(1)
        for number in 0..<100 as Range<UInt64> {
            let verdict = places.arrived(2000 + number, from: address(9, 2 + UInt32(number)), isKnown: false)
            #expect(verdict == .admitInsteadOf(1 + number))
            places.mark(2000 + number, isActive: true)
        }
    }

    @Test("of strangers that hold too much together, the one that holds most makes room, and the oldest of equals")
    func limitsMemory() {
        var places = SessionTable(.init(all: 20, strangers: 16, perAddress: 2, perNetwork: 16, strangersBytes: 1600))
        for number in 1...12 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(UInt32(number), 1), isKnown: false)
        }
        for number in 1...8 as ClosedRange<UInt64> { #expect(places.hold(180, in: number) == []) }
        #expect(places.hold(160, in: 9) == [], "1600 are not too many")
        #expect(places.hold(20, in: 9) == [1])
        #expect(places.hold(10, in: 10) == [], "180 were given back")
        places.mark(2, isActive: true)
        #expect(places.hold(190, in: 11) == [11], "it holds most itself")
        #expect(places.hold(175, in: 12) == [3], "one that has accepted something under way stays")
        #expect(places.hold(-180, in: 4) == [] && places.hold(20, in: 12) == [])
        #expect(places.hold(1, in: 1) == [], "one that is gone holds nothing")
    }

    @Test("an ended session counts for its address until it is closed, and then not at all")
    func countsMemoryOfClosingSessions() {
        var places = SessionTable(.init(all: 20, strangers: 16, perAddress: 2, perNetwork: 16, strangersBytes: 1600))
        for number in 1...16 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(UInt32(number), 1), isKnown: false)
        }
        for number in 1...8 as ClosedRange<UInt64> { #expect(places.hold(200, in: number) == []) }
        for number in 9...12 as ClosedRange<UInt64> { #expect(places.hold(200, in: number) == [number - 8]) }
        #expect(places.hold(200, in: 13) == [13], "half as much again is held by those that were ended")
        #expect(places.hold(50, in: 14) == [5], "one that holds little is let be")
        places.left(1)
        #expect(places.hold(50, in: 15) == [], "a connection is gone before what it holds is")
        #expect(places.hold(200, in: 16) == [16])
        for number in [1, 2, 3, 13, 16] as [UInt64] { #expect(places.hold(-200, in: number) == []) }
        #expect(places.hold(150, in: 14) == [6])
        #expect(places.hold(-200, in: 5) == [] && places.hold(-500, in: 1) == [])
    }

    @Test("a stranger with little memory is not closed beside any others, and one with very much is")
    func keepsSessionsWithLittleMemory() {
        var places = SessionTable(.init(all: 20, strangers: 16, perAddress: 2, perNetwork: 16, strangersBytes: 1600))
        for number in 1...16 as ClosedRange<UInt64> {
            _ = places.arrived(number, from: address(UInt32(number), 1), isKnown: false)
        }
        for number in 1...8 as ClosedRange<UInt64> {
            #expect(places.hold(200, in: number) == [])
            places.mark(number, isActive: true)
        }
        for number in 9...15 as ClosedRange<UInt64> { #expect(places.hold(100, in: number) == []) }
        #expect(places.hold(101, in: 16) == [16])
        #expect(places.hold(1, in: 1) == [1], "more than an eighth, though it is active")
    }

    @Test("known keys may hold any amount of memory, and do not limit others")
    func leavesKnownKeysAlone() {
        var places = SessionTable(.init(all: 4, strangers: 2, perAddress: 2, perNetwork: 2, strangersBytes: 800))
        #expect(places.arrived(1, from: address(1, 1), isKnown: true) == .admit)
        #expect(places.arrived(2, from: address(1, 1), isKnown: false) == .admit)
        #expect(places.hold(1 << 40, in: 1) == [])
        #expect(places.hold(100, in: 2) == [])
    }

    @Test("the newest session is admitted unless no session can be closed, and the limits hold in any order")
    func holdsItsLimits() {
        var generator = SystemRandomNumberGenerator()
        var places = places()
        var open: Set<UInt64> = []
        var active: Set<UInt64> = []
        for number in 1...20_000 as ClosedRange<UInt64> {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                open.randomElement(using: &generator).map {
                    places.mark($0, isActive: true); active.insert($0)
                }
            case 1, 2:
                open.randomElement(using: &generator).map {
                    places.left($0); open.remove($0)
                }
            default:
                let host = address(.random(in: 1...3, using: &generator), .random(in: 1...4, using: &generator))
                switch places.arrived(number, from: host, isKnown: .random(using: &generator)) {
                case .admit: open.insert(number)
                case .admitInsteadOf(let oldest):
                    #expect(open.remove(oldest) != nil && !active.contains(oldest))
                    open.insert(number)
                case .refuse: #expect(!active.isDisjoint(with: open))
                }
            }
            #expect(places.count == open.count && places.count <= 8)
        }
    }
}

/// A table with the activities of its sessions, and a clock that stands still.
private struct SessionTable {
    private var places: SessionPlaces
    private var activities: [UInt64: SessionActivity] = [:]
    var now: ContinuousClock.Instant

    init(_ limits: SessionPlaces.Limits) {
        places = SessionPlaces(limits)
        now = .now
    }

    var count: Int { places.count }

    mutating func arrived(_ number: UInt64, from address: IPAddress, isKnown: Bool) -> SessionPlaces.Verdict {
        let activity = SessionActivity(at: now)
        activities[number] = activity
        return places.arrived(number, from: address, isKnown: isKnown, activity, at: now)
    }

    func mark(_ number: UInt64, isActive: Bool) {
        if isActive { activities[number]?.began(at: now) } else { activities[number]?.ended() }
    }

    func progressed(_ number: UInt64) { activities[number]?.progressed(at: now) }

    mutating func hold(_ difference: Int, in number: UInt64) -> [UInt64] {
        places.hold(difference, in: number, at: now)
    }

    mutating func left(_ number: UInt64) { places.left(number) }
}
