import Foundation
import TestSupport
import Testing

@testable import PortolanCrypto

@Suite struct FingerprintTests {
    private let key = DevicePublicKey(
        valid: Hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a").bytes)
    private let text = "eh7d-dx5b-ksrg-cytl-7bka-i36s-e4nx-x3kl"

    @Test func isTheBeginningOfTheKeysDigest() {
        #expect(key.fingerprint.bytes == Hex("21fe31dfa154a261626bf854046fd2271b7bed4b").bytes)
        #expect(key.fingerprint.description == text)
    }

    @Test func isParsedInEverySpelling() {
        for form in [
            text, text.uppercased(), text.replacing("-", with: ""), "-\(text)-", text.replacing("-", with: "--"),
        ] {
            #expect(Fingerprint(parsing: form) == key.fingerprint, "\(form)")
        }
        #expect(Fingerprint(bytes: key.fingerprint.bytes) == key.fingerprint)
    }

    @Test func anyTwentyBytesSurviveTheTextForm() throws {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<500 {
            let fingerprint = try #require(Fingerprint(bytes: generator.bytes(20)))
            #expect(fingerprint.description.utf8.count == 39)
            #expect(Fingerprint(parsing: fingerprint.description) == fingerprint)
        }
    }

    @Test func everyCutOfTheTextIsRefused() {
        for length in 0..<text.count { #expect(Fingerprint(parsing: String(text.prefix(length))) == nil) }
        #expect(Fingerprint(parsing: text + "a") == nil)
    }

    @Test(arguments: ["0", "1", "8", "9", " ", "=", "é", "ａ", "\u{0}", "\u{212A}", "_", "ſ"])
    func wrongCharacterIsRefused(character: String) {
        for position in 0..<32 {
            var letters = text.replacing("-", with: "").map(String.init)
            letters[position] = character
            #expect(Fingerprint(parsing: letters.joined()) == nil)
        }
    }

    @Test(arguments: [0, 1, 19, 21, 32])
    func wrongNumberOfBytesIsRefused(count: Int) {
        #expect(Fingerprint(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func isFoundByItsBeginning() {
        for length in 1...text.count {
            let prefix = String(text.prefix(length))
            #expect(key.fingerprint.hasPrefix(prefix))
            #expect(key.fingerprint.hasPrefix(prefix.uppercased().replacing("-", with: "")))
        }
    }

    @Test(arguments: ["", "-", "--", "!", "b", "\(String(repeating: "a", count: 33))"])
    func hasOnlyItsOwnPrefixes(prefix: String) {
        #expect(!key.fingerprint.hasPrefix(prefix))
    }

    @Test func isOrderedByItsBytes() throws {
        let low = try #require(Fingerprint(bytes: [UInt8](repeating: 0, count: 20)))
        let high = try #require(Fingerprint(bytes: [UInt8](repeating: 255, count: 20)))
        #expect([high, key.fingerprint, low].sorted() == [low, key.fingerprint, high])
    }

    @Test func isStoredAsItsText() throws {
        let stored = try JSONEncoder().encode([key.fingerprint])
        #expect(String(decoding: stored, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([Fingerprint].self, from: stored) == [key.fingerprint])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Fingerprint].self, from: Data("[\"mfzw\"]".utf8))
        }
    }
}
