import Foundation
import Testing

/// A network namespace with a loopback interface, a D-Bus and an Avahi daemon of its own, so that no test ever speaks
/// to the machine's daemon or network. The test program runs itself again inside of it.
enum PrivateHost {
    private static let marker = "PORTOLAN_TEST_PRIVATE_HOST"

    /// True in the copy of the test program that runs inside the namespace.
    static var isInside: Bool { ProcessInfo.processInfo.environment[marker] != nil }

    /// Requirement for such a host that this machine lacks; nil if it has all.
    static let obstacle: String? = {
        let missing = ["unshare", "mount", "ip", "dbus-daemon", "avahi-daemon"].filter { find($0) == nil }
        guard missing.isEmpty else { return "not installed: \(missing.joined(separator: ", "))" }
        guard (try? run("unshare", ["--net", "--mount", "--pid", "--fork", "true"]).code) == 0 else {
            return "namespaces are not permitted here (root is needed)"
        }
        return nil
    }()

    /// Runs a suite inside and expects all its tests to pass; says so if that is not possible on this machine.
    ///
    /// - Parameters:
    ///   - count: number of tests in the suite, so that a run of none does not pass.
    ///   - subject: the rest of the sentence “The tests … are skipped”.
    static func expectSuccess(
        of suite: String, count: Int, _ subject: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        if let obstacle {
            print("The tests \(subject) are skipped: \(obstacle).")
            return
        }
        let (code, output) = try await runTests(matching: suite)
        for line in output.split(separator: "\n") where line.hasPrefix("measured") { print(line) }
        #expect(
            code == 0 && output.contains("Test run with \(count) tests"), "\(output)", sourceLocation: sourceLocation)
    }

    /// Runs the tests of one suite inside; returns the exit code and what was printed.
    ///
    /// On a thread of its own: it takes half a minute, in which the other tests need theirs.
    private static func runTests(matching filter: String) async throws -> (code: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runTestsAndWait(matching: filter) })
            }
        }
    }

    private static func runTestsAndWait(matching filter: String) throws -> (code: Int32, output: String) {
        let script = """
            set -eu
            mount --make-rprivate /
            mount -t tmpfs -o mode=755 tmpfs /run
            mkdir -p /run/dbus
            ip link set lo up
            exec "$@"
            """
        return try run(
            "unshare",
            [
                "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script, "sh",
                Bundle.main.executablePath ?? "/proc/self/exe", "--testing-library", "swift-testing", "--filter",
                filter,
            ], environment: [marker: "1"])
    }

    // MARK: Inside

    static func startBus() throws {
        try? FileManager.default.removeItem(atPath: "/run/dbus/pid")
        try? FileManager.default.removeItem(atPath: "/run/dbus/system_bus_socket")
        let result = try run("dbus-daemon", ["--system", "--fork", "--nosyslog"])
        try #require(result.code == 0, "dbus-daemon: \(result.output)")
    }

    /// Name of the host in mDNS, where its daemon runs.
    static let hostName = "private"

    /// Adds a network card with these addresses and no other host behind it.
    static func addLink(_ name: String, _ addresses: String...) throws {
        try ip("link", "add", name, "type", "veth", "peer", "name", name + "-far")
        // Duplicate address detection would keep the addresses away for a second.
        for link in [name, name + "-far"] {
            try? "0".write(toFile: "/proc/sys/net/ipv6/conf/\(link)/accept_dad", atomically: false, encoding: .utf8)
            try ip("link", "set", link, "up")
        }
        for address in addresses { try ip("address", "add", address, "dev", name) }
        try ip("route", "replace", "224.0.0.0/4", "dev", name)
    }

    /// Puts in a network card with this address. Another network behind it has an address of the same link.
    ///
    /// - Returns: the file that stands for the other network.
    static func addNeighbour(_ name: String, own: String, neighbour: String) throws -> String {
        try ip("netns", "add", "far")
        try ip("link", "add", name, "type", "veth", "peer", "name", name, "netns", "far")
        try ip("-n", "far", "address", "add", neighbour + "/24", "dev", name)
        try ip("address", "add", own + "/24", "dev", name)
        try ip("-n", "far", "link", "set", name, "up")
        try ip("link", "set", name, "up")
        try ip("route", "replace", "224.0.0.0/4", "dev", name)
        try ip("-n", "far", "route", "replace", "224.0.0.0/4", "dev", name)
        return "/run/netns/far"
    }

    static func ip(_ arguments: String...) throws {
        let result = try run("ip", arguments)
        try #require(result.code == 0, "ip \(arguments.joined(separator: " ")): \(result.output)")
    }

    /// - Parameter interfaces: with commas between.
    static func startAvahi(on interfaces: String = "lo") throws {
        let settings = """
            [server]
            host-name=\(hostName)
            allow-interfaces=\(interfaces)
            ratelimit-interval-usec=1000000
            ratelimit-burst=1000
            [wide-area]
            enable-wide-area=no
            [publish]
            publish-hinfo=no
            publish-workstation=no
            """
        try settings.write(toFile: "/run/avahi.conf", atomically: true, encoding: .utf8)
        var result = try run("avahi-daemon", ["-f", "/run/avahi.conf", "-D", "--no-rlimits", "--no-chroot"])
        // `avahi-daemon -D` fails if the daemon does not serve within 20 seconds, which a busy machine may need.
        for _ in 0..<100 where result.code != 0 {
            usleep(200_000)
            result = try run("avahi-daemon", ["--check"])
        }
        try #require(result.code == 0, "avahi-daemon: \(result.output)")
    }

    static func stopBus() throws { try stop("/run/dbus/pid") }

    static func stopAvahi() throws { try stop("/run/avahi-daemon/pid") }

    private static func stop(_ pidFile: String) throws {
        let text = try String(contentsOfFile: pidFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let pid = try #require(Int32(text))
        kill(pid, SIGKILL)
        while kill(pid, 0) == 0, FileManager.default.fileExists(atPath: "/proc/\(pid)/exe") { usleep(1000) }
        try? FileManager.default.removeItem(atPath: pidFile)
    }

    // MARK: Programs

    private static func find(_ program: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":") + ["/usr/bin", "/usr/sbin", "/bin", "/sbin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (code: Int32, output: String) {
        let path = try #require(find(program), "\(program) is not installed")
        // Foundation's Process waits for everything that holds its descriptors: for ever, when a daemon stays.
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("portolan-test-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments = ([path] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for string in arguments + settings { free(string) } }
        var pid = pid_t()
        let spawned = posix_spawn(&pid, path, &actions, nil, &arguments, &settings)
        try #require(spawned == 0, "\(program): \(String(cString: strerror(spawned)))")
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let text = (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data()
        return (status == 0 ? 0 : max(1, status >> 8 & 0xFF), String(decoding: text, as: UTF8.self))
    }
}
