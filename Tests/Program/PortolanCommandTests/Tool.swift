import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// The built program, run as by a user, in its own folder and home, which are removed afterwards.
final class Tool: Sendable {
    struct Outcome: CustomStringConvertible {
        let code: Int32
        let output: String
        let errors: String

        var description: String { "exit \(code)\n\(output)\(errors)" }

        /// The lines of `--json` output.
        var events: [[String: Any]] {
            output.split(separator: "\n").compactMap { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            }
        }

        /// Checks that each line of `--json` output matches the schema.
        fileprivate func checkEvents() throws {
            let lines = events
            guard !lines.isEmpty else { return }
            let schema = try JSONSchema.ofEvents()
            for line in lines {
                let mistakes = schema.mistakes(in: line)
                #expect(mistakes.isEmpty, "\(line)")
            }
        }

        func events(_ kind: String) -> [[String: Any]] { events.filter { $0["event"] as? String == kind } }
    }

    /// A program that runs until it is stopped.
    struct Running {
        fileprivate let process: Process
        fileprivate let files: (output: URL, errors: URL)

        enum Stream {
            case output
            case errors
        }

        var pid: pid_t { process.processIdentifier }
        var output: String { said(on: .output) }
        var errors: String { said(on: .errors) }

        private func said(on stream: Stream) -> String {
            (try? String(contentsOf: stream == .output ? files.output : files.errors, encoding: .utf8)) ?? ""
        }

        /// Kills the process with SIGKILL.
        func kill() { _ = Glibc.kill(process.processIdentifier, SIGKILL) }

        /// Suspends the process; its connections stay open.
        func freeze() { _ = Glibc.kill(pid, SIGSTOP) }

        /// Waits until it has printed a line with `text`.
        func waitToSay(_ text: String, on stream: Stream = .output) async throws {
            let deadline = ContinuousClock.now + Tool.patience
            while !said(on: stream).contains(text) {
                try #require(process.isRunning && .now < deadline, "it did not say “\(text)”: \(outcome)")
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        /// Resumes the process.
        func thaw() { _ = Glibc.kill(pid, SIGCONT) }

        func stop() async throws -> Outcome {
            process.terminate()
            return try await finish()
        }

        func finish() async throws -> Outcome {
            let deadline = ContinuousClock.now + Tool.patience
            while process.isRunning {
                guard .now < deadline else {
                    kill()
                    Issue.record("it did not end: \(outcome)")
                    break
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            process.waitUntilExit()
            try outcome.checkEvents()
            return outcome
        }

        /// The listening port in the program's JSON output.
        func port() async throws -> UInt16 {
            try await waitToSay("\"port\":")
            return try #require(output.firstMatch(of: /"port":([0-9]+)/).flatMap { UInt16($0.1) })
        }

        private var outcome: Outcome {
            Outcome(
                code: process.isRunning ? -1 : process.terminationStatus, output: output, errors: errors)
        }
    }

    /// Longest wait for an event, even on a busy machine.
    static let patience = Duration.seconds(600)

    let folder: URL
    private let started = Mutex<[pid_t]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("portolan-tool-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // A failed test may leave processes running. An ended process was reaped, so its number may have been reused.
        for process in started.withLock(\.self) where kill(process, 0) == 0 && isOurs(process) {
            kill(process, SIGKILL)
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// True if it is a child of this process. Its folder in /proc cannot be used, since only root can read that of a
    /// process that is not dumpable.
    private func isOurs(_ process: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 1 && fields[1] == "\(getpid())"
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func write(_ text: String, to name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Makes an incompressible file of 32 MiB.
    func makeLarge(_ name: String) throws {
        try Files.write(noise(32 << 20, seed: 1), to: path(name))
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// - Parameters:
    ///   - home: subfolder for the device's state.
    ///   - environment: variables beside the usual ones.
    ///   - launcher: a program and its arguments that starts the tool, which follows as further arguments.
    ///   - program: path of the tool; nil for the one that was built.
    ///   - keyboard: pipe for the standard input, in place of `input`.
    func start(
        _ arguments: [String], home: String = "home", input: String? = nil, environment: [String: String] = [:],
        launcher: [String] = [], program named: String? = nil, keyboard: Pipe? = nil
    ) throws -> Running {
        let process = Process()
        let program = try named.map { URL(fileURLWithPath: $0) } ?? Self.program()
        process.executableURL = launcher.first.map { URL(fileURLWithPath: $0) } ?? program
        process.arguments = launcher.isEmpty ? arguments : launcher.dropFirst() + [program.path] + arguments
        process.currentDirectoryURL = folder
        let usual = [
            "PORTOLAN_HOME": path(home), "HOME": path("user"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
        process.environment = usual.merging(environment) { $1 }
        let files = (
            output: folder.appendingPathComponent(".\(UUID())"), errors: folder.appendingPathComponent(".\(UUID())")
        )
        process.standardOutput = try Self.opened(files.output)
        process.standardError = try Self.opened(files.errors)
        if let keyboard {
            process.standardInput = keyboard
        } else if let input {
            let pipe = Pipe()
            process.standardInput = pipe
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        started.withLock { $0.append(process.processIdentifier) }
        return Running(process: process, files: files)
    }

    func run(
        _ arguments: [String], home: String = "home", input: String? = nil, environment: [String: String] = [:],
        launcher: [String] = []
    ) async throws -> Outcome {
        try await start(arguments, home: home, input: input, environment: environment, launcher: launcher).finish()
    }

    /// Launcher that drops the privileges of root; none if this process has none.
    ///
    /// The folder is made accessible to everybody, so that the tool can work in it.
    func launcherWithoutPrivileges() -> [String] {
        guard geteuid() == 0 else { return [] }
        chmod(folder.path, 0o777)
        let user = "\(Self.unprivileged)"
        return ["/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
    }

    /// The user that the launcher without privileges runs as.
    var userWithoutPrivileges: uid_t { geteuid() == 0 ? Self.unprivileged : geteuid() }

    private static let unprivileged: uid_t = 65534

    /// Starts a receiver on the loopback interface that is found by its address only.
    ///
    /// - Returns: the receiver, and where to send to.
    func receive(_ arguments: [String] = ["--yes"]) async throws -> (receiver: Running, address: String) {
        let receiver = try start(
            ["receive", "--into", "inbox", "--discovery", "off", "--interface", "lo", "--json"] + arguments,
            home: "receiver")
        let port = try await receiver.port()
        return (receiver, "127.0.0.1:\(port)")
    }

    /// A free port of the loopback interface, below those that the system assigns to connections: other tests open
    /// thousands at once, and one could get the port before it is used.
    static func freePort() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 20_000..<32_000)
            guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isFree = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(listener, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
        throw NoFreePort()
    }

    private struct NoFreePort: Error {}

    private static let givenPorts = Mutex<Set<UInt16>>([])

    static func programPath() throws -> String { try program().path }

    private static func opened(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    /// Beside the test bundle, unless `PORTOLAN_BINARY` names it.
    private static func program() throws -> URL {
        if let named = ProcessInfo.processInfo.environment["PORTOLAN_BINARY"] { return URL(fileURLWithPath: named) }
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        let beside = URL(fileURLWithPath: bundle ?? "/proc/self/exe").resolvingSymlinksInPath()
        let program = beside.deletingLastPathComponent().appendingPathComponent("portolan")
        try #require(
            FileManager.default.isExecutableFile(atPath: program.path), "portolan is not built; run: swift build")
        return program
    }
}
