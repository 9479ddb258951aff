import Foundation
import Glibc
import Testing

@testable import PortolanCommand

@Suite struct TextDisplayTests {
    /// Shows a text from a file, and returns the output and whether the file still exists.
    private func show(
        _ text: String, size: UInt64? = nil, onTerminal: Bool = true,
        format: Console.Format = .human, isPlain: Bool = false
    ) async throws -> (isShown: Bool, said: String, isStored: Bool) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-text-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "words.txt").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let streams = onTerminal ? try terminal() : try pipe()
        defer { close(streams.read) }
        let console = Console(
            format: format, isQuiet: false, output: Terminal(descriptor: streams.write, isPlain: isPlain))
        let display = TextDisplay(console: console)
        let file = TextDisplay.File(path: path, place: "PLACE", size: size ?? UInt64(text.utf8.count))
        let isShown = await display.show(file, called: String(text.prefix(5)), "Text from “ben”")
        var buffer = [UInt8](repeating: 0, count: 16_384)
        _ = fcntl(streams.read, F_SETFL, O_NONBLOCK)
        let count = max(read(streams.read, &buffer, buffer.count), 0)
        close(streams.write)
        let said = String(decoding: buffer[..<count], as: UTF8.self).replacing("\r\n", with: "\n")
        return (isShown, said, FileManager.default.fileExists(atPath: path))
    }

    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func terminal() throws -> (read: Int32, write: Int32) {
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN of Linux, which Glibc's module lacks.
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(main >= 0 && ioctl(main, 0x4004_5431, &lock) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(other >= 0)
        return (main, other)
    }

    @Test("words in ASCII stand as they are where only ASCII is shown, quotation marks included")
    func shownInASCII() async throws {
        let outcome = try await show("say \"hi\"\n", isPlain: true)
        #expect(outcome.isShown && outcome.isStored)
        #expect(outcome.said == "Text from \"ben\", stored as \"PLACE\":\n  say \"hi\"\n")
    }

    @Test("words that are shown stay stored, on a terminal and in a pipe", arguments: [true, false])
    func stored(onTerminal: Bool) async throws {
        for (text, lines) in [("see you at 5\nbye\n", "  see you at 5\n  bye\n"), ("a\u{1B}[2J", "  a\\u{1B}[2J\n")] {
            let outcome = try await show(text, onTerminal: onTerminal)
            #expect(outcome.isShown && outcome.isStored)
            #expect(outcome.said.hasPrefix("Text from “ben”,"))
            #expect(outcome.said.hasSuffix("stored as “PLACE”:\n\(lines)"))
        }
    }

    @Test(
        "a text that a terminal showed is stored when its sender is told so",
        .enabled(if: TypedShell.isHere("script"), "script(1) is not installed"))
    func storedAtATerminal() async throws {
        let tool = try Tool()
        let port = try Tool.freePort()
        let receiver = try tool.start(
            [
                "receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--yes", "--port", "\(port)",
                "--once",
            ], home: "receiver", launcher: ["/bin/sh", "-c", #"exec script -qec "$*" /dev/null"#, "sh"])
        let sent = try await tool.run(["send", "--text", "see you at 5", "--to", "127.0.0.1:\(port)", "--wait", "2m"])
        #expect(sent.code == 0 && sent.output.contains("is stored at"), "\(sent)")
        let shown = try await receiver.finish()
        #expect(shown.output.contains("  see you at 5"), "\(shown)")
        #expect(try tool.read("inbox/see you at 5.txt") == "see you at 5")
    }

    @Test("a text is not shown for programs, with a file of another size, or when it is long")
    func notShown() async throws {
        for outcome in [
            try await show("hello", format: .json), try await show("hello", size: 4), try await show("hello", size: 6),
            try await show(String(repeating: "a ", count: 4096)),
        ] {
            #expect(!outcome.isShown && outcome.isStored && outcome.said.isEmpty)
        }
    }

    @Test("a title of its own is told")
    func titled() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-text-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "list").path
        try Data("milk".utf8).write(to: URL(fileURLWithPath: path))
        let streams = try pipe()
        defer { for end in [streams.read, streams.write] { close(end) } }
        let console = Console(format: .human, isQuiet: false, output: Terminal(descriptor: streams.write))
        let display = TextDisplay(console: console)
        #expect(await display.show(.init(path: path, place: "list", size: 4), called: "Shopping", "Text from “ben”"))
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(streams.read, &buffer, buffer.count)
        #expect(
            String(decoding: buffer[..<count], as: UTF8.self).hasPrefix(
                "Text from “ben”, “Shopping”, stored as “list”:"))
    }
}
