import PortolanValues
import TestSupport
import Testing

@testable import PortolanFiles

@Suite(.aside) struct FileNameTests {
    @Test(arguments: [
        ("", NameRefusal.empty), (".", .dots), ("..", .dots), ("/", .separator), ("/etc/passwd", .separator),
        ("../up", .separator), ("a//b", .separator), ("a/", .separator), ("nul\0", .control), ("line\nbreak", .control),
        ("return\r", .control), ("tab\t", .control), ("\u{1B}[31mred", .control), ("del\u{7F}", .control),
        ("\u{9B}31m", .control), ("line\u{2028}separator", .control), ("paragraph\u{2029}", .control),
        ("gpj.\u{202E}exe", .direction), ("\u{200F}rtl", .direction), ("\u{2066}isolate", .direction),
        ("\u{61C}letter mark", .direction), (".portolan-partial-x", .reserved), (".portolan-partial-", .reserved),
        (".portolan-partial-\u{301}", .reserved), (String(repeating: "a", count: 256), .tooLong(bytes: 256)),
        (String(repeating: "é", count: 128), .tooLong(bytes: 256)),
        (String(repeating: "a/", count: 2048), .tooLong(bytes: 4096)),
    ])
    func aNameThatCouldDoHarmIsRefused(_ text: String, _ refusal: NameRefusal) {
        #expect(throws: refusal) { try FileName(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x61, 0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80], [0x80],
        ] as [[UInt8]])
    func invalidUTF8IsRefused(_ bytes: [UInt8]) {
        #expect(throws: NameRefusal.notUTF8) { try FileName(bytes) }
    }

    @Test(arguments: [
        "a", "photo.jpg", ".hidden", ".ssh", "...", "-rf", "CON", "nul.txt", "a:b", "trailing dot.", "trailing space ",
        " ", "*?<>|\"\\", "~", "$HOME", "名前", "👩‍👩‍👧.png", "می‌خواهم", "zero\u{200B}width", "caf\u{E9}", "cafe\u{301}",
        ".tmp",
        String(repeating: "a", count: 255),
    ])
    func oddNamesAreAcceptedUnchanged(_ text: String) throws {
        #expect(Array(try FileName(Array(text.utf8)).utf8) == Array(text.utf8))
    }

    @Test func compositionsOfOneTextAreDifferentNames() throws {
        let composed = try name("caf\u{E9}")
        let decomposed = try name("cafe\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(Set([composed, try name("caf\u{E9}")]).count == 1)
    }

    @Test func invisibleCharactersAreShownEscaped() throws {
        #expect(try name("a\u{200B}b").description == "a\\u{200B}b")
    }

    @Test func refusalIsOneSafeSentence() {
        let error = FileError(.control, name: Array("a\u{1B}[2Jb".utf8))
        #expect(error.kind == .unacceptableName)
        #expect(DisplayText.isHarmless(error.description))
        #expect(error.description.contains("\\u{1B}"))
    }

    @Test(arguments: [
        ("photo.jpg", 2, false, "photo (2).jpg"), ("backup.tar.gz", 3, false, "backup (3).tar.gz"),
        ("BACKUP.TAR.xz", 2, false, "BACKUP (2).TAR.xz"), ("README", 10, false, "README (10)"),
        (".bashrc", 2, false, ".bashrc (2)"), (".config.json", 2, false, ".config (2).json"),
        ("v1.2 notes", 2, false, "v1.2 notes (2)"), ("folder.d", 2, true, "folder.d (2)"), ("a.", 2, false, "a. (2)"),
        (".tar.gz", 2, false, ".tar (2).gz"), ("a (2).txt", 2, false, "a (2) (2).txt"),
    ])
    func aTakenNameGetsItsNumberBeforeTheExtension(
        _ text: String, _ number: Int, _ isFolder: Bool, _ expected: String
    ) throws {
        #expect(try name(text).numbered(number, isFolder: isFolder).text == expected)
        #expect(try name(expected).unnumbered == text)
    }

    @Test(arguments: [
        String(repeating: "a", count: 255), String(repeating: "a", count: 251) + ".jpg",
        String(repeating: "é", count: 127),
        String(repeating: "👩‍👩‍👧", count: 13) + "x.tar.gz", "a" + String(repeating: "\u{301}", count: 127),
    ])
    func aNumberedLongNameStillIsAName(_ text: String) throws {
        let numbered = try name(text).numbered(1000, isFolder: false)
        #expect(throws: Never.self) { try FileName(Array(numbered.utf8)) }
        #expect(numbered.utf8.count > 200)
        #expect(numbered.text.contains(" (1000)"))
    }

    @Test(arguments: [
        (".bashrc", "_.bashrc"), (".\u{301}x", "_.\u{301}x"), ("plain", "plain"), ("a b.c-d", "a b.c-d"),
        ("-rf", "_-rf"), ("--help", "_--help"), ("-", "_-"), (" ", "unnamed"), ("\u{A0}\u{3000}", "unnamed"),
        ("\u{200B}\u{2060}", "unnamed"), ("...", "unnamed"), (" . ", "unnamed"), ("\u{FE0F}", "unnamed"),
        ("trailing dot.", "trailing dot_"), ("trailing space ", "trailing space_"), (" x.txt", "_x.txt"),
        ("a. . ", "a____"), (" -rf", "_-rf"), ("zero\u{200B}width", "zero\u{200B}width"), ("❤\u{FE0F}", "❤\u{FE0F}"),
    ])
    func itemNameIsVisibleAndHasNoSpecialMeaning(_ text: String, _ expected: String) throws {
        #expect(try Array(name(text).ofItem.text.utf8) == Array(expected.utf8))
        #expect(try name(text).ofItem.ofItem == name(text).ofItem)
    }

    @Test func aLongNameOfAnItemStaysAName() throws {
        #expect(try name("." + String(repeating: "a", count: 254)).ofItem.utf8.count == 255)
        #expect(try name("-" + String(repeating: "é", count: 127)).ofItem.utf8.count <= 255)
    }

    @Test(arguments: [
        ("plain.txt", "plain.txt"), ("new\nline", "new_line"), ("a\u{202E}b", "a_b"), ("", "unnamed"),
        ("..", "unnamed"),
        (".portolan-partial-abc", "_.portolan-partial-abc"), ("a/b", "a_b"),
    ])
    func localNameIsAdaptedForPeers(_ local: String, _ carried: String) {
        #expect(FileName.sanitised(fromLocal: Array(local.utf8)).text == carried)
    }

    @Test func localNameInInvalidUTF8IsAdapted() {
        #expect(FileName.sanitised(fromLocal: [0x61, 0xFF, 0x2E, 0x63]).text == "a_.c")
    }

    @Test func anyBytesAreEitherRefusedOrAName() {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        let spice: [[UInt8]] = [
            [0x2F], [0], [0xE2, 0x80, 0xAE], [0xC2, 0x9B], Array("..".utf8), Array("é".utf8), [0xFF],
        ]
        for _ in 0..<3000 {
            var bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0x20...0x7E, using: &generator)
            }
            if Bool.random(using: &generator), let some = spice.randomElement(using: &generator) {
                bytes.insert(contentsOf: some, at: Int.random(in: 0...bytes.count, using: &generator))
            }
            for candidate in [try? FileName(bytes), FileName.sanitised(fromLocal: bytes)].compactMap({ $0 }) {
                let utf8 = Array(candidate.utf8)
                #expect(!utf8.isEmpty && utf8.count <= 255 && !utf8.contains(0x2F), "seed \(seed): \(bytes)")
                #expect(
                    !utf8.contains { $0 < 0x20 || $0 == 0x7F } && utf8 != [0x2E] && utf8 != [0x2E, 0x2E], "seed \(seed)"
                )
                let numbered = candidate.numbered(Int.random(in: 2...999, using: &generator), isFolder: false)
                #expect((try? FileName(Array(numbered.utf8))) != nil, "seed \(seed): \(bytes)")
            }
        }
    }
}
