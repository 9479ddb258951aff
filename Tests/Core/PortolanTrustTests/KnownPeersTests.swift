import Foundation
import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

@Suite(.aside) struct KnownPeersTests {
    let temporary: TemporaryHome
    let peers: KnownPeers
    let ada: DeviceName
    let key = DeviceKey.generate().publicKey
    let otherKey = DeviceKey.generate().publicKey
    let noon = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        temporary = try TemporaryHome()
        peers = KnownPeers(home: temporary.home)
        ada = try DeviceName("ada")
    }

    @Test func assessingStoresNothing() throws {
        for number in 0..<100 {
            #expect(try peers.assess(name: DeviceName("peer \(number)"), key: key).verdict == .new)
        }
        #expect(!FileManager.default.fileExists(atPath: temporary.home.data))
    }

    @Test func storedKeyIsKnownUnderOldAndNewNames() throws {
        #expect(try peers.remember(name: ada, key: key, now: noon) == .new)
        #expect(try peers.assess(name: ada, key: key).verdict == .known(since: noon))
        #expect(try peers.assess(name: DeviceName("ADA"), key: key).verdict == .known(since: noon))
        #expect(try peers.assess(name: DeviceName("ada-2"), key: key).verdict == .known(since: noon))
        #expect(try peers.assess(name: DeviceName("bob"), key: otherKey).verdict == .new)
        #expect(temporary.mode(temporary.peersFile) == 0o600)
    }

    @Test func namesakeIsReportedAndTheFirstKeyKeepsTheName() throws {
        try peers.remember(name: ada, key: key, now: noon)
        let namesake = PeerVerdict.namesake(of: key.fingerprint)
        #expect(try peers.assess(name: ada, key: otherKey).verdict == namesake)
        #expect(try peers.assess(name: DeviceName("Ada"), key: otherKey).verdict == namesake)
        #expect(try peers.assess(name: ada, key: otherKey).localName.text == "ada (2)")
        #expect(try peers.assess(name: ada, key: key).verdict == .known(since: noon))
        #expect(try peers.assess(name: ada, key: key).localName == ada)
    }

    @Test func forgettingMakesTheNameNewAgain() throws {
        try peers.remember(name: ada, key: key, now: noon)
        #expect(try peers.forget(DeviceName("Ada"))?.key.matches(key) == true)
        #expect(try peers.forget(ada) == nil)
        #expect(try peers.assess(name: ada, key: otherKey).verdict == .new)
    }

    @Test func meetingAgainIsNotedOnceAnHour() throws {
        try peers.remember(name: ada, key: key, now: noon)
        let before = try temporary.bytes(temporary.peersFile)
        try peers.remember(name: ada, key: key, now: noon.addingTimeInterval(60))
        #expect(try temporary.bytes(temporary.peersFile) == before)
        try peers.remember(name: ada, key: key, now: noon.addingTimeInterval(7200))
        let pin = try #require(try peers.all().first)
        #expect(pin.lastSeen == noon.addingTimeInterval(7200))
        #expect(pin.since == noon)
    }

    @Test func fullStoreRefusesNewPeersAndKeepsAll() throws {
        var pins: [KnownPeer] = []
        for number in 0..<KnownPeers.capacity {
            let name = try DeviceName("\(number)" + String(repeating: "\"", count: 58))
            let announced = try DeviceName("\(number)" + String(repeating: "\\", count: 58))
            pins.append(
                KnownPeer(
                    name: name, announcedName: announced, key: PinnedKey(key), since: noon, lastSeen: noon,
                    confirmed: noon))
        }
        let text = KnownPeersDocument.text(of: pins)
        #expect(text.count <= KnownPeersDocument.sizeLimit)
        try PrivateDirectory(path: temporary.home.data).replace(KnownPeers.fileName, with: text)
        let error = try #require(throws: StoreError.self) { try peers.remember(name: ada, key: otherKey, now: noon) }
        #expect(error.kind == .full(reason: "it holds 10000 peers"))
        #expect(try peers.all().count == KnownPeers.capacity)
    }

    @Test func concurrentWritersLoseNothing() async throws {
        let peers = peers
        let noon = noon
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    try peers.remember(
                        name: DeviceName("peer \(number)"), key: DeviceKey.generate().publicKey, now: noon)
                }
            }
            try await group.waitForAll()
        }
        #expect(try peers.all().count == 24)
        #expect(try temporary.dataEntries() == ["known-peers.json", "known-peers.lock"])
    }

    @Test func concurrentKeysOfOneNameGetNumbers() async throws {
        let peers = peers
        let (ada, noon) = (ada, noon)
        let verdicts = try await withThrowingTaskGroup(of: PeerVerdict.self) { group in
            for _ in 0..<8 {
                group.addTask { try peers.remember(name: ada, key: DeviceKey.generate().publicKey, now: noon) }
            }
            return try await group.reduce(into: [PeerVerdict]()) { $0.append($1) }
        }
        #expect(verdicts.count { $0 == .new } == 1)
        #expect(try peers.all().map(\.name.text) == ["ada"] + (2...8).map { "ada (\($0))" })
        #expect(try peers.all().count { $0.goes(by: ada) } == 1)
    }

    @Test func aStoreCutAnywhereIsAnError() throws {
        try peers.remember(name: ada, key: key, now: noon)
        try peers.remember(name: DeviceName("bob"), key: otherKey, now: noon)
        let bytes = try temporary.bytes(temporary.peersFile)
        for length in 0..<bytes.count {
            try temporary.write(bytes.prefix(length), to: temporary.peersFile)
            #expect(throws: StoreError.self, "cut at \(length)") { try peers.assess(name: ada, key: otherKey).verdict }
        }
        let error = try #require(throws: StoreError.self) { try peers.remember(name: ada, key: key, now: noon) }
        #expect(error.description.contains("damaged"))
        #expect(try temporary.bytes(temporary.peersFile).count == bytes.count - 1, "a damaged store was replaced")
    }

    @Test func storeWritableByOthersIsRefused() throws {
        try peers.remember(name: ada, key: key, now: noon)
        chmod(temporary.peersFile, 0o622)
        let error = try #require(throws: StoreError.self) { try peers.assess(name: ada, key: key).verdict }
        #expect(error.kind == .tooOpen(mode: 0o622))
    }

    @Test func lockHeldTooLongIsReported() throws {
        let directory = try PrivateDirectory(path: temporary.home.data)
        try directory.withLock("lock") { outer throws(StoreError) in
            let error = #expect(throws: StoreError.self) {
                try PrivateDirectory(path: temporary.home.data).withLock("lock", patience: .milliseconds(20)) { _ in }
            }
            #expect(error?.kind == .busy)
        }
        try directory.withLock("lock", patience: .zero) { _ in }
    }
}
