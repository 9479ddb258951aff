import Glibc
import PortolanConcurrency

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
        var pair: [Int32] = [-1, -1]
        guard pipe(&pair) == 0 else { throw failure(words, errno) }
        let ends = (reading: pair[0], writing: pair[1])
        for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends.reading) }
        let (process, reason) = start(words, output: ends.writing)
        close(ends.writing)
        if reason == ENOENT { return nil }
        guard reason == 0 else { throw failure(words, reason) }
        let output = readAll(ends.reading)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return RunEnd(status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: output)
    }

    private static func start(_ words: [String], output: Int32) -> (process: pid_t, reason: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Our threads take no signals, and the process ignores two.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        sigaddset(&usual, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let reason = withArguments(words) { posix_spawnp(&process, words[0], &actions, &attributes, $0, environ) }
        return (process, reason)
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
