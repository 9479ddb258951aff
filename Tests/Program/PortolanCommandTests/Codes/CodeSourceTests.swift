import Glibc
import PortolanCrypto
import Testing

@testable import PortolanCommand

@Suite struct CodeSourceTests {
    private let console = Console(format: .human, isQuiet: true)

    /// A pipe with content.
    private struct Filled: ~Copyable {
        let reading: Int32
        let writing: Int32

        init(_ text: String) {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            (reading, writing) = (ends[0], ends[1])
            let bytes = Array(text.utf8)
            _ = write(writing, bytes, bytes.count)
        }

        deinit {
            close(reading)
            close(writing)
        }
    }

    @Test(
        "the first line is the code, however it is written",
        arguments: ["7-walnut-harbor\n", "7-walnut-harbor\r\n", " 7 Walnut Harbor \nrest", "07walnutharbor\n\n"])
    func reads(text: String) async throws {
        let pipe = Filled(text)
        #expect(try await CodeSource.descriptor(pipe.reading).read(console).text == "7-walnut-harbor")
    }

    @Test func inputAfterTheLineIsNotRead() async throws {
        let pipe = Filled("7-walnut-harbor\nand more")
        _ = try await CodeSource.descriptor(pipe.reading).read(console)
        var rest = [UInt8](repeating: 0, count: 64)
        let count = read(pipe.reading, &rest, rest.count)
        #expect(String(decoding: rest.prefix(count), as: UTF8.self) == "and more")
    }

    @Test func theLastLineNeedsNoEnd() async throws {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        write(ends[1], "7-walnut-harbor", 15)
        close(ends[1])
        defer { close(ends[0]) }
        #expect(try await CodeSource.descriptor(ends[0]).read(console).text == "7-walnut-harbor")
    }

    @Test(
        "a malformed code is bad data",
        arguments: [
            "\n", "7-walnut\n", "7-wallnut-harbor\n", "walnut-harbor\n", "0-walnut-harbor\n",
            "7-walnut-harbor\u{1B}[2J\n",
            String(repeating: "7", count: 500), "\u{FFFD}\n",
        ])
    func noCode(text: String) async throws {
        let pipe = Filled(text)
        let source = CodeSource.descriptor(pipe.reading)
        let failure = try await #require(throws: CommandFailure.self) { _ = try await source.read(console) }
        #expect(failure.status == .badData, "\(failure)")
    }

    @Test func closedDescriptorIsAUsageError() async throws {
        let failure = try await #require(throws: CommandFailure.self) {
            _ = try await CodeSource.descriptor(1_000_000).read(console)
        }
        #expect(failure.status == .usage, "\(failure)")
    }

    @Test func aDescriptorForWritingIsAMistakeOfTheCommandLine() async throws {
        let pipe = Filled("")
        let source = CodeSource.descriptor(pipe.writing)
        let failure = try await #require(throws: CommandFailure.self) { _ = try await source.read(console) }
        #expect(failure.status == .usage, "\(failure)")
    }

    @Test func aFolderCannotBeRead() async throws {
        let folder = open("/", O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        let failure = try await #require(throws: CommandFailure.self) {
            _ = try await CodeSource.descriptor(folder).read(console)
        }
        #expect(failure.status == .noInput, "\(failure)")
    }

    @Test func cancellationEndsTheWaitForALine() async throws {
        let pipe = Filled("7-wal")
        let source = CodeSource.descriptor(pipe.reading)
        let task = Task { try await source.read(console) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
