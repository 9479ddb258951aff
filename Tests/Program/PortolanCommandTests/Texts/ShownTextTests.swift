import PortolanValues
import Testing

@testable import PortolanCommand

@Suite struct ShownTextTests {
    private func lines(_ text: String, width: Int? = nil) throws -> [String] {
        try #require(ShownText(Array(text.utf8))).lines(width: width)
    }

    @Test(
        "text without control characters is shown unchanged, behind a margin",
        arguments: [
            ("see you at 5", ["  see you at 5"]), ("one\ntwo\n", ["  one", "  two"]), ("a\r\nb\r\n", ["  a", "  b"]),
            ("if x:\n    y  # “z”", ["  if x:", "      y  # “z”"]), ("a\n\nb", ["  a", "  ", "  b"]),
            ("❤️ 안녕", ["  ❤️ 안녕"]),
        ] as [(String, [String])])
    func exact(text: String, shown: [String]) throws {
        #expect(try lines(text) == shown)
    }

    @Test(
        "control characters are shown escaped, and combining marks are bounded",
        arguments: [
            ("\u{1B}[2Jx", "  \\u{1B}[2Jx"), ("a\rb", "  a\\u{D}b"), ("a\u{202E}b", "  a\\u{202E}b"),
            ("a\u{2028}b", "  a\\u{2028}b"), ("\tx\ty", "          x       y"), ("a\u{A0}!", "  a !"),
            ("e" + String(repeating: "\u{301}", count: 6), "  e\u{301}\u{301}\u{301}\u{301}\\u{301}\\u{301}"),
        ])
    func changed(text: String, shown: String) throws {
        let lines = try lines(text)
        // Characters are equal where their marks are composed.
        #expect(lines.map { Array($0.unicodeScalars) } == [Array(shown.unicodeScalars)])
        #expect(lines.allSatisfy { DisplayText.isHarmless($0) })
    }

    @Test("bytes, nothing, and long texts are not shown")
    func refused() {
        for bytes in [[], [0xFF, 0x41], [0x41, 0, 0x42], Array(" \n\n".utf8)] as [[UInt8]] {
            #expect(ShownText(bytes) == nil, "\(bytes)")
        }
        #expect(ShownText(Array(repeating: 0x41, count: ShownText.byteLimit)) != nil)
        #expect(ShownText(Array(repeating: 0x41, count: ShownText.byteLimit + 1)) == nil)
        let line = Array("a\n".utf8)
        #expect(ShownText(Array(repeatElement(line, count: ShownText.lineLimit).joined())) != nil)
        #expect(ShownText(Array(repeatElement(line, count: ShownText.lineLimit + 1).joined())) == nil)
    }

    @Test("no line of a terminal begins without the margin where a sentence could be forged")
    func breaks() throws {
        let forged = String(repeating: "x ", count: 20) + "Connected to “ben”, a contact"
        let lines = try lines(forged, width: 40)
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("  ") && CellWidth.of($0) <= 40 }, "\(lines)")
        #expect(lines.joined().filter { $0 != " " } == forged.filter { $0 != " " })
        let padded = try self.lines("x" + String(repeating: " ", count: 200) + "Connected to “ben”", width: 40)
        #expect(padded == ["  x", "  Connected to “ben”"], "\(padded)")
        let address = "https://example.org/" + String(repeating: "a", count: 100)
        #expect(try self.lines("look: \(address)", width: 40) == ["  look:", "  \(address)"])
        #expect(try self.lines(address, width: 40) == ["  \(address)"])
    }

    @Test("a title that repeats the first line is none")
    func titles() throws {
        let text = try #require(ShownText(Array("\nsee you at 5\nbye".utf8)))
        #expect(text.begins(with: "see you at 5") && text.begins(with: "see you") && !text.begins(with: "list"))
    }
}
