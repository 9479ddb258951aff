import PortolanValues
import TestSupport
import Testing

@Suite(.aside) struct DisplayTextTests {
    @Test(
        "harmful characters are escaped",
        arguments: [
            ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb", "a\\u{A}b"), ("a\r", "a\\u{D}"), ("\u{0}", "\\u{0}"),
            ("\u{7F}", "\\u{7F}"), ("\u{9B}31m", "\\u{9B}31m"), ("exe\u{202E}gnp", "exe\\u{202E}gnp"),
            ("\u{2066}", "\\u{2066}"), ("\u{61C}", "\\u{61C}"), ("\u{200B}", "\\u{200B}"), ("\u{FEFF}", "\\u{FEFF}"),
            ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"), ("\u{AD}", "\\u{AD}"), ("\u{3164}", "\\u{3164}"),
            ("\u{E0041}", "\\u{E0041}"), ("\u{FFFE}", "\\u{FFFE}"), ("\u{200D}", "\\u{200D}"),
            ("a\u{FE0F}", "a\\u{FE0F}"), ("1\u{FE0F}", "1\\u{FE0F}"), ("\t", "\\u{9}"),
        ])
    func harmfulCharactersAreEscaped(original: String, shown: String) {
        #expect(DisplayText(original).text == shown)
        #expect(DisplayText(bytes: Array(original.utf8)).text == shown)
        #expect(!DisplayText.isHarmless(original))
    }

    @Test(
        "text cannot end its own quotation, nor pad a line",
        arguments: [
            ("a” (known), 1 kB", "a\\u{201D} (known), 1 kB"), ("“", "\\u{201C}"), ("\u{301E}", "\\u{301E}"),
            ("a\u{2800}\u{2800}b", "a\\u{2800}\\u{2800}b"), ("\u{A0}", "\\u{A0}"), ("山\u{3000}田", "山\\u{3000}田"),
            ("\u{2003}\u{202F}", "\\u{2003}\\u{202F}"), ("a   b", "a \\u{20}\\u{20}b"), (" a", "\\u{20}a"),
            ("a ", "a\\u{20}"), ("a  ", "a \\u{20}"), (" ", "\\u{20}"), ("\u{300}a", "\\u{300}a"),
            ("a\u{300}\u{301}\u{302}\u{303}\u{304}", "a\u{300}\u{301}\u{302}\u{303}\\u{304}"),
        ])
    func staysInItsQuotation(original: String, shown: String) {
        #expect(DisplayText(original).text == shown)
        #expect(DisplayText(bytes: Array(original.utf8)).text == shown)
        // Escaped text is not escaped again.
        #expect(DisplayText(shown).text == shown)
    }

    @Test func linesAndQuotationsOfSentencesStayReadable() {
        #expect(DisplayText(oneLine: "These are there:\n  “a”\n  “b”\n").text == "These are there: “a” “b”")
        #expect(DisplayText(oneLine: "a\u{1B}[2J\u{202E}").text == "a\\u{1B}[2J\\u{202E}")
        #expect(DisplayText(said: "“a.txt” is not wanted.\nAsk me.").text == "‘a.txt’ is not wanted. Ask me.")
        #expect(DisplayText(said: "a” said\u{201F} \u{1B}").text == "a’ said\\u{201F} \\u{1B}")
    }

    @Test func sentenceKeepsQuotationMarksAndEscapesControls() {
        let sentence = "“\(DisplayText("a” b"))” is  here."
        #expect(DisplayText(sentence: sentence).text == sentence)
        #expect(DisplayText(sentence: "a\nb\u{202E}").text == "a\\u{A}b\\u{202E}")
    }

    @Test func namesAreShownSafelyInQuotations() throws {
        #expect(try "\(DeviceName("a” \u{2800}"))" == "a\\u{201D} \\u{2800}")
        #expect(try "\(TeamName("a”b"))" == "a\\u{201D}b")
        #expect(try "\(GroupName("a\u{2800}"))" == "a\\u{2800}")
        #expect(try DeviceName("a” b").text == "a” b")
    }

    @Test(
        "ordinary text is untouched",
        arguments: ["", "Ada’s laptop", "Čapek 東京 שלום", "❤️", "👩‍💻👨‍👩‍👧", "a\\b", "Việt Nam", "בְּרֵאשִׁ֖ית", "ที่ดี", "हिन्दी"])
    func ordinaryTextIsUnchanged(original: String) {
        #expect(DisplayText(original).text == original)
        #expect(DisplayText(bytes: Array(original.utf8)).text == original)
        #expect(DisplayText.isHarmless(original))
    }

    @Test(
        "a word for a shell is one word, for any name of a peer",
        arguments: [
            ("ada", "ada"), ("ada-2.local", "ada-2.local"), ("Ada’s laptop", "'Ada’s laptop'"),
            ("a; reboot", "'a; reboot'"),
            ("$(reboot)", "'$(reboot)'"), ("a'b", #"'a'\''b'"#), ("--yes", "'--yes'"), ("", "''"),
            ("a\nb", #"'a\u{A}b'"#),
        ])
    func shellWordIsOneWord(name: String, word: String) {
        #expect(DisplayText.shellWord(name) == word)
    }

    @Test func aRunOfJoinersBehindAnEmojiShows() {
        #expect(DisplayText("👩\u{200D}\u{200D}").text == "👩\u{200D}\\u{200D}")
    }

    @Test func lengthIsBounded() {
        #expect(DisplayText("abcdef", limit: 3).text == "abc…")
        #expect(DisplayText("abc", limit: 3).text == "abc")
        #expect(DisplayText("a\u{202E}b", limit: 4).text == "a…")
        #expect(DisplayText(String(repeating: "\u{202E}", count: 100_000)).text.utf8.count < 2_000)
        #expect(DisplayText(bytes: [UInt8](repeating: 0xFF, count: 100_000)).text.utf8.count < 2_000)
        #expect(DisplayText(bytes: [UInt8](repeating: 0x61, count: 300)).text.count == 201)
    }

    @Test(
        "bytes that are no UTF-8 appear one by one",
        arguments: [
            ([0xE9], "\\xE9"), ([0x61, 0xFF, 0x62], "a\\xFFb"), ([0xC0, 0xAF], "\\xC0\\xAF"),
            ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xE2, 0x82], "\\xE2\\x82"),
            ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"), ([0xC3, 0x28], "\\xC3("),
        ] as [([UInt8], String)])
    func invalidBytes(bytes: [UInt8], shown: String) {
        #expect(DisplayText(bytes: bytes).text == shown)
    }

    @Test func noHarmfulCharacterSurvives() {
        let seed: UInt64 = 0x5EED_0001
        var random = SeededGenerator(seed: seed)
        for round in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                // Mostly the bytes that begin interesting scalars.
                Bool.random(using: &random)
                    ? UInt8.random(in: .min ... .max, using: &random)
                    : [0xE2, 0x80, 0x81, 0xAE, 0xC2, 0x9B, 0x1B, 0xEF, 0xB8, 0x8F, 0xF3].randomElement(using: &random)!
            }
            let shown = DisplayText(bytes: bytes).text
            #expect(DisplayText.isHarmless(shown), "seed \(seed) round \(round): \(bytes)")
            #expect(DisplayText(shown, limit: .max).text == shown, "seed \(seed) round \(round): \(bytes)")
        }
    }
}
