import Foundation
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

@Suite struct ContactsTests {
    let temporary: TemporaryHome
    let peers: KnownPeers
    let ada: DeviceName
    let bob: DeviceName
    let office: DeviceName
    let key = DeviceKey.generate().publicKey
    let otherKey = DeviceKey.generate().publicKey
    let noon = Date(timeIntervalSince1970: 1_700_000_000)
    let later = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        temporary = try TemporaryHome()
        peers = KnownPeers(home: temporary.home)
        ada = try DeviceName("ada")
        bob = try DeviceName("bob")
        office = try DeviceName("Office")
    }

    @Test func knownPeerIsNoContact() throws {
        try peers.remember(name: ada, key: key, now: noon)
        #expect(try peers.contacts().isEmpty)
    }

    @Test func pairingMakesAContactAndKeepsTheFirstDate() throws {
        try peers.remember(name: ada, key: key, now: noon)
        #expect(try peers.confirm(name: ada, key: key, now: later) == .known(since: noon))
        #expect(try peers.confirm(name: bob, key: otherKey, now: later) == .new)
        let contacts = try peers.contacts()
        #expect(contacts.map(\.name) == [ada, bob])
        #expect(contacts.map(\.since) == [noon, later])
        #expect(contacts.map(\.confirmed) == [later, later])
        #expect(contacts.allSatisfy { $0.lastSeen == later })
    }

    @Test func pairingAgainOrMeetingAgainKeepsTheDateOfTheFirstPairing() throws {
        try peers.confirm(name: ada, key: key, now: noon)
        try peers.confirm(name: ada, key: key, now: later)
        try peers.remember(name: ada, key: key, now: later.addingTimeInterval(7200))
        let contact = try #require(try peers.contacts().first)
        #expect(contact.confirmed == noon)
        #expect(contact.lastSeen == later.addingTimeInterval(7200))
    }

    @Test func pairingDoesNotReplaceTheKeyOfAName() throws {
        try peers.confirm(name: ada, key: key, now: noon)
        let before = try peers.all()
        #expect(try peers.confirm(name: DeviceName("ADA"), key: otherKey, now: later) == .namesake(of: key.fingerprint))
        #expect(try peers.all().prefix(1) == before[...])
        #expect(try peers.contacts().map(\.name.text) == ["ada", "ADA (2)"])
        #expect(try peers.contacts().map(\.announcedName.text) == ["ada", "ADA"])
    }

    @Test func localAndAnnouncedNameAreKnown() throws {
        try peers.confirm(name: ada, key: key, now: noon)
        guard case .renamed(let renamed) = try peers.rename(DeviceName("ADA"), to: office) else {
            Issue.record("it was not renamed")
            return
        }
        #expect(renamed.name == office)
        #expect(renamed.announcedName == ada)
        #expect(renamed.confirmed == noon)
        for name in [ada, office] {
            #expect(try peers.assess(name: name, key: key).verdict == .known(since: noon))
            #expect(try peers.assess(name: name, key: otherKey).verdict == .namesake(of: key.fingerprint))
        }
        try peers.remember(name: ada, key: key, now: later)
        #expect(try peers.all().map(\.name) == [office])
        // The rename is undone.
        #expect(try peers.rename(office, to: ada) == .renamed(try #require(try peers.all().first)))
        #expect(try peers.all().map(\.name) == [ada])
    }

    @Test func renamedPeerKeepsItsEntryAndLocalName() throws {
        try peers.confirm(name: ada, key: key, now: noon)
        let seconds = 5
        for number in 0..<seconds {
            let announced = try DeviceName("ada \(number)")
            #expect(try peers.remember(name: announced, key: key, now: noon) == .known(since: noon))
            let pin = try #require(try peers.all().first)
            #expect(pin.name == ada)
            #expect(pin.announcedName == announced)
        }
        #expect(try peers.all().count == 1)
        #expect(try peers.assess(name: DeviceName("ada 4"), key: otherKey).verdict == .namesake(of: key.fingerprint))
        #expect(try peers.assess(name: DeviceName("ada 3"), key: otherKey).verdict == .new)
    }

    @Test func takenNameCannotBeGiven() throws {
        try peers.confirm(name: ada, key: key, now: noon)
        try peers.confirm(name: bob, key: otherKey, now: noon)
        _ = try peers.rename(bob, to: office)
        let second = try peers.all()[1]
        let before = try temporary.bytes(temporary.peersFile)
        #expect(try peers.rename(ada, to: DeviceName("office")) == .taken(by: second))
        #expect(try peers.rename(ada, to: DeviceName("BOB")) == .taken(by: second))
        #expect(try peers.rename(DeviceName("nobody"), to: bob) == .unknown)
        #expect(try temporary.bytes(temporary.peersFile) == before)
    }

    @Test("forgetting by either name forgets the key", arguments: ["ada", "office"])
    func forgetting(name: String) throws {
        try peers.confirm(name: ada, key: key, now: noon)
        try peers.confirm(name: bob, key: otherKey, now: noon)
        _ = try peers.rename(ada, to: office)
        #expect(try peers.forget(DeviceName(name))?.key.matches(key) == true)
        #expect(try peers.contacts().map(\.name) == [bob])
        #expect(try peers.assess(name: ada, key: otherKey).verdict == .known(since: noon))
        #expect(try peers.assess(name: ada, key: key).verdict == .new)
    }

    @Test func forgettingAKeyRemovesAllItsNames() throws {
        let pins = [ada, bob].map { KnownPeer(name: $0, key: PinnedKey(key), since: noon, lastSeen: noon) }
        try PrivateDirectory(path: temporary.home.data).replace(
            KnownPeers.fileName, with: KnownPeersDocument.text(of: pins))
        try peers.confirm(name: bob, key: key, now: later)
        #expect(try peers.contacts().map(\.name) == [bob])
        try peers.forget(ada)
        #expect(try peers.all().isEmpty)
    }

    @Test func lastMeetingIsUpdatedAfterAClockWasAhead() throws {
        try peers.confirm(name: ada, key: key, now: noon.addingTimeInterval(365 * 86_400))
        try peers.remember(name: ada, key: key, now: noon)
        #expect(try peers.all().first?.lastSeen == noon)
    }

    @Test func fileOfVersionOneIsMigrated() throws {
        let pins = [KnownPeer(name: ada, key: PinnedKey(key), since: noon, lastSeen: noon)]
        let text = String(decoding: KnownPeersDocument.text(of: pins), as: UTF8.self)
            .replacingOccurrences(of: "\"version\" : 3", with: "\"version\" : 1")
        try PrivateDirectory(path: temporary.home.data).replace(KnownPeers.fileName, with: Array(text.utf8))
        #expect(try peers.all() == pins)
        try peers.confirm(name: ada, key: key, now: later)
        #expect(try peers.contacts().map(\.since) == [noon])
    }
}
