import PortolanTrust
import TestSupport
import Testing

@Suite(.aside) struct DisplayTextTests {
    @Test(
        "what could do harm is escaped",
        arguments: [
            ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb", "a\\u{A}b"), ("a\r", "a\\u{D}"), ("\u{0}", "\\u{0}"),
            ("\u{7F}", "\\u{7F}"), ("\u{9B}31m", "\\u{9B}31m"), ("exe\u{202E}gnp", "exe\\u{202E}gnp"),
            ("\u{2066}", "\\u{2066}"), ("\u{61C}", "\\u{61C}"), ("\u{200B}", "\\u{200B}"), ("\u{FEFF}", "\\u{FEFF}"),
            ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"), ("\u{AD}", "\\u{AD}"), ("\u{3164}", "\\u{3164}"),
            ("\u{E0041}", "\\u{E0041}"), ("\u{FFFE}", "\\u{FFFE}"), ("\u{200D}", "\\u{200D}"),
            ("a\u{FE0F}", "a\\u{FE0F}"), ("1\u{FE0F}", "1\\u{FE0F}"), ("\t", "\\u{9}"),
        ])
    func escapes(original: String, shown: String) {
        #expect(DisplayText(original).text == shown)
        #expect(DisplayText(bytes: Array(original.utf8)).text == shown)
        #expect(!DisplayText.isHarmless(original))
    }

    @Test("ordinary text is untouched", arguments: ["", "Ada’s laptop", "Čapek 東京 שלום", "❤️", "👩‍💻👨‍👩‍👧", "a\\b"])
    func keeps(original: String) {
        #expect(DisplayText(original).text == original)
        #expect(DisplayText(bytes: Array(original.utf8)).text == original)
        #expect(DisplayText.isHarmless(original))
    }

    @Test func aRunOfJoinersBehindAnEmojiShows() {
        #expect(DisplayText("👩\u{200D}\u{200D}").text == "👩\u{200D}\\u{200D}")
    }

    @Test func lengthIsBounded() {
        #expect(DisplayText("abcdef", limit: 3).text == "abc…")
        #expect(DisplayText("abc", limit: 3).text == "abc")
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

    @Test func nothingHarmfulSurvivesWhateverTheBytes() {
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
