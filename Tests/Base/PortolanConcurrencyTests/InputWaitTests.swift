import Glibc
import PortolanConcurrency
import Testing

/// Serialized, so that a waiting thread belongs to the current test.
@Suite(.serialized, .timeLimit(.minutes(20))) struct InputWaitTests {
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

    /// Number of threads of this process with the name of waiting threads.
    private static func waitingThreads() -> Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let file = open("/proc/self/task/\(name)/comm", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 16)
            let length = read(file, &bytes, bytes.count)
            if length > 0, String(decoding: bytes[..<length], as: UTF8.self) == "input\n" { count += 1 }
        }
        return count
    }

    private static func until(waitingThreads count: Int) async throws {
        while waitingThreads() != count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func byteEndsTheWait() async throws {
        let pipe = try Pipe()
        let wait = try InputWait()
        async let waited: Void = wait.untilReadable(pipe.reading)
        #expect(write(pipe.writing, "x", 1) == 1)
        try await waited
        var byte: UInt8 = 0
        #expect(read(pipe.reading, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    }

    @Test func endOfInputEndsTheWait() async throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        try await InputWait().untilReadable(file)
    }

    @Test func wakeEndsOneWait() async throws {
        let pipe = try Pipe()
        let wait = try InputWait()
        wait.wake()
        wait.wake()
        try await wait.untilReadable(pipe.reading)
        // Both calls were for the wait that has ended.
        try await Self.until(waitingThreads: 0)
        let isOver = OneShot<Void, Never>()
        let next = Task {
            try await wait.untilReadable(pipe.reading)
            isOver.settle()
        }
        try await Self.until(waitingThreads: 1)
        try await Task.sleep(for: .milliseconds(50))
        #expect(!isOver.isSettled)
        #expect(write(pipe.writing, "x", 1) == 1)
        try await next.value
    }

    @Test func aCancelledTaskWaitsNoLonger() async throws {
        let pipe = try Pipe()
        let wait = try InputWait()
        try await Self.until(waitingThreads: 0)
        let waiting = Task { try await wait.untilReadable(pipe.reading) }
        try await Self.until(waitingThreads: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
