import Glibc
import PortolanConcurrency
import Testing

@Suite(.timeLimit(.minutes(20))) struct InputWaitTests {
    /// A pipe that is closed with this object.
    private final class Pipe: Sendable {
        let reading: CInt
        let writing: CInt

        init() throws {
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            close(writing)
        }
    }

    @Test func aByteEndsIt() async throws {
        let pipe = try Pipe()
        let wait = try InputWait()
        async let waited: Void = wait.untilReadable(pipe.reading)
        #expect(write(pipe.writing, "x", 1) == 1)
        try await waited
        var byte: UInt8 = 0
        #expect(read(pipe.reading, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    }

    @Test func theEndOfInputEndsIt() async throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        try await InputWait().untilReadable(file)
    }

    @Test func aCallEndsOneWait() async throws {
        let pipe = try Pipe()
        let wait = try InputWait()
        wait.wake()
        wait.wake()
        try await wait.untilReadable(pipe.reading)
        // Both calls were for the wait that has ended.
        let next = Task { try await wait.untilReadable(pipe.reading) }
        #expect(write(pipe.writing, "x", 1) == 1)
        try await next.value
    }

    @Test func aCancelledTaskWaitsNoLonger() async throws {
        let pipe = try Pipe()
        let wait = try InputWait()
        let waiting = Task { try await wait.untilReadable(pipe.reading) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
