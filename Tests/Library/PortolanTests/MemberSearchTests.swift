import PortolanCrypto
import PortolanDiscovery
import Testing

@testable import Portolan

/// Search for the members of a team: members that are sent to, and the search time of the others.
@Suite struct MemberSearchTests {
    private let start = ContinuousClock.now
    private let keys = (0..<10).map { _ in DeviceKey.generate().publicKey.fingerprint }

    private func search(
        _ count: Int, seenLately: Set<Int> = [], patience: Duration = .seconds(60), breadth: Int = 8
    ) -> MemberSearch {
        MemberSearch(
            (0..<count).map { .init(fingerprint: keys[$0], wasSeenLately: seenLately.contains($0)) },
            findWait: .seconds(5), patience: patience, breadth: breadth, now: start)
    }

    private func peer(_ member: Int, port: UInt16 = 1) -> Peer {
        Peer(
            name: "\(member)", fingerprint: keys[member],
            addresses: [NetworkAddress(ip: .v4(0x7F00_0001), port: port)], foundBy: "embedded")
    }

    /// Steps in words.
    private func steps(_ search: inout MemberSearch, at seconds: Double) -> [String] {
        search.next(now: start + .seconds(seconds)).map { step in
            switch step {
            case .send(let member, let peer): "\(member) at \(peer.addresses.first?.port ?? 0)"
            case .looking(let member, let time): "looking for \(member), \(time.components.seconds) s"
            case .giveUp(let member): "no \(member)"
            }
        }
    }

    @Test("a member that was seen lately and comes late is sent to, and one that was not is given up")
    func memberThatAppearsLate() {
        var search = search(3, seenLately: [1])
        #expect(steps(&search, at: 0) == [])
        search.found([peer(0)])
        #expect(steps(&search, at: 1) == ["0 at 1"])
        #expect(search.ended(0, isUnreachable: false, now: start + .seconds(2)) == nil)
        #expect(search.nextLook(after: start + .seconds(2)) == start + .seconds(5))
        #expect(steps(&search, at: 5) == ["looking for 1, 55 s", "no 2"])
        #expect(steps(&search, at: 6) == [])
        #expect(search.nextLook(after: start + .seconds(6)) == start + .seconds(60))
        search.found([peer(0), peer(1)])
        #expect(steps(&search, at: 50) == ["1 at 1"])
        #expect(!search.isOver)
        #expect(search.ended(1, isUnreachable: false, now: start + .seconds(51)) == nil)
        #expect(search.isOver)
    }

    @Test("the search ends when its time is up, and at once without discovery")
    func searchEndsInTime() {
        var search = search(1, seenLately: [0])
        #expect(steps(&search, at: 59) == ["looking for 0, 1 s"])
        #expect(steps(&search, at: 60) == ["no 0"])
        var impatient = self.search(1, seenLately: [0], patience: .zero)
        #expect(steps(&impatient, at: 4.9) == [])
        #expect(steps(&impatient, at: 5) == ["no 0"])
        var blind = self.search(2, seenLately: [0])
        blind.found([peer(1)])
        blind.endLooking()
        #expect(steps(&blind, at: 0) == ["no 0", "1 at 1"])
    }

    @Test("a member that cannot be reached where it was found is tried again, and at once where it is elsewhere")
    func memberAtANewAddressIsTriedAtOnce() {
        var search = search(1)
        search.found([peer(0)])
        #expect(steps(&search, at: 1) == ["0 at 1"])
        #expect(search.ended(0, isUnreachable: true, now: start + .seconds(2)) == .milliseconds(500))
        #expect(steps(&search, at: 2.1) == [])
        #expect(steps(&search, at: 2.5) == ["0 at 1"])
        // Its record vanishes, and another one appears.
        search.found([])
        #expect(search.ended(0, isUnreachable: true, now: start + .seconds(3)) == .seconds(1))
        #expect(steps(&search, at: 6) == ["looking for 0, 54 s"])
        search.found([peer(0, port: 2)])
        #expect(steps(&search, at: 30) == ["0 at 2"])
        #expect(search.ended(0, isUnreachable: true, now: start + .seconds(70)) == nil)
        #expect(search.isOver)
    }

    @Test("the number of concurrent sends is bounded, and absent members take no place")
    func numberOfConcurrentSends() {
        var search = search(4, seenLately: [0], breadth: 2)
        search.found([1, 2, 3].map { peer($0) })
        #expect(steps(&search, at: 1) == ["1 at 1", "2 at 1"])
        #expect(steps(&search, at: 2) == [])
        #expect(search.ended(1, isUnreachable: false, now: start + .seconds(3)) == nil)
        #expect(steps(&search, at: 3) == ["3 at 1"])
    }

    @Test("without patience a member that cannot be reached is tried once")
    func memberIsTriedOnceWithoutPatience() {
        var search = search(1, patience: .zero)
        search.found([peer(0)])
        #expect(steps(&search, at: 0) == ["0 at 1"])
        #expect(search.ended(0, isUnreachable: true, now: start) == nil)
        #expect(search.isOver)
    }
}
