import Foundation
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

@Suite struct KnownPeersDocumentTests {
    private let keys = (0..<3).map { _ in DeviceKey.generate().publicKey }
    private let pins: [KnownPeer]
    private let text: [UInt8]

    init() throws {
        let noon = Date(timeIntervalSince1970: 1_700_000_000)
        pins = try zip([("ada", nil), ("Bob’s “old” box", "bob"), ("東京", nil)], keys).map { names, key in
            KnownPeer(
                name: try DeviceName(names.0), announcedName: try names.1.map { try DeviceName($0) },
                key: PinnedKey(key),
                since: noon, lastSeen: noon, confirmed: names.1 == nil ? nil : noon)
        }
        text = KnownPeersDocument.text(of: pins)
    }

    private func parse(replacing old: String, with new: String) throws -> [KnownPeer] {
        let whole = String(decoding: text, as: UTF8.self)
        let changed = whole.replacingOccurrences(of: old, with: new)
        try #require(changed != whole)
        return try KnownPeersDocument.parse(Array(changed.utf8))
    }

    @Test func documentRoundTrips() throws {
        #expect(try KnownPeersDocument.parse(text) == pins)
        #expect(try KnownPeersDocument.parse(KnownPeersDocument.text(of: [])) == [])
    }

    @Test(
        "an entry that is not right spoils the whole file",
        arguments: [
            ("\"ada\"", "\"\""), ("\"ada\"", "\"a\\u001b\""), ("\"ada\"", "\"東京\""), ("\"ada\"", "7"),
            ("\"version\" : 3", "\"version\" : 4"), ("\"version\" : 3", "\"version\" : 0"),
            ("portolan known peers", "something else"),
            ("2023-11-14T", "yesterday"), ("\"fingerprint\" : \"", "\"fingerprint\" : \"a"),
            ("\"key\" : \"", "\"key\" : \"z"),
            ("\"peers\"", "\"friends\""), ("\"bob\"", "\"ada\""), ("\"bob\"", "\"b\\u202eob\""),
            ("\"confirmed\" : \"", "\"confirmed\" : \"on "),
        ])
    func invalidEntryInvalidatesTheFile(old: String, new: String) throws {
        #expect(throws: StoreDefect.self) { try parse(replacing: old, with: new) }
    }

    @Test func versionOneHasNoConfirmedPeers() throws {
        let read = try parse(replacing: "\"version\" : 3", with: "\"version\" : 1")
        #expect(read.map(\.key) == pins.map(\.key))
        #expect(read.allSatisfy { $0.confirmed == nil && $0.announcedName == $0.name })
        let older = String(decoding: KnownPeersDocument.text(of: [pins[0]]), as: UTF8.self)
            .replacingOccurrences(of: "\"version\" : 3", with: "\"version\" : 1")
        #expect(try KnownPeersDocument.parse(Array(older.utf8)) == [pins[0]])
    }

    @Test func versionTwoIsReadAndKnowsNoNamesakes() throws {
        #expect(try parse(replacing: "\"version\" : 3", with: "\"version\" : 2") == pins)
        let same = try namesakes()
        let text = String(decoding: KnownPeersDocument.text(of: same), as: UTF8.self)
        #expect(throws: StoreDefect.self) {
            try KnownPeersDocument.parse(Array(text.replacing("\"version\" : 3", with: "\"version\" : 2").utf8))
        }
    }

    @Test func namesakesAreWrittenAndRead() throws {
        let same = try namesakes()
        #expect(try KnownPeersDocument.parse(KnownPeersDocument.text(of: same)) == same)
    }

    @Test(
        "names that belong to two peers spoil the whole file",
        arguments: [
            ("\"debian (2)\"", "\"debian\""), ("\"debian (3)\"", "\"DEBIAN (2)\""),
            ("\"namesake\" : true", "\"namesake\" : 1"),
            ("\"namesake\" : true", "\"namesake\" : false"), ("\"namesake\" : true", "\"confirmed\" : null"),
        ])
    func spoiledNamesakes(old: String, new: String) throws {
        let text = String(decoding: KnownPeersDocument.text(of: try namesakes()), as: UTF8.self)
        try #require(text.contains(old))
        #expect(throws: StoreDefect.self) {
            try KnownPeersDocument.parse(Array(text.replacing(old, with: new).utf8))
        }
    }

    /// Three keys that announce one name.
    private func namesakes() throws -> [KnownPeer] {
        try zip(["debian", "debian (2)", "debian (3)"], keys).map { name, key in
            KnownPeer(
                name: try DeviceName(name), announcedName: try DeviceName("debian"), isNamesake: name != "debian",
                key: PinnedKey(key), since: pins[0].since, lastSeen: pins[0].since)
        }
    }

    @Test func deepNestingIsRefusedAndNotFollowed() {
        let nested = Array((String(repeating: "[", count: 100_000) + "\n").utf8)
        #expect(throws: StoreDefect.self) { try KnownPeersDocument.parse(nested) }
    }

    @Test func fuzzedDocumentNeverChangesAPinnedKey() {
        let seed: UInt64 = 0x5EED_0003
        var random = SeededGenerator(seed: seed)
        for round in 0..<2000 {
            let mutated = text.mutated(using: &random)
            guard let parsed = try? KnownPeersDocument.parse(mutated) else { continue }
            // A changed name or date may be accepted, since a person may edit the file; a changed key then matches no
            // device.
            #expect(parsed.count == pins.count, "seed \(seed) round \(round)")
            for (pin, original) in zip(parsed, keys) where pin.key != PinnedKey(original) {
                #expect(!keys.contains { pin.key.matches($0) }, "seed \(seed) round \(round)")
            }
        }
    }
}
