import Dispatch
import Glibc
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite struct SourceStreamTests {
    /// Both ends of a pipe.
    private let ends: (read: Descriptor, write: Descriptor)

    init() throws {
        var numbers: [CInt] = [-1, -1]
        try #require(pipe(&numbers) == 0)
        ends = (Descriptor(owning: numbers[0]), Descriptor(owning: numbers[1]))
    }

    private func read(_ stream: SourceStream, atMost count: Int = 100) throws -> String {
        var buffer = [UInt8](repeating: 0, count: count)
        let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    @Test func bytesAreReadInOrderUntilTheEnd() throws {
        let number = dup(ends.write.number)
        #expect(write(number, "0123456789", 10) == 10)
        close(number)
        let stream = try SourceStream(reading: ends.read.number)
        #expect(try read(stream, atMost: 4) == "0123")
        #expect(try read(stream) == "456789")
        let folder = TemporaryFolder.inMemory()
        let opened = Descriptor(owning: open(folder.file("file", "text"), O_RDONLY))
        let other = try SourceStream(reading: opened.number)
        #expect(try read(other) == "text")
        #expect(try read(other) == "" && read(other) == "")
    }

    @Test(arguments: [false, true]) func waitingReaderIsStopped(_ isNonblocking: Bool) throws {
        if isNonblocking { #expect(fcntl(ends.read.number, F_SETFL, O_NONBLOCK) == 0) }
        let stream = try SourceStream(reading: ends.read.number)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { stream.stop() }
        #expect(kind { _ = try read(stream) } == .stopped)
        // The stream stays stopped, even if more bytes arrive.
        #expect(write(ends.write.number, "text", 4) == 4)
        #expect(kind { _ = try read(stream) } == .stopped)
    }

    @Test func unreadableStreamIsReported() throws {
        let folder = TemporaryFolder.inMemory()
        let opened = Descriptor(owning: open(folder.path, O_RDONLY))
        let stream = try SourceStream(reading: opened.number, called: "standard input")
        do {
            _ = try read(stream)
            Issue.record("read from a folder")
        } catch let error as FileError {
            #expect(error.kind == .inputOutput && error.description.contains("standard input"))
        }
    }
}
