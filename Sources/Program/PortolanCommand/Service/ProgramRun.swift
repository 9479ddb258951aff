import Glibc
import PortolanConcurrency
import PortolanFiles

/// Programs of the system that a command runs, found in PATH.
enum ProgramRun {
    /// End of a program that was run.
    struct RunEnd: Sendable, Hashable {
        /// 128 and more for a signal.
        let status: Int32
        /// Standard output and standard error.
        let output: String

        var isSuccess: Bool { status == 0 }
    }

    /// Most output that is kept, in bytes.
    private static let outputLimit = 64 << 10

    /// Runs a program to its end, without input.
    ///
    /// - Returns: nil if there is no such program.
    /// - Throws: `CommandFailure` if it cannot be started.
    static func run(_ words: [String]) async throws -> RunEnd? {
        try await withLookupThread { () throws in try runBlocking(words) }
    }

    private static func runBlocking(_ words: [String]) throws -> RunEnd? {
        do throws(SystemFailure) {
            let (process, end) = try start(words)
            let output = readAll(end.number)
            return RunEnd(status: process.wait(), output: output)
        } catch {
            if error.number == ENOENT { return nil }
            throw failure(words, error.number)
        }
    }

    /// - Returns: the process, and the end of its output.
    private static func start(_ words: [String]) throws(SystemFailure) -> (SpawnedProcess, Descriptor) {
        let nothing = try KernelStorage().open(path: "/dev/null")
        // The other end is closed here, so that this one tells when the process has ended.
        let output = try SpawnedProcess.connection()
        let process = try SpawnedProcess(
            words[0], words, environment: nil, files: [(nothing, 0), (output.given, 1), (output.given, 2)])
        return (process, output.own)
    }

    private static func readAll(_ file: Int32) -> String {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            output += buffer.prefix(min(count, outputLimit - output.count))
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Replaces this process by a program, with default signal handling. Returns only on failure.
    ///
    /// - Returns: the error number; `ENOENT` if there is no such program.
    static func become(_ words: [String]) -> Int32 {
        var none = sigset_t()
        sigemptyset(&none)
        var before = sigset_t()
        pthread_sigmask(SIG_SETMASK, &none, &before)
        signal(SIGPIPE, SIG_DFL)
        signal(SIGXFSZ, SIG_DFL)
        let reason = withArguments(words) { arguments in
            execvp(words[0], arguments)
            return errno
        }
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return reason
    }

    private static func withArguments<Result>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }

    static func failure(_ words: [String], _ reason: Int32) -> CommandFailure {
        CommandFailure(.inputOutput, "'\(words[0])' cannot be run: \(String(cString: strerror(reason))).")
    }
}
