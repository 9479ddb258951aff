import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Command that was started on a host. Its starter waits for it with `finish(within:)` or ends it.
public final class RunningCommand: Sendable {
    public let command: Command
    public let host: String
    /// Process id as seen by this process (inside the host it is another).
    public let pid: pid_t
    public let started: ContinuousClock.Instant

    private let outputPath: String
    private let errorPath: String
    /// The master side of the command's terminal, or -1.
    private let terminal: Int32
    private let state = Mutex<Ended?>(nil)

    private struct Ended {
        var ending: Outcome.Ending
        var at: ContinuousClock.Instant
        var processorSeconds: Double
    }

    /// Starts the command as a child of the calling thread, in the namespaces of that thread; `watch()` comes next.
    init(_ command: Command, host: String, environment: [String: String], directory: String, logs: String) throws {
        self.command = command
        self.host = host
        outputPath = logs + ".out"
        errorPath = logs + ".err"

        let output = try openForWriting(outputPath)
        defer { close(output) }
        let errors = try openForWriting(errorPath)
        defer { close(errors) }
        var input: Int32 = -1
        var slave: String?
        var master: Int32 = -1
        switch command.input {
        case .none:
            input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        case .file(let path):
            input = open(path, O_RDONLY | O_CLOEXEC)
        case .bytes(let bytes):
            input = try pipe(holding: bytes)
        case .descriptor(let descriptor):
            input = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        case .terminal:
            var path = [CChar](repeating: 0, count: 128)
            master = portolan_open_terminal(&path, path.count)
            guard master >= 0 else { throw HostsError("cannot open a terminal", status: master) }
            slave = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        }
        defer { if input >= 0 { close(input) } }
        guard input >= 0 || slave != nil else { throw HostsError("cannot open the standard input of: \(command)") }
        terminal = master

        started = .now
        pid = try withCStrings(command.arguments) { arguments in
            try withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                try command.arguments[0].withCString { path in
                    try (command.directory ?? directory).withCString { directory in
                        try withOptionalCString(slave) { slave in
                            var what = portolan_spawn(
                                path: path, arguments: arguments, environment: environment, directory: directory,
                                input: input, output: output, error: errors, terminal: slave)
                            let pid = portolan_spawn(&what)
                            guard pid > 0 else { throw HostsError("cannot start \(command)", status: pid) }
                            return pid
                        }
                    }
                }
            }
        }
    }

    /// Begins to wait for the command's end. Separate from the start, because a host's thread cannot start threads:
    /// they would be in the host's process namespace, unlike this process.
    func watch() {
        if terminal >= 0 {
            Thread.detachNewThread { [terminal, outputPath] in copyTerminal(terminal, to: outputPath) }
        }
        Thread.detachNewThread { [self] in reap() }
    }

    /// Waits for the end without reaping, so that the process id stays valid while others may be sending signals to it.
    private func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let now = ContinuousClock.now
        state.withLock { state in
            var status: Int32 = 0
            var usage = rusage()
            while wait4(pid, &status, 0, &usage) < 0 && errno == EINTR {}
            let signal = status & 0x7f
            state = Ended(
                ending: signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal), at: now,
                processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
        }
    }

    public var isRunning: Bool { state.withLock { $0 == nil } }

    /// Sends a signal unless the process has ended.
    public func signal(_ number: Int32) {
        state.withLock { state in
            if state == nil { _ = Glibc.kill(pid, number) }
        }
    }

    /// Kills the command.
    public func kill() { signal(SIGKILL) }

    /// Types text at the command's terminal.
    public func type(_ text: String) {
        precondition(terminal >= 0, "\(command) has no terminal")
        _ = Array(text.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Output so far.
    public var output: String { String(decoding: readFile(outputPath), as: UTF8.self) }
    public var errors: String { String(decoding: readFile(errorPath), as: UTF8.self) }

    /// Waits for the command to end by itself.
    ///
    /// - Throws: `HostsError` when it runs longer than `limit`; the command is killed then.
    public func finish(within limit: Duration = .seconds(120)) async throws -> Outcome {
        let deadline = ContinuousClock.now + limit
        while isRunning {
            guard .now < deadline else {
                kill()
                throw HostsError("still running after \(limit), killed\n\(report)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return outcome!
    }

    /// Sends a signal to end the command (SIGTERM by default) and waits for its end.
    @discardableResult
    public func stop(_ number: Int32 = SIGTERM, within limit: Duration = .seconds(120)) async throws -> Outcome {
        signal(number)
        return try await finish(within: limit)
    }

    /// Waits until the command has printed a text, on either output.
    ///
    /// - Throws: `HostsError` if it ends before that or does not print it within `limit`.
    public func waitToSay(_ wanted: String, within limit: Duration = .seconds(120)) async throws {
        try await waitToSay("'\(wanted)'", within: limit) { $0.contains(wanted) }
    }

    /// Waits until `isThere` accepts all output so far, standard output before standard error.
    public func waitToSay(
        _ what: String, within limit: Duration = .seconds(120), _ isThere: (String) throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            // The flag is read before the output, so that the last output is still found.
            let wasRunning = isRunning
            if try isThere(output + errors) { return }
            guard wasRunning else { throw HostsError("ended without saying \(what)\n\(report)") }
            guard .now < deadline else { throw HostsError("did not say \(what) within \(limit)\n\(report)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The outcome, once the command has ended.
    public var outcome: Outcome? {
        guard let ended = state.withLock({ $0 }) else { return nil }
        return Outcome(
            command: command, host: host, ending: ended.ending, output: readFile(outputPath),
            errors: readFile(errorPath), duration: ended.at - started, processorSeconds: ended.processorSeconds)
    }

    private var report: String {
        "[\(host)] \(command)\n--- standard output\n\(output)--- standard error\n\(errors)---"
    }

    deinit {
        if terminal >= 0 { close(terminal) }
    }
}

private func openForWriting(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HostsError("cannot write \(path)", status: -errno) }
    return descriptor
}

/// Returns the reading end of a pipe that holds `bytes` and has no writer left.
private func pipe(holding bytes: [UInt8]) throws -> Int32 {
    precondition(bytes.count <= 65536, "a pipe takes no more than 64 KiB before somebody reads")
    let (reading, writing) = try makePipe()
    _ = bytes.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
    close(writing)
    return reading
}

/// Makes a pipe whose ends no other process inherits by accident.
func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw HostsError("cannot make a pipe", status: -errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}

/// Copies the output of a terminal to a file, until its last user has ended.
private func copyTerminal(_ master: Int32, to path: String) {
    let copy = dup(master)
    guard copy >= 0, let file = try? openForWriting(path) else { return }
    defer {
        close(copy)
        close(file)
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(copy, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        _ = write(file, buffer, count)
    }
}

func readFile(_ path: String) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return Array(data)
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
) rethrows -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return try body(&pointers)
}

private func withOptionalCString<Result>(
    _ string: String?, _ body: (UnsafePointer<CChar>?) throws -> Result
) rethrows -> Result {
    guard let string else { return try body(nil) }
    return try string.withCString { try body($0) }
}

extension timeval {
    var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
