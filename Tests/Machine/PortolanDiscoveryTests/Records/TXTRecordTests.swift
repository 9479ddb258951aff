import PortolanDiscovery
import TestSupport
import Testing

struct TXTRecordTests {
    private func parse(_ strings: [String]) -> [String: String]? {
        TXTRecord.parse(strings.map { Array($0.utf8) })?.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test func pairsFollowRFC6763() {
        #expect(
            parse(["txtvers=1", "V=1", "v=2", "=x", "", "flag", "empty=", "a=b=c"]) == [
                "txtvers": "1", "v": "1", "flag": "", "empty": "", "a": "b=c",
            ])
    }

    @Test func valuesAreBytes() {
        let id: [UInt8] = [0, 0xFF, UInt8(ascii: "="), 0x1B]
        #expect(TXTRecord.parse([Array("id=".utf8) + id]) == ["id": id])
    }

    @Test func keysOutsideOfPrintableASCIIAreSkipped() {
        #expect(
            TXTRecord.parse([Array("a\u{1B}b=1".utf8), Array("ä=1".utf8), [0x80, 0x3D], Array("ok=1".utf8)])?.count == 1
        )
    }

    @Test func anOversizedRecordIsRefusedWhole() {
        #expect(TXTRecord.parse(Array(repeating: [UInt8](repeating: 97, count: 255), count: 5)) != nil)
        #expect(TXTRecord.parse(Array(repeating: [UInt8](repeating: 97, count: 255), count: 6)) == nil)
        #expect(TXTRecord.parse(Array(repeating: [], count: 8900)) == nil)
    }

    @Test func damagedRecordsAreReadOrRefused() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let sample = Array("txtvers=1\u{0}v=1\u{0}id=01234567890123456789".utf8)
        for _ in 0..<3000 {
            let strings = random.mutation(of: sample).split(separator: 0, omittingEmptySubsequences: false).map(
                Array.init)
            guard let pairs = TXTRecord.parse(strings) else { continue }
            #expect(pairs.keys.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() && !$0.contains("=") }, "seed \(seed)")
        }
    }
}

struct AdvertisementTests {
    @Test(arguments: ["", String(repeating: "a", count: 64), "a\nb", "a\u{7F}"])
    func invalidInstanceNamesAreRefused(name: String) {
        #expect(throws: DiscoveryError.self) { try Advertisement(name: name, port: 1, txt: []) }
    }

    @Test func tooLongTextIsRefused() {
        for txt: [(key: String, value: [UInt8])] in [
            [("", [])], [("a=b", [])], [("ä", [])], [("k", Array(repeating: 0, count: 254))],
            Array(repeating: ("k", Array(repeating: 0, count: 250)), count: 6),
        ] {
            #expect(throws: DiscoveryError.self) { try Advertisement(name: "n", port: 1, txt: txt) }
        }
        #expect(throws: DiscoveryError.self) { try Advertisement(name: "n", port: 0, txt: []) }
        #expect(throws: Never.self) {
            try Advertisement(name: "Ünïcode’s laptop", port: 1, txt: [("k", Array(repeating: 0, count: 253))])
        }
    }
}
