import PortolanCrypto
import PortolanDiscovery
import TestSupport
import Testing

@Suite(.aside) struct PeerDirectoryTests {
    @Test func recordsOfOneDeviceAreOnePeer() throws {
        var directory = PeerDirectory(foundBy: .avahi)
        let first = directory.apply(.found(record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))))
        guard case .appeared(let peer) = first.first, first.count == 1 else { return #expect(Bool(false), "\(first)") }
        #expect(peer.name == "Anna" && peer.fingerprint == Fingerprint(bytes: deviceID(1)) && peer.versions == [1])

        let second = directory.apply(.found(record("Anna", address("fe80::1", on: .ethernet), id: deviceID(1))))
        let third = directory.apply(.found(record("Anna", address("198.51.100.3", on: .wireless), id: deviceID(1))))
        guard case .changed = second.first, case .changed(let merged) = third.first else {
            return #expect(Bool(false), "\(second) \(third)")
        }
        #expect(directory.peers == [merged])
        #expect(
            merged.addresses.map(\.description) == ["192.0.2.7:47217", "198.51.100.3:47217", "[fe80::1%eth0]:47217"])
        #expect(Set(merged.addresses.compactMap(\.interface?.name)) == ["eth0", "wlp3s0"] && merged.foundBy == .avahi)
    }

    @Test func lostRecordsTakeTheirAddressesAndThenThePeer() {
        var directory = PeerDirectory(foundBy: .avahi)
        let wired = record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))
        let wireless = record("Anna", address("198.51.100.3", on: .wireless), id: deviceID(1))
        _ = directory.apply(.found(wired))
        _ = directory.apply(.found(wireless))
        guard case .changed(let peer) = directory.apply(.lost(wired.id)).first else { return #expect(Bool(false)) }
        #expect(peer.addresses == [wireless.address])
        #expect(directory.apply(.lost(wired.id)) == [], "twice is once")
        guard case .vanished = directory.apply(.lost(wireless.id)).first else { return #expect(Bool(false)) }
        #expect(directory.peers.isEmpty)
    }

    @Test func unchangedRecordIsNoChange() {
        var directory = PeerDirectory(foundBy: .avahi)
        let anna = record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))
        _ = directory.apply(.found(anna))
        #expect(directory.apply(.found(anna)) == [])
        // The same device over another link.
        let same = record("Anna", address("192.0.2.7", on: .docker), id: deviceID(1))
        #expect(directory.apply(.found(same)) == [] && directory.peers[0].addresses.count == 1)
    }

    @Test func namesakesRemainTwoPeers() {
        var directory = PeerDirectory(foundBy: .avahi)
        _ = directory.apply(.found(record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))))
        _ = directory.apply(.found(record("Anna", address("198.51.100.3", on: .wireless), id: deviceID(2))))
        #expect(directory.peers.count == 2)
    }

    @Test func aLyingRecordOnlyAddsAnAddressAndCannotRenameThePeer() {
        var directory = PeerDirectory(foundBy: .avahi)
        _ = directory.apply(.found(record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))))
        _ = directory.apply(
            .found(record("Mallory", address("192.0.2.66", on: .ethernet), id: deviceID(1), versions: "9")))
        #expect(directory.peers.count == 1)
        #expect(directory.peers[0].name == "Anna" && directory.peers[0].versions == [1])
        #expect(directory.peers[0].addresses.count == 2)
    }

    @Test("each port of a device is an instance, with the roles that any of its records names")
    func instances() {
        var directory = PeerDirectory(foundBy: .avahi)
        let first = record("Anna", address("192.0.2.7", 1, on: .ethernet), id: deviceID(1), does: "takes")
        let second = record("Anna #2", address("192.0.2.7", 2, on: .ethernet), id: deviceID(1), does: "serves")
        let silent = record("Anna #3", address("192.0.2.7", 3, on: .ethernet), id: deviceID(1))
        for record in [first, second, silent] { _ = directory.apply(.found(record)) }
        #expect((UInt16(1)...4).map { directory.peers[0].activities(at: $0) } == [.takes, .serves, .any, .any])

        // A record with a wrong port does not remove activities.
        let liar = record("Mallory", address("192.0.2.66", 1, on: .ethernet), id: deviceID(1), does: "serves")
        guard case .changed = directory.apply(.found(liar)).first else { return #expect(Bool(false)) }
        #expect(directory.peers[0].activities(at: 1) == .any && directory.peers[0].activities(at: 2) == .serves)

        // The activities of an instance may change.
        let changed = record("Anna #2", address("192.0.2.7", 2, on: .ethernet), id: deviceID(1), does: "takes")
        guard case .changed = directory.apply(.found(changed)).first else { return #expect(Bool(false)) }
        #expect(directory.peers[0].activities(at: 2) == .takes)
        _ = directory.apply(.lost(liar.id))
        #expect(directory.peers[0].activities(at: 1) == .takes)
    }

    @Test func recordThatChangesItsFingerprintMovesToTheOtherPeer() {
        var directory = PeerDirectory(foundBy: .avahi)
        let place = address("192.0.2.7", on: .ethernet)
        _ = directory.apply(.found(record("Anna", place, id: deviceID(1))))
        let changes = directory.apply(.found(record("Anna", place, id: deviceID(2))))
        guard changes.count == 2, case .vanished(let old) = changes[0], case .appeared(let new) = changes[1] else {
            return #expect(Bool(false), "\(changes)")
        }
        #expect(
            old.fingerprint == Fingerprint(bytes: deviceID(1)) && new.fingerprint == Fingerprint(bytes: deviceID(2)))
    }

    @Test(arguments: [
        address("0.0.0.0", on: .ethernet), address("127.0.0.1", on: .ethernet), address("::1", on: .wireless),
        address("224.0.0.251", on: .ethernet), address("255.255.255.255", on: .ethernet),
        address("192.0.2.7", 0, on: .ethernet),
        address("::ffff:127.0.0.1", on: .ethernet), address("fe80::1"),
    ])
    func recordsWithUnusableAddressesAreIgnored(place: NetworkAddress) {
        var directory = PeerDirectory(foundBy: .avahi)
        #expect(directory.apply(.found(record("Mallory", place, id: deviceID(1)))) == [])
        #expect(directory.peers.isEmpty)
    }

    @Test func recordsOfUnknownFormatAreIgnored() {
        var directory = PeerDirectory(foundBy: .avahi)
        let place = address("192.0.2.7", on: .ethernet)
        #expect(directory.apply(.found(record("Anna", place, id: deviceID(1), format: "2"))) == [])
        #expect(directory.peers.isEmpty)
    }

    @Test func recordThatBecomesInvalidIsRemoved() {
        var directory = PeerDirectory(foundBy: .avahi)
        _ = directory.apply(.found(record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))))
        let changes = directory.apply(.found(record("Anna", address("127.0.0.1", on: .ethernet), id: deviceID(1))))
        guard case .vanished = changes.first else { return #expect(Bool(false), "\(changes)") }
    }

    @Test func ownRecordsAndImpossibleNamesAreIgnored() {
        var directory = PeerDirectory(foundBy: .avahi)
        let place = address("192.0.2.7", on: .ethernet)
        #expect(directory.apply(.found(record("Me", place, id: deviceID(1), isOwn: true))) == [])
        #expect(directory.apply(.found(record("", place, id: deviceID(1)))) == [])
        #expect(directory.apply(.found(record(String(repeating: "n", count: 64), place, id: deviceID(1)))) == [])
    }

    @Test func aRecordWithoutAProperFingerprintIsAPeerByItsName() {
        var directory = PeerDirectory(foundBy: .avahi)
        for (number, id) in ([nil, [], [1, 2, 3], Array(repeating: 1, count: 21)] as [[UInt8]?]).enumerated() {
            _ = directory.apply(
                .found(record("Old \(number)", address("192.0.2.\(number + 1)", on: .ethernet), id: id)))
        }
        #expect(directory.peers.count == 4 && directory.peers.allSatisfy { $0.fingerprint == nil })
    }

    @Test func namesAreMadeSafeToShow() {
        var directory = PeerDirectory(foundBy: .avahi)
        _ = directory.apply(
            .found(record("\u{1B}[2J\u{202E}anna\n", address("192.0.2.7", on: .ethernet), id: deviceID(1))))
        #expect(directory.peers[0].name == "\\u{1B}[2J\\u{202E}anna\\u{A}")
    }

    @Test(arguments: [
        ("1", [1] as [UInt8]), ("1,2", [1, 2]), ("", []), ("x", []), ("1,", []), ("256", []), ("+1", []), ("1, 2", []),
        (String(repeating: "1,", count: 40) + "1", []),
    ])
    func versionsAreNumbersOrNothing(text: String, versions: [UInt8]) {
        var directory = PeerDirectory(foundBy: .avahi)
        _ = directory.apply(
            .found(record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1), versions: text)))
        #expect(directory.peers[0].versions == versions)
    }

    @Test func floodsAreBounded() {
        var directory = PeerDirectory(foundBy: .avahi)
        for number in 0..<3000 {
            let place = address("10.\(number / 65536).\(number / 256 % 256).\(number % 256)", on: .ethernet)
            _ = directory.apply(.found(record("flood \(number)", place, id: deviceID(number))))
        }
        #expect(directory.peers.count == PeerDirectory.maximumPeers)
        #expect(directory.peers.first?.name == "flood 0", "who was there first stays")

        var one = PeerDirectory(foundBy: .avahi)
        for number in 0..<1000 {
            let place = address("10.0.\(number / 256).\(number % 256)", on: .ethernet)
            _ = one.apply(.found(record("flood \(number)", place, id: deviceID(7))))
        }
        #expect(one.peers.count == 1 && one.peers[0].addresses.count == PeerDirectory.maximumRecords)
        for number in 0..<1000 {
            _ = one.apply(.lost(record("flood \(number)", address("10.0.0.1", on: .ethernet)).id))
        }
        #expect(one.peers.isEmpty, "and what had no room leaves nothing behind")
    }

    @Test func backendEventsAreStored() {
        var directory = PeerDirectory(foundBy: .embedded)
        #expect(!directory.isSettled && directory.trouble == nil)
        #expect(directory.apply(.settled) == [] && directory.isSettled)
        #expect(directory.apply(.unavailable("gone")) == [] && directory.trouble == "gone")
        #expect(directory.apply(.recovered) == [] && directory.trouble == nil)
    }

    @Test func directoryMatchesItsRecordsAfterAnyEvents() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var directory = PeerDirectory(foundBy: .avahi)
        var alive: [ServiceRecord.ID: ServiceRecord] = [:]
        var shown: [DiscoveredPeer.ID: DiscoveredPeer] = [:]
        for _ in 0..<3000 {
            let number = Int.random(in: 0..<40, using: &random)
            let device = deviceID(Int.random(in: 0..<16, using: &random))
            let news = record("n\(number)", address("192.0.2.\(number)", on: .ethernet), id: device)
            let changes: [PeerDirectory.Change]
            if Bool.random(using: &random) {
                alive[news.id] = news
                changes = directory.apply(.found(news))
            } else {
                alive[news.id] = nil
                changes = directory.apply(.lost(news.id))
            }
            for change in changes {
                switch change {
                case .appeared(let peer):
                    #expect(shown.updateValue(peer, forKey: peer.id) == nil, "seed \(seed)")
                case .changed(let peer): #expect(shown.updateValue(peer, forKey: peer.id) != nil, "seed \(seed)")
                case .vanished(let peer): #expect(shown.removeValue(forKey: peer.id) != nil, "seed \(seed)")
                }
            }
            #expect(Set(directory.peers) == Set(shown.values), "seed \(seed)")
        }
        let expected = Dictionary(grouping: alive.values) { $0.txt["id"] ?? [] }.filter { $0.value.count <= 16 }
        for (device, records) in expected {
            let peer = directory.peers.first { $0.fingerprint == Fingerprint(bytes: device) }
            #expect(Set(peer?.addresses ?? []) == Set(records.map(\.address)), "seed \(seed)")
        }
    }
}
