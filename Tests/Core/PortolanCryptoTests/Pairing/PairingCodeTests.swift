import TestSupport
import Testing

@testable import PortolanCrypto

@Suite(.aside) struct PairingCodeTests {
    @Test(arguments: [
        "7-walnut-harbor", "07-walnut-harbor", "7 walnut harbor", "7_walnut_harbor", "7walnutharbor", "7walnut-harbor",
        "7-WALNUT-Harbor", "  7 -- walnut\t_ harbor \n", "7\u{2013}walnut\u{2011}harbor", "7\u{a0}walnut\u{3000}harbor",
        "7-wal-nut-harbor",
    ])
    func spellingsOfOneCodeAreEqual(text: String) throws {
        let code = try PairingCode(text)
        #expect(code.text == "7-walnut-harbor")
        #expect(code.number == 7)
        #expect(code.secret == SecretBytes(copying: Array("7-walnut-harbor".utf8)))
    }

    @Test(
        arguments: [
            ("", .empty), (" - \n", .empty),
            ("walnut-harbor", .numberMissing), ("-walnut", .numberMissing),
            ("0-walnut-harbor", .numberOutOfRange("0")), ("100-walnut-harbor", .numberOutOfRange("100")),
            ("99999999999999999999-walnut-harbor", .numberOutOfRange("99999999999999999999")),
            ("7", .wrongWordCount(0)), ("7-walnut", .wrongWordCount(1)),
            ("7-walnut-harbor-walnut", .wrongWordCount(3)),
            ("7-walmut-harbor", .unknownWord("walmut", nearest: ["walnut"])),
            ("7-walnut-hrabor", .unknownWord("hrabor", nearest: ["harbor"])),
            ("7-walnut-harb", .unknownWord("harb", nearest: ["harbor"])),
            ("7-wal-harbor", .unknownWord("wal", nearest: ["wallet", "walnut", "walrus"])),
            ("7walnutharbr", .unknownWord("harbr", nearest: ["harbor"])),
            ("7-walnut-qqqqqqqqqqqq", .unknownWord("qqqqqqqqqqqq", nearest: [])),
            ("7-walnut-5-harbor", .unexpectedCharacter("5")), ("7 5 walnut harbor", .unexpectedCharacter("5")),
            ("7-walnut+harbor", .unexpectedCharacter("+")), ("7-wälnut-harbor", .unexpectedCharacter("ä")),
            ("7-walnut\u{1b}[2J-harbor", .unexpectedCharacter("\u{1b}")),
            ("7-walnut\u{202e}-harbor", .unexpectedCharacter("\u{202e}")),
            ("\u{667}-walnut-harbor", .unexpectedCharacter("\u{667}")),
            ("7-walnut-harbor" + String(repeating: " ", count: 50), .tooLong),
            (String(repeating: "7", count: 1_000_000), .tooLong),
        ] as [(String, PairingCodeError)])
    func whatIsNoCodeIsRefusedWithAReason(text: String, error: PairingCodeError) {
        #expect(throws: error) { try PairingCode(text) }
        #expect("\(error)".hasSuffix(".") || "\(error)".hasSuffix("?"))
        #expect("\(error)".unicodeScalars.allSatisfy { (" "..."~").contains($0) || $0 == "“" || $0 == "”" })
    }

    @Test func errorNamesTheWordAndSuggestions() {
        #expect(
            "\(PairingCodeError.unknownWord("wal", nearest: ["wallet", "walnut"]))"
                == "“wal” is no word of pairing codes; was it “wallet” or “walnut”?")
        #expect("\(PairingCodeError.unexpectedCharacter("\u{1b}"))".contains("U+001B"))
        #expect("\(PairingCodeError.unexpectedCharacter("+"))".contains("\"+\""))
    }

    @Test func everyCodeIsReadBackAndWithoutSeparatorsToo() throws {
        for (index, word) in PairingWords.all.enumerated() {
            let other = PairingWords.all[(index + 211) % PairingWords.all.count]
            let code = PairingCode(number: index % 99 + 1, words: [word, other])
            #expect(try PairingCode(code.text) == code)
            #expect(try PairingCode(code.text.filter { $0 != "-" }) == code)
            #expect(code.text.utf8.count <= 20)
        }
    }

    @Test(
        arguments: [
            ("7-wal", ["7-wallet-", "7-walnut-", "7-walrus-"]), ("7wal", ["7-wallet-", "7-walnut-", "7-walrus-"]),
            ("7-walnut", ["7-walnut-"]), ("7-walnut-harb", ["7-walnut-harbor"]), ("7 WALNUT HarB", ["7-walnut-harbor"]),
            ("7walnutharb", ["7-walnut-harbor"]), ("7-walnut-harbor", ["7-walnut-harbor"]),
            ("7-walnut-harbor-", ["7-walnut-harbor"]),
            ("", []), ("7", []), ("wal", []), ("0-wal", []), ("7-qqq", []), ("7-walnut-harbor-w", []), ("7-wal+", []),
        ] as [(String, [String])])
    func partialCodeIsCompleted(prefix: String, completions: [String]) {
        #expect(PairingCode.completions(of: prefix) == completions)
    }

    @Test func everyWordMayFollowASeparator() {
        #expect(PairingCode.completions(of: "7-") == PairingWords.all.map { "7-\($0)-" })
        #expect(PairingCode.completions(of: "7-walnut-") == PairingWords.all.map { "7-walnut-\($0)" })
    }

    @Test func threeLettersLeaveFewCompletions() {
        for word in PairingWords.all {
            let completions = PairingCode.completions(of: "7-\(word.prefix(3))")
            #expect(completions.contains("7-\(word)-"))
            #expect(completions.count <= 8, "\(word.prefix(3))")
        }
    }

    @Test func allNumbersAndWordsAreEquallyLikely() {
        var generator = SeededGenerator(seed: 7)
        var numbers: [Int: Int] = [:]
        var words: [[String: Int]] = [[:], [:]]
        for _ in 0..<20_480 {
            let code = PairingCode.random(using: &generator)
            numbers[code.number, default: 0] += 1
            for (place, word) in code.words.enumerated() { words[place][word, default: 0] += 1 }
        }
        // 40 of each word and 207 of each number are expected, within five standard deviations.
        for place in words {
            #expect(place.count == 512)
            #expect(place.values.allSatisfy { (8...72).contains($0) })
        }
        #expect(numbers.count == 99)
        #expect(numbers.values.allSatisfy { (135...279).contains($0) })
    }

    @Test func takenNumbersAreAvoidedWhileOthersAreFree() {
        var generator = SeededGenerator(seed: 8)
        let taken = Set(PairingCode.numbers).subtracting([42, 43])
        let chosen = Set((0..<50).map { _ in PairingCode.random(avoiding: taken, using: &generator).number })
        #expect(chosen == [42, 43])
        let all = PairingCode.random(avoiding: Set(PairingCode.numbers), using: &generator)
        #expect(PairingCode.numbers.contains(all.number))
    }

    @Test func descriptionOmitsTheSecretWords() throws {
        let code = try PairingCode("7-walnut-harbor")
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), dumped] {
            #expect(text.contains("not shown"))
            #expect(!text.contains("walnut") && !text.contains("harbor"))
        }
    }

    @Test func anyTextIsACodeOrAnError() {
        var codes = 0
        for seed in UInt64(0)..<3000 {
            var generator = SeededGenerator(seed: seed)
            let original = PairingCode.random(using: &generator).text
            let text = String(decoding: generator.mutated(Array(original.utf8)), as: UTF8.self)
            _ = PairingCode.completions(of: text)
            do throws(PairingCodeError) {
                let code = try PairingCode(text)
                #expect(throws: Never.self, "seed \(seed)") {
                    let again = try PairingCode(code.text)
                    #expect(again == code)
                }
                codes += 1
            } catch {
                #expect("\(error)".utf8.count < 300, "seed \(seed)")
            }
        }
        // A hyphen that becomes another separator, or a number that becomes another one.
        #expect(codes > 30)
    }
}
