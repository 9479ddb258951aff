import PortolanCrypto
import PortolanDiscovery
import PortolanValues
import TestSupport
import Testing

@Suite(.aside) struct CloneReportTests {
    private let own = fingerprint(0)
    private let local: Set<IPAddress> = [address("192.0.2.1").ip]

    private func open(_ device: Int, on host: String, _ ip: String, link: NetworkInterface = .ethernet) throws
        -> ServiceRecord
    {
        try hostRecord(
            "\(host) \(ip)", on: host, address(ip, on: link),
            .open(name: "Anna", fingerprint: fingerprint(device), port: 47217, activities: .any))
    }

    private func clones(_ records: [ServiceRecord]) -> [CloneReport] {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        for record in records { _ = directory.apply(.found(record)) }
        return directory.clones(own: own, local: local)
    }

    @Test func oneKeyOnTwoHostsIsReported() throws {
        let found = try clones([
            open(1, on: "anna.local", "192.0.2.7"), open(1, on: "copy.local", "192.0.2.8"),
            open(1, on: "copy.local", "2001:db8::8"), open(2, on: "ben.local", "192.0.2.9"),
        ])
        let clone = try #require(found.first)
        #expect(found.count == 1 && clone.fingerprint == fingerprint(1) && clone.kind == .severalHosts)
        #expect(clone.hosts.map(\.name) == ["anna.local", "copy.local"])
        #expect(clone.hosts[1].addresses.map(\.ip.description) == ["2001:db8::8", "192.0.2.8"])
    }

    @Test func oneHostOnSeveralLinksIsNoClone() throws {
        #expect(
            try clones([
                open(1, on: "anna.local", "192.0.2.7"), open(1, on: "Anna.LOCAL", "198.51.100.7", link: .wireless),
                open(1, on: "anna.local", "fe80::7"),
            ]).isEmpty)
    }

    @Test func hostNamesThatShareAnAddressAreOneMachine() throws {
        // Two processes: one advertises by the daemon, one by its own responder.
        #expect(
            try clones([open(1, on: "anna.local", "192.0.2.7"), open(1, on: "portolan-1.local", "192.0.2.7")]).isEmpty)
        // Joined by a third record that has something of both.
        #expect(
            try clones([
                open(1, on: "a.local", "192.0.2.7"), open(1, on: "b.local", "192.0.2.8"),
                open(1, on: "a.local", "192.0.2.8"),
            ]).isEmpty)
        // Each record has its own host name, and another address family of each was heard first.
        #expect(
            try clones([open(1, on: "portolan-1.local", "192.0.2.7"), open(1, on: "portolan-2.local", "2001:db8::7")])
                .isEmpty)
        // A link-local address is another machine's on another link.
        #expect(
            try clones([
                open(1, on: "a.local", "fe80::1"), open(1, on: "b.local", "fe80::1", link: .wireless),
            ]).count == 1)
    }

    @Test func renewedHiddenRecordsAreNoClone() throws {
        let place = address("192.0.2.7", on: .ethernet)
        #expect(
            try clones([hiddenRecord(seal(1, for: 1), place), hiddenRecord(seal(1, for: 1), place)]).isEmpty)
        // The new record's other address was heard first.
        #expect(
            try clones([
                hiddenRecord(seal(1, for: 1), place),
                hiddenRecord(seal(1, for: 1), address("2001:db8::7", on: .ethernet)),
            ]).isEmpty)
    }

    @Test func theOwnKeyElsewhereIsSeenAndTheOwnMachineIsNot() throws {
        #expect(
            try clones([open(0, on: "me.local", "192.0.2.1"), open(0, on: "me.local", "127.0.0.1", link: .lo)]).isEmpty)
        #expect(try clones([open(0, on: "me.local", "192.0.2.1"), open(0, on: "me.local", "198.51.100.1")]).isEmpty)
        let found = try clones([open(0, on: "me.local", "192.0.2.1"), open(0, on: "copy.local", "192.0.2.66")])
        #expect(found.map(\.kind) == [.ownElsewhere] && found[0].hosts.map(\.name) == ["copy.local"])
        let hidden = try clones([hiddenRecord(seal(0, for: 1), address("192.0.2.66", on: .ethernet))])
        #expect(hidden.map(\.kind) == [.ownElsewhere])
    }

    @Test func aPersonIsToldOfTheOwnKeyElsewhereWhenItLasts() throws {
        let me = try open(0, on: "me.local", "192.0.2.1")
        let copy = try clones([me, open(0, on: "copy.local", "192.0.2.66")])
        let moved = try clones([me, open(0, on: "copy.local", "192.0.2.67")])
        let other = try clones([me, open(0, on: "third.local", "192.0.2.68")])
        let begin = ContinuousClock.now
        var watch = CopyWatch()
        // The record of a machine that has another address, or another key, by now.
        #expect(watch.see(copy, at: begin) == nil && watch.isWaiting)
        #expect(watch.see([], at: begin + .seconds(120)) == nil && !watch.isWaiting)
        #expect(watch.see(copy, at: begin + .seconds(151)) == nil && watch.isWaiting)
        #expect(watch.see(at: begin + .seconds(300)) == nil)
        // Another machine does not take over the time of the first one; another address of the same machine does.
        #expect(watch.see(other, at: begin + .seconds(300)) == nil)
        #expect(watch.see(copy, at: begin + .seconds(302)) == nil)
        #expect(watch.see(moved, at: begin + .seconds(451)) == nil && watch.isWaiting)
        #expect(watch.see(at: begin + .seconds(452))?.hosts.map(\.name) == ["copy.local"])
        #expect(watch.see(copy, at: begin + .seconds(999)) == nil && !watch.isWaiting)
    }

    @Test func clonesDoNotChangeThePlacesOfAPeer() throws {
        var directory = PeerDirectory(foundBy: .avahi)
        for record in try [open(1, on: "a.local", "192.0.2.7"), open(1, on: "b.local", "192.0.2.8")] {
            _ = directory.apply(.found(record))
        }
        let before = directory.peers
        #expect(directory.clones(own: own, local: local).count == 1 && directory.peers == before)
    }

    @Test func hostileHostNamesAreMadeSafeAndFloodsAreBounded() throws {
        let found = try clones([open(1, on: "a.local", "192.0.2.7"), open(1, on: "\u{1B}[2Jb\u{202E}", "192.0.2.8")])
        #expect(found[0].hosts[1].name == "\\u{1B}[2Jb\\u{202E}")
        let flood = try (1...200).flatMap { device in
            try (1...30).map { try open(device, on: "h\($0).local", "10.0.\(device).\($0)") }
        }
        let many = clones(flood)
        #expect(many.count == PeerDirectory.maximumClones)
        #expect(many.allSatisfy { $0.hosts.count == PeerDirectory.maximumRecords })
    }
}
