import PortolanCrypto
import PortolanDiscovery
import PortolanTrust
import Synchronization
import TestSupport
import Testing

@Suite(.aside) struct HiddenPeersTests {
    private let place = address("192.0.2.7", on: .ethernet)

    @Test func aRecognisedDeviceIsAPeerWithoutAName() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(4, 1))
        let sealed = seal(1, for: 1)
        guard case .appeared(let peer) = directory.apply(.found(try hiddenRecord(sealed, place))).first else {
            return #expect(Bool(false))
        }
        #expect(peer.fingerprint == fingerprint(1) && peer.name.isEmpty && peer.isHidden && peer.versions == [1])
        let access = PresenceAccess(team: team(1), generation: 0, nonce: sealed.nonce, secret: teamSecret(1))
        #expect(peer.openings(at: place) == [.hidden(access)] && peer.opening == .hidden(access))
    }

    @Test func unrecognisedAndWaitingDevicesAreNoPeers() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        #expect(directory.apply(.found(try hiddenRecord(seal(1, for: 2), place))) == [])
        for purpose in WaitingPurpose.allCases {
            let waiting = try Advertisement.waiting(number: 7, for: purpose, port: place.port)
            #expect(directory.apply(.found(hostRecord(waiting.name, on: "h.local", place, waiting))) == [])
        }
        #expect(directory.peers.isEmpty)
    }

    @Test func replayedSealAtAnotherPortIsNotRecognised() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        let elsewhere = address("192.0.2.66", 4711, on: .ethernet)
        #expect(directory.apply(.found(try hiddenRecord(seal(1, for: 1), elsewhere))) == [])
    }

    @Test func openRecordTakesPrecedenceOverAHiddenOne() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        let sealed = seal(1, for: 1)
        _ = directory.apply(.found(try hiddenRecord(sealed, place)))
        _ = directory.apply(.found(record("Anna", place, id: deviceID(1))))
        #expect(directory.peers.count == 1)
        var peer = directory.peers[0]
        #expect(peer.name == "Anna" && !peer.isHidden && peer.opening == .open && peer.openings(at: place).count == 2)

        // An open record at another address, which any device can forge, does not replace the hidden one.
        let lie = record("Mallory", address("192.0.2.66", on: .ethernet), id: deviceID(1))
        var other = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        _ = other.apply(.found(try hiddenRecord(sealed, place)))
        _ = other.apply(.found(lie))
        peer = other.peers[0]
        #expect(peer.openings(at: lie.address) == [.open])
        #expect(peer.openings(at: place).allSatisfy { $0 != .open } && peer.openings(at: place).count == 1)
    }

    @Test func latestSealIsTriedFirst() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        let (old, new) = (seal(1, for: 1), seal(1, for: 1))
        let before = try hiddenRecord(old, place)
        _ = directory.apply(.found(before))
        _ = directory.apply(.found(try hiddenRecord(new, place)))
        func nonces() -> [[UInt8]] {
            directory.peers[0].openings(at: place).compactMap {
                if case .hidden(let access) = $0 { access.nonce } else { nil }
            }
        }
        #expect(nonces() == [new.nonce, old.nonce])
        guard case .changed = directory.apply(.lost(before.id)).first else { return #expect(Bool(false)) }
        #expect(nonces() == [new.nonce])
    }

    @Test func newRosterChangesTheRecognisedPeers() throws {
        var directory = PeerDirectory(foundBy: .avahi)
        _ = directory.apply(.found(record("Open", address("192.0.2.1", on: .ethernet), id: deviceID(9))))
        for device in 1...3 {
            let there = address("192.0.2.\(10 + device)", on: .ethernet)
            _ = directory.apply(.found(try hiddenRecord(seal(device, for: UInt8(device)), there)))
        }
        #expect(directory.peers.map(\.name) == ["Open"])
        let joined = directory.recognise(with: recogniser(1, 2))
        #expect(joined.count == 2 && joined.allSatisfy { if case .appeared = $0 { true } else { false } })
        #expect(Set(directory.peers.compactMap(\.fingerprint)) == [fingerprint(9), fingerprint(1), fingerprint(2)])

        let left = directory.recognise(with: recogniser(2, 3))
        guard left.count == 2, case .vanished(let gone) = left[0], case .appeared(let new) = left[1] else {
            return #expect(Bool(false), "\(left)")
        }
        #expect(gone.fingerprint == fingerprint(1) && new.fingerprint == fingerprint(3))
        #expect(directory.recognise(with: recogniser(2, 3)) == [])
        #expect(directory.recognise(with: recogniser()).count == 2 && directory.peers.map(\.name) == ["Open"])
    }

    @Test func newSecretOfADeviceIsAChange() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        _ = directory.apply(.found(try hiddenRecord(seal(1, for: 1, 2), place)))
        guard case .changed(let peer) = directory.recognise(with: recogniser(2)).first else {
            return #expect(Bool(false))
        }
        guard case .hidden(let access) = peer.opening else { return #expect(Bool(false)) }
        #expect(access.team == team(2) && access.secret == teamSecret(2))
    }

    @Test func lostRecordsAreNotRecognisedLater() throws {
        var directory = PeerDirectory(foundBy: .avahi)
        let lost = try hiddenRecord(seal(1, for: 1), place)
        _ = directory.apply(.found(lost))
        _ = directory.apply(.lost(lost.id))
        // The record turns into an open one.
        let turned = try hiddenRecord(seal(2, for: 1), place)
        _ = directory.apply(.found(turned))
        let open = ServiceRecord(
            id: turned.id, hostName: "h", address: place, txt: ["v": [49]], isOwn: false, isOnLink: true)
        _ = directory.apply(.found(open))
        #expect(directory.recognise(with: recogniser(1)) == [] && directory.peers.count == 1)
    }

    @Test func sealOfAMovedRecordIsOpenedAgain() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        let there = try hiddenRecord(seal(1, for: 1), place)
        _ = directory.apply(.found(there))
        let moved = ServiceRecord(
            id: there.id, hostName: there.hostName, address: address("192.0.2.7", 1, on: .ethernet), txt: there.txt,
            isOwn: false, isOnLink: true)
        guard case .vanished = directory.apply(.found(moved)).first else { return #expect(Bool(false)) }
    }

    /// A device on many links has twice its records while it advertises anew, which is more than count for one peer.
    @Test func deviceOnManyLinksStaysDuringRenewal() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        func records(_ seal: PresenceSeal) throws -> [ServiceRecord] {
            try (1...12).map { link in
                try hiddenRecord(
                    seal, address("192.0.2.\(link)", on: NetworkInterface(index: UInt32(link), name: "eth\(link)")))
            }
        }
        let new = seal(1, for: 1)
        let before = try records(seal(1, for: 1))
        for record in before { _ = directory.apply(.found(record)) }
        for record in try records(new) { _ = directory.apply(.found(record)) }
        for record in before {
            for change in directory.apply(.lost(record.id)) {
                if case .vanished = change { Issue.record("the device is there all the time") }
            }
        }
        let peer = try #require(directory.peers.first)
        #expect(peer.addresses.count == 12)
        for place in peer.addresses {
            guard case .hidden(let access) = peer.openings(at: place).first else { return #expect(Bool(false)) }
            #expect(access.nonce == new.nonce)
        }
    }

    @Test func aFloodOfStrangersTakesNoPlaceFromMembers() throws {
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        for number in 0..<4200 {
            let there = address("10.0.\(number / 256).\(number % 256)", on: .ethernet)
            _ = directory.apply(.found(try hiddenRecord(seal(10 + number, for: 2), there)))
        }
        #expect(directory.peers.isEmpty)
        #expect(directory.apply(.found(try hiddenRecord(seal(1, for: 1), place))).count == 1)
        let all = directory.recognise(with: recogniser(1, 2))
        #expect(all.count == PeerDirectory.maximumPeers - 1 && directory.peers.count == PeerDirectory.maximumPeers)
        #expect(directory.recognise(with: recogniser(1)).count == PeerDirectory.maximumPeers - 1)
    }

    @Test func directoryMatchesItsRecordsAfterAnyEvents() throws {
        let rounds = SeededGenerator(seed: .random(in: .min ... .max))
        var random = rounds
        var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser(1))
        var known: Set<UInt8> = [1]
        var alive: [ServiceRecord.ID: (record: ServiceRecord, device: Int, team: UInt8?)] = [:]
        var shown: [DiscoveredPeer.ID: DiscoveredPeer] = [:]
        for _ in 0..<1500 {
            let device = Int.random(in: 0..<8, using: &random)
            let changes: [PeerDirectory.Change]
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                known = Set((1...3).filter { _ in Bool.random(using: &random) })
                changes = directory.recognise(
                    with: PresenceRecogniser(
                        known.sorted().map { .init(team: team($0), secret: teamSecret($0), generation: 0) }))
            case 1...2 where !alive.isEmpty:
                let lost = alive.keys.sorted { $0.instanceName < $1.instanceName }.randomElement(using: &random)!
                alive[lost] = nil
                changes = directory.apply(.lost(lost))
            case 3 where alive.count < 60:
                let open = record("n\(device)", address("192.0.2.\(device)", on: .ethernet), id: deviceID(device))
                alive[open.id] = (open, device, nil)
                changes = directory.apply(.found(open))
            default:
                guard alive.count < 60 else { continue }
                let number = UInt8.random(in: 1...3, using: &random)
                let hidden = try hiddenRecord(
                    seal(device, for: number), address("192.0.2.\(100 + device)", on: .ethernet))
                alive[hidden.id] = (hidden, device, number)
                changes = directory.apply(.found(hidden))
            }
            for change in changes {
                switch change {
                case .appeared(let peer): #expect(shown.updateValue(peer, forKey: peer.id) == nil)
                case .changed(let peer): #expect(shown.updateValue(peer, forKey: peer.id) != nil)
                case .vanished(let peer): #expect(shown.removeValue(forKey: peer.id) != nil)
                }
            }
            #expect(Set(directory.peers) == Set(shown.values), "seed \(rounds.seed)")
            let expected = Set(alive.values.filter { $0.team.map(known.contains) ?? true }.map(\.device))
            #expect(Set(directory.peers.compactMap(\.fingerprint)) == Set(expected.map(fingerprint)))
            for peer in directory.peers {
                let isOpen = alive.values.contains { $0.team == nil && fingerprint($0.device) == peer.fingerprint }
                #expect(peer.isHidden == !isOpen, "seed \(rounds.seed)")
            }
        }
    }
}
