import CTestSupport
import Foundation
import Glibc
import Synchronization

/// Machine on a link: its own network (a loopback and one cable), `/run`, bus, mDNS daemon, host name, process ids and
/// HOME. The rest of the file system is the real machine's.
///
/// All its processes end with it, and with this process: the kernel ends a process namespace with its first process,
/// which is a `cat` here that reads from a pipe which only this process holds open.
public final class TestHost: Sendable {
    public let name: String
    /// The IPv4 address of this end of the cable.
    public let address: String
    /// HOME of processes on the host.
    public let home: String
    /// Folder for sent and received items.
    public let files: String
    /// Folder that contains all of the above, and the output of commands.
    public let directory: String

    /// Interface at this end of the cable, with the same name on all hosts.
    public static let interface = "lan0"

    private let thread: HostThread
    private let first: RunningCommand
    /// The writing end of the pipe that keeps `first` alive.
    private let lifeline: Int32
    private let environment: [String: String]
    private let counter = Mutex(0)
    /// Path of the file with the clock offset for new processes, if any.
    private let clock = Mutex<String?>(nil)
    private let captures = Mutex<[FrameCapture]>([])
    let daemon = Mutex(MDNSDaemon())
    /// Cable from this host, if this process carries its frames.
    let longCable = Once<LongCable>()

    private init(
        name: String, address: String, directory: String, thread: HostThread, first: RunningCommand, lifeline: Int32,
        environment: [String: String]
    ) {
        self.name = name
        self.address = address
        self.directory = directory
        self.thread = thread
        self.first = first
        self.lifeline = lifeline
        self.environment = environment
        home = directory + "/home"
        files = directory + "/files"
    }

    /// Makes a host without a cable.
    ///
    /// - Parameter directory: folder for this host alone.
    static func start(name: String, address: String, directory: String) async throws -> TestHost {
        for folder in ["home", "files", "tmp", "log"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(folder)", withIntermediateDirectories: true)
        }
        let environment = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": directory + "/home",
            "USER": "root", "LOGNAME": "root", "SHELL": "/bin/sh", "LANG": "C.UTF-8", "TMPDIR": directory + "/tmp",
            "XDG_RUNTIME_DIR": "/run/user/0",
        ]
        // Programs get more time than a person would wait, because other tests keep the machine busy, and a code allows
        // only one attempt.
        let configuration = directory + "/home/.config/portolan"
        try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
        let file = URL(fileURLWithPath: configuration + "/portolan.yaml")
        try Data("timeouts: { find: 10, offer: 100 }\n".utf8).write(to: file)
        // Devices have the names of their hosts, and not `root@ada`.
        let state = directory + "/home/.local/state/portolan"
        try FileManager.default.createDirectory(
            atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data((name + "\n").utf8).write(to: URL(fileURLWithPath: state + "/name"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: state + "/name")
        // Each host has an identity of its own, which survives restarts of its daemons.
        let machineID = String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" })
        try Data((machineID + "\n").utf8).write(to: URL(fileURLWithPath: directory + "/machine-id"))

        let thread = HostThread()
        let (reading, lifeline) = try makePipe()
        defer { close(reading) }
        do {
            let first = try await thread.run {
                try TestHost.settle(as: name, directory: directory)
                return try RunningCommand(
                    Command(["cat"], input: .descriptor(reading)), host: name, environment: environment,
                    directory: "/", logs: directory + "/log/first")
            }
            first.watch()
            let host = TestHost(
                name: name, address: address, directory: directory, thread: thread, first: first, lifeline: lifeline,
                environment: environment)
            // On the host /proc lists its processes. If that is not permitted, it lists the machine's, on which no test
            // depends.
            _ = try await host.run(["mount", "-t", "proc", "proc", "/proc"])
            try await host.require(["ip", "link", "set", "lo", "up"])
            return host
        } catch {
            thread.close()
            close(lifeline)
            throw error
        }
    }

    /// Sets up the host's thread: separate namespaces, host name and mounts.
    private static func settle(as name: String, directory: String) throws {
        func check(_ status: Int32, _ doing: String) throws {
            guard status == 0 else { throw HostsError("host \(name) cannot \(doing)", status: status) }
        }
        try check(portolan_leave_this_machine(), "have namespaces of its own")
        try check(portolan_set_host_name(name), "have a name of its own")
        try check(portolan_mount("tmpfs", "/run", "tmpfs", 0, "mode=755"), "have a /run of its own")
        for folder in ["/run/lock", "/run/dbus", "/run/user", "/run/user/0"] { mkdir(folder, 0o755) }
        chmod("/run/user/0", 0o700)
        // Both mounts are optional: a container may forbid the first and lack the second.
        _ = portolan_mount("sysfs", "/sys", "sysfs", 0, nil)
        _ = portolan_mount(directory + "/machine-id", "/etc/machine-id", nil, portolan_mount_bind, nil)
    }

    /// Ends the host and all its processes.
    func stop() async {
        for capture in captures.withLock(\.self) { capture.end() }
        longCable.value?.end()
        close(lifeline)
        thread.close()
        // The kernel ends the other processes before the first is reaped.
        first.kill()
        _ = try? await first.finish(within: .seconds(60))
    }

    // MARK: - Clock

    /// Gives later processes a wall clock that can be set; or sets it, also for running ones.
    ///
    /// - Parameter seconds: lead over the machine's clock.
    public func setClock(by seconds: Int64) throws {
        let path = directory + "/clock"
        if access(path, F_OK) != 0 { try Data().write(to: URL(fileURLWithPath: path)) }
        // Programs have mapped the file, so it is overwritten and not replaced.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
        clock.withLock { $0 = path }
    }

    private func clockEnvironment() throws -> [String: String] {
        guard let path = clock.withLock(\.self) else { return [:] }
        return ["PORTOLAN_TEST_CLOCK": path, "LD_PRELOAD": try BuiltProduct.path("libTestClock.so")]
    }

    // MARK: - Commands

    /// Starts a command.
    public func start(_ command: Command) async throws -> RunningCommand {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        let program = command.arguments[0].split(separator: "/").last ?? "command"
        let logs = "\(directory)/log/\(number)-\(program)"
        let environment = environment.merging(try clockEnvironment()) { $1 }.merging(command.environment) { $1 }
        let running = try await thread.run { [name, home] in
            try RunningCommand(command, host: name, environment: environment, directory: home, logs: logs)
        }
        running.watch()
        return running
    }

    /// Starts a command with no input.
    public func start(_ arguments: [String]) async throws -> RunningCommand {
        try await start(Command(arguments))
    }

    /// Runs a command to its end.
    ///
    /// - Throws: `HostsError` when it takes longer than `limit`.
    public func run(_ command: Command, within limit: Duration = .seconds(120)) async throws -> Outcome {
        try await start(command).finish(within: limit)
    }

    /// Runs a command with no input to its end.
    public func run(_ arguments: [String], within limit: Duration = .seconds(120)) async throws -> Outcome {
        try await run(Command(arguments), within: limit)
    }

    /// Runs a command that must succeed.
    public func require(_ arguments: [String], within limit: Duration = .seconds(120)) async throws {
        let outcome = try await run(arguments, within: limit)
        guard outcome.code == 0 else { throw HostsError("\(outcome)") }
    }

    // MARK: - Inside

    /// Path by which this process reaches a file that only the host sees (`/run/…`).
    public func outside(_ path: String) -> String { "/proc/\(first.pid)/root\(path)" }

    /// Writes a kernel setting of this host, such as `net/ipv6/conf/all/accept_dad`.
    func set(_ setting: String, to value: String) async throws {
        try await thread.run {
            let path = "/proc/sys/" + setting
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw HostsError("cannot open \(path)", status: -errno) }
            defer { close(file) }
            guard write(file, value, value.utf8.count) == value.utf8.count else {
                throw HostsError("cannot set \(path) to \(value)", status: -errno)
            }
        }
    }

    /// Path of the host's network namespace.
    var networkPath: String { "/proc/\(first.pid)/ns/net" }

    /// Opens the host's network namespace; the caller closes the descriptor.
    func openNetwork() throws -> Int32 {
        let network = open(networkPath, O_RDONLY | O_CLOEXEC)
        guard network >= 0 else { throw HostsError("cannot open the network of \(name)", status: -errno) }
        return network
    }

    /// Makes this end of a cable whose frames this process carries; the caller closes the descriptor.
    func openCableEnd() async throws -> Int32 {
        try await thread.run { [name] in
            let end = portolan_open_tap(Self.interface)
            guard end >= 0 else { throw HostsError("cannot make the cable of \(name)", status: end) }
            return end
        }
    }

    /// Records every frame of the cable at this end, from now until `FrameCapture.stop()` or the end of the host.
    ///
    /// - Parameter limit: largest recording, in bytes; more of them make it fail.
    public func recordFrames(limit: Int = 64 << 20) async throws -> FrameCapture {
        let socket = try await thread.run { [name] in
            let socket = portolan_open_capture(Self.interface)
            guard socket >= 0 else { throw HostsError("cannot record what \(name) hears", status: socket) }
            return socket
        }
        let capture = FrameCapture(from: socket, limit: limit, place: name)
        captures.withLock { $0.append(capture) }
        return capture
    }

    /// Mounts a memory-backed file system of `size` bytes at a folder, which only the host sees. Unused space takes no
    /// memory.
    public func mountDisk(at path: String, size: Int) async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await thread.run {
            let status = portolan_mount("tmpfs", path, "tmpfs", 0, "size=\(size),mode=755")
            guard status == 0 else { throw HostsError("cannot mount a disk", status: status) }
        }
    }

    /// Numbers of bytes that this host has sent to and received from its cable, with all headers.
    public var cableBytes: (sent: Int, received: Int) {
        let text = String(decoding: readFile("/proc/\(first.pid)/net/dev"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":")
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == Self.interface else { continue }
            // The line has eight figures of received packets, then as many of sent ones, bytes first.
            let figures = parts[1].split(separator: " ").compactMap { Int($0) }
            if figures.count >= 16 { return (figures[8], figures[0]) }
        }
        return (0, 0)
    }

    /// TCP ports with listeners on the host.
    public var listeningPorts: Set<UInt16> {
        var ports = Set<UInt16>()
        for table in ["tcp", "tcp6"] {
            let text = String(decoding: readFile("/proc/\(first.pid)/net/\(table)"), as: UTF8.self)
            for line in text.split(separator: "\n").dropFirst() {
                let columns = line.split(separator: " ")
                guard columns.count > 3, columns[3] == "0A", let port = columns[1].split(separator: ":").last else {
                    continue
                }
                if let number = UInt16(port, radix: 16) { ports.insert(number) }
            }
        }
        return ports
    }
}
