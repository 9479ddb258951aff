import Foundation
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

/// Several keys that announce one name.
@Suite struct NamesakeTests {
    let temporary: TemporaryHome
    let peers: KnownPeers
    let debian: DeviceName
    let keys = (0..<5).map { _ in DeviceKey.generate().publicKey }
    let noon = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        temporary = try TemporaryHome()
        peers = KnownPeers(home: temporary.home)
        debian = try DeviceName("debian")
    }

    private var names: [String] { get throws { try peers.all().map(\.name.text) } }

    @Test func eachNamesakeGetsTheNextNumberAndKeepsIt() throws {
        for key in keys { try peers.remember(name: debian, key: key, now: noon) }
        let expected = ["debian", "debian (2)", "debian (3)", "debian (4)", "debian (5)"]
        #expect(try names == expected)
        #expect(try peers.all().map(\.announcedName) == keys.map { _ in debian })
        #expect(try peers.all().map(\.isNamesake) == [false, true, true, true, true])
        for (key, name) in zip(keys, expected) {
            let assessment = try peers.assess(name: debian, key: key)
            #expect(assessment == PeerAssessment(verdict: .known(since: noon), localName: try DeviceName(name)))
            try peers.confirm(name: debian, key: key, now: noon.addingTimeInterval(7200))
        }
        #expect(try names == expected)
        #expect(try peers.contacts().count == 5)
    }

    @Test func theNameBelongsToTheFirstAlone() throws {
        for key in keys.prefix(2) { try peers.remember(name: debian, key: key, now: noon) }
        #expect(try peers.assess(name: debian, key: keys[2]).verdict == .namesake(of: keys[0].fingerprint))
        let numbered = try peers.assess(name: DeviceName("debian (2)"), key: keys[2])
        #expect(numbered.verdict == .namesake(of: keys[1].fingerprint))
        #expect(try peers.rename(debian, to: DeviceName("home")) == .renamed(try #require(try peers.all().first)))
        // The announced name belongs to the peer, too.
        #expect(try peers.assess(name: debian, key: keys[2]).verdict == .namesake(of: keys[0].fingerprint))
        try peers.remember(name: debian, key: keys[2], now: noon)
        #expect(try names == ["home", "debian (2)", "debian (3)"])
        #expect(try peers.rename(DeviceName("debian (2)"), to: debian) == .taken(by: try peers.all()[0]))
    }

    @Test func forgottenNameGoesToTheNextPeerThatAnnouncesIt() throws {
        for key in keys.prefix(2) { try peers.remember(name: debian, key: key, now: noon) }
        #expect(try peers.forget(debian)?.key.matches(keys[0]) == true)
        #expect(try names == ["debian (2)"])
        // Met again, the second does not take it over.
        try peers.remember(name: debian, key: keys[1], now: noon.addingTimeInterval(7200))
        #expect(try peers.forget(debian) == nil)
        #expect(try peers.remember(name: debian, key: keys[2], now: noon) == .new)
        #expect(try names == ["debian (2)", "debian"])
        #expect(try peers.assess(name: debian, key: keys[0]).verdict == .namesake(of: keys[2].fingerprint))
        #expect(try peers.forget(DeviceName("debian (2)"))?.key.matches(keys[1]) == true)
    }

    @Test func knownKeyThatAnnouncesATakenNameStaysKnown() throws {
        let (ada, bob) = (try DeviceName("ada"), try DeviceName("bob"))
        try peers.remember(name: ada, key: keys[0], now: noon)
        try peers.remember(name: bob, key: keys[1], now: noon)
        #expect(try peers.remember(name: ada, key: keys[1], now: noon) == .known(since: noon))
        #expect(try names == ["ada", "bob"])
        #expect(try peers.all().map { $0.goes(by: ada) } == [true, false])
        // With a free name it is no namesake any more.
        try peers.remember(name: DeviceName("bert"), key: keys[1], now: noon)
        #expect(try peers.all().map { $0.goes(by: (try? DeviceName("bert")) ?? ada) } == [false, true])
    }

    @Test func nameTooLongForANumberIsShortened() throws {
        let long = try DeviceName(String(repeating: "é", count: 31))
        for key in keys.prefix(3) { try peers.remember(name: long, key: key, now: noon) }
        let names = try names
        #expect(Set(names).count == 3)
        #expect(names[1].hasSuffix(" (2)") && names[2].hasSuffix(" (3)"))
        #expect(names.allSatisfy { $0.utf8.count <= DeviceName.maximumBytes })
        let oneCharacter = try DeviceName("\u{E1}" + String(repeating: "\u{301}", count: 30))
        #expect(oneCharacter.free(among: [oneCharacter.comparisonKey]).text == "device (2)")
        #expect(try DeviceName("a").free(among: ["a", "a (2)", "a (4)"]).text == "a (3)")
        #expect(try DeviceName("A").free(among: ["b"]).text == "A")
    }

    @Test func aFullStoreOfNamesakesTakesNoMore() throws {
        let pins = try (1...KnownPeers.capacity).map { number in
            KnownPeer(
                name: number == 1 ? debian : try DeviceName("debian (\(number))"), announcedName: debian,
                isNamesake: number > 1, key: PinnedKey(keys[0]), since: noon, lastSeen: noon, confirmed: noon)
        }
        let text = KnownPeersDocument.text(of: pins)
        #expect(text.count <= KnownPeersDocument.sizeLimit)
        try PrivateDirectory(path: temporary.home.data).replace(KnownPeers.fileName, with: text)
        #expect(try peers.assess(name: debian, key: keys[1]).localName.text == "debian (\(KnownPeers.capacity + 1))")
        #expect(throws: StoreError.self) { try peers.remember(name: debian, key: keys[1], now: noon) }
    }

    @Test func damagedFileIsAnError() throws {
        try peers.remember(name: debian, key: keys[0], now: noon)
        let bytes = try temporary.bytes(temporary.peersFile)
        try PrivateDirectory(path: temporary.home.data).replace(KnownPeers.fileName, with: Array(bytes.dropLast(2)))
        #expect(throws: StoreError.self) { try peers.assess(name: debian, key: keys[1]) }
        #expect(throws: StoreError.self) { try peers.confirm(name: debian, key: keys[1], now: noon) }
    }
}
