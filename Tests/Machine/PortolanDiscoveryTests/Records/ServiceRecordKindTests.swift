import PortolanCrypto
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

@testable import PortolanDiscovery

struct ServiceRecordKindTests {
    private func meaning(_ txt: [String: [UInt8]]) -> ServiceRecordKind {
        let place = address("192.0.2.7", on: .ethernet)
        return ServiceRecord(
            id: ServiceRecord.ID(instanceName: "n", interface: 2, family: .v4), hostName: "h.local", address: place,
            txt: txt, isOwn: false, isOnLink: true
        ).meaning
    }

    private func read(_ advertisement: Advertisement) -> ServiceRecordKind {
        hostRecord(advertisement.name, on: "h.local", address("192.0.2.7", on: .ethernet), advertisement).meaning
    }

    @Test func advertisementRoundTrips() throws {
        let sealed = seal(1, for: 1, 2)
        #expect(
            try read(.open(name: "Anna", fingerprint: fingerprint(1), port: 1, activities: .takes))
                == .open(fingerprint(1)))
        #expect(try read(.hidden(sealed, port: 1)) == .hidden(sealed))
        #expect(try read(.waiting(number: 7, for: .pair, port: 1)) == .waiting(number: 7, .pair))
        #expect(try read(.waiting(number: 99, for: .join, port: 1)) == .waiting(number: 99, .join))
    }

    @Test func hiddenAndWaitingDevicesGetNewRandomNames() throws {
        var names: Set<String> = []
        for _ in 1...50 {
            for advertisement in [
                try Advertisement.hidden(seal(1, for: 1), port: 1),
                try Advertisement.waiting(number: 7, for: .pair, port: 1),
            ] {
                let host = try #require(advertisement.host)
                for name in [advertisement.name, host] {
                    #expect(name.count == 16 && name.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) })
                    names.insert(name)
                }
            }
        }
        #expect(names.count == 200)
        #expect(
            try Advertisement.open(name: "Anna", fingerprint: fingerprint(1), port: 1, activities: .any).host == nil)
    }

    @Test(
        "an open record names the roles of its instance, and one without them may have any",
        arguments: [
            ("takes", .takes), ("serves", .serves), ("takes,serves", .any), ("serves,takes", .any), ("", []),
            ("serves,prints", .serves), ("Takes", []), ("takes ", []), (",,takes,", .takes),
            (String(repeating: "x", count: 65), .any), (nil, .any),
        ] as [(String?, Activities)])
    func activities(text: String?, activities: Activities) {
        let place = address("192.0.2.7", on: .ethernet)
        #expect(record("Anna", place, id: deviceID(1), does: text).activities == activities)
    }

    @Test func activitiesRoundTrip() throws {
        for activities in [Activities.takes, .serves, .any, []] {
            let advertisement = try Advertisement.open(
                name: "Anna", fingerprint: fingerprint(1), port: 1, activities: activities)
            #expect(advertisement.txt.map(\.key) == ["txtvers", "v", "id", "does"])
            #expect(Activities(txt: advertisement.txt.last?.value) == activities)
        }
    }

    @Test func aHiddenRecordFitsItsStrings() throws {
        let advertisement = try Advertisement.hidden(seal(1, for: 1), port: 1)
        #expect(advertisement.txt.map { $0.key.utf8.count + 1 + $0.value.count } == [9, 3, 18, 254])
    }

    @Test func recordOfSeveralKindsHasNone() throws {
        let hidden = try Advertisement.hidden(seal(1, for: 1), port: 1)
        let txt = Dictionary(uniqueKeysWithValues: hidden.txt.map { ($0.key, $0.value) })
        for (key, value) in [("id", deviceID(1)), ("pair", [55]), ("join", [55])] {
            #expect(meaning(txt.merging([key: value]) { $1 }) == .unreadable, "hidden and \(key)")
        }
        #expect(meaning(["pair": [55], "join": [55]]) == .unreadable)
        #expect(meaning(["pair": [55], "id": deviceID(1)]) == .unreadable)
        for key in ["n", "t"] {
            var half = txt
            half[key] = nil
            #expect(meaning(half) == .unreadable, "without \(key)")
            half["id"] = deviceID(1)
            #expect(meaning(half) == .unreadable, "an open record does not have \(key)")
        }
    }

    @Test func hiddenValuesOfAnyOtherLengthAreUnreadable() {
        for length in 0...260 {
            let value = [UInt8](repeating: 1, count: length)
            #expect((meaning(["n": Array(repeating: 0, count: 16), "t": value]) == .unreadable) == (length != 252))
            #expect((meaning(["n": value, "t": Array(repeating: 0, count: 252)]) == .unreadable) == (length != 16))
        }
    }

    @Test(arguments: ["", "0", "07", "100", "+7", "-7", "7 ", " 7", "7a", "٧", "1e1", "0x7", "777777777777777777777"])
    func invalidCodeNumbersAreRefused(text: String) {
        for purpose in WaitingPurpose.allCases {
            #expect(meaning([purpose.rawValue: Array(text.utf8)]) == .unreadable)
        }
    }

    @Test func recordsOfUnknownFormatAreRefused() throws {
        for format in ["", "2", "11", "01"] {
            #expect(meaning(["txtvers": Array(format.utf8), "pair": [55]]) == .unreadable)
            #expect(meaning(["txtvers": Array(format.utf8), "id": deviceID(1)]) == .unreadable)
        }
    }

    @Test func arbitraryRecordsAreReadSafely() {
        var random = SeededGenerator(seed: .random(in: .min ... .max))
        let keys = ["txtvers", "v", "id", "n", "t", "pair", "join", "x"]
        for _ in 0..<5000 {
            var txt: [String: [UInt8]] = [:]
            for key in keys where Bool.random(using: &random) {
                let lengths = ["n": 16, "t": 252, "id": 20]
                let usual = [UInt8](repeating: 49, count: lengths[key] ?? 1)
                txt[key] = Bool.random(using: &random) ? usual : random.mutation(of: usual)
            }
            if case .hidden(let seal) = meaning(txt) { #expect(seal.nonce == txt["n"]) }
        }
    }

    @Test(arguments: ["", "a.b", "-a", "a-", "Ab", "ä", "a b", String(repeating: "a", count: 64)])
    func invalidHostLabelsAreRefused(host: String) {
        #expect(throws: DiscoveryError.self) { try Advertisement(name: "n", host: host, port: 1, txt: []) }
    }
}
