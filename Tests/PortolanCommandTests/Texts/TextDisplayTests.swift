import Foundation
import Glibc
import Testing

@testable import PortolanCommand

@Suite struct TextDisplayTests {
    /// Shows a text from a file, and returns the output and whether the file still exists.
    private func show(
        _ text: String, size: UInt64? = nil, onTerminal: Bool = true, keeps: Bool = false, inFront: Bool = true,
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
        var display = TextDisplay(console: console, keepsFiles: keeps)
        // A terminal made by a test is not its process's own, so none is in the foreground.
        if inFront { display.isSeen = { $0.width != nil } }
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

    @Test("words that stand on a terminal leave no file")
    func shown() async throws {
        let outcome = try await show("see you at 5\nbye\n")
        #expect(outcome.isShown && !outcome.isStored)
        #expect(outcome.said == "Text from “ben”:\n  see you at 5\n  bye\n")
    }

    @Test("words in ASCII stand as they are where only ASCII is shown, quotation marks included")
    func shownInASCII() async throws {
        let outcome = try await show("say \"hi\"\n", isPlain: true)
        #expect(outcome.isShown && !outcome.isStored)
        #expect(outcome.said == "Text from \"ben\":\n  say \"hi\"\n")
        let other = try await show("“é”\n", isPlain: true)
        #expect(other.isShown && other.isStored, "\(other)")
    }

    @Test("words stay stored where that is wanted, where nobody is seen to read, and where not shown as they are")
    func stored() async throws {
        for outcome in [
            try await show("hello", keeps: true), try await show("hello", onTerminal: false),
            try await show("hello", inFront: false),
        ] {
            #expect(outcome.isShown && outcome.isStored)
            #expect(outcome.said == "Text from “ben”, stored as “PLACE”:\n  hello\n")
        }
        let outcome = try await show("hello\u{1B}[2J")
        #expect(outcome.isShown && outcome.isStored)
        #expect(outcome.said == "Text from “ben”, stored as “PLACE”:\n  hello\\u{1B}[2J\n")
    }

    @Test("nothing is shown for programs, nor of a file of another size, nor of long text")
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
        let display = TextDisplay(console: console, keepsFiles: true)
        #expect(await display.show(.init(path: path, place: "list", size: 4), called: "Shopping", "Text from “ben”"))
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(streams.read, &buffer, buffer.count)
        #expect(
            String(decoding: buffer[..<count], as: UTF8.self).hasPrefix(
                "Text from “ben”, “Shopping”, stored as “list”:"))
    }
}
