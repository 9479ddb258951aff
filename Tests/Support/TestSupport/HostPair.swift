import Foundation
import Glibc

/// Two hosts joined by a cable, on this machine but apart from it: no other interface of the machine is touched.
public final class HostPair: Sendable {
    public let a: TestHost
    public let b: TestHost
    private let directory: String

    /// What of mDNS the hosts have.
    public enum Discovery: Sendable {
        /// Each runs its own bus and avahi-daemon.
        case daemon
        /// Neither has a daemon.
        case none
    }

    private init(a: TestHost, b: TestHost, directory: String) {
        self.a = a
        self.b = b
        self.directory = directory
    }

    /// Makes two hosts, hands them to `body` and ends them with everything that runs on them, also when `body` throws.
    ///
    /// - Parameters:
    ///   - parent: where the hosts' folders go: the machine's folder for temporary files by default.
    ///   - congestionControl: TCP's algorithm on both, where the kernel has it; the machine's own by default.
    public static func with<Result>(
        _ discovery: Discovery, in parent: String? = nil, congestionControl: String? = nil,
        _ body: (TestHost, TestHost, HostPair) async throws -> Result
    ) async throws -> Result {
        let pair = try await start(in: parent, congestionControl: congestionControl)
        do {
            if discovery == .daemon {
                async let first: Void = pair.a.startDaemon()
                try await pair.b.startDaemon()
                try await first
            }
            let result = try await body(pair.a, pair.b, pair)
            await pair.stop()
            return result
        } catch {
            await pair.stop()
            throw error
        }
    }

    private static func start(in parent: String?, congestionControl: String?) async throws -> HostPair {
        let parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let directory = "\(parent)/portolan-hosts-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        do {
            let a = try await TestHost.start(name: "ada", address: "10.77.0.1", directory: directory + "/a")
            do {
                let b = try await TestHost.start(name: "ben", address: "10.77.0.2", directory: directory + "/b")
                let pair = HostPair(a: a, b: b, directory: directory)
                do {
                    try await pair.layCable()
                    if let congestionControl { try await pair.use(congestionControl: congestionControl) }
                    return pair
                } catch {
                    await b.stop()
                    throw error
                }
            } catch {
                await a.stop()
                throw error
            }
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    private func stop() async {
        await a.stop()
        await b.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: - The cable

    private func layCable() async throws {
        let interface = TestHost.interface
        for host in [a, b] {
            // Duplicate address detection would keep the link-local address away for a second.
            try? await host.set("net/ipv6/conf/default/accept_dad", to: "0")
            try? await host.set("net/ipv6/conf/all/accept_dad", to: "0")
        }
        // The other end goes straight to the other host, whose network `ip` finds at its standard input.
        let network = try b.openNetwork()
        defer { close(network) }
        let ends = [interface, "type", "veth", "peer", "name", interface, "netns", "/proc/self/fd/0"]
        let laying = try await a.run(Command(["ip", "link", "add"] + ends, input: .descriptor(network)))
        guard laying.code == 0 else { throw HostsError("\(laying)") }
        for host in [a, b] {
            try await host.require(["ip", "address", "add", host.address + "/24", "dev", interface])
            try await host.require(["ip", "link", "set", interface, "up"])
            // Multicast needs a route; there is no default one, so that nothing can leave.
            try await host.require(["ip", "route", "add", "224.0.0.0/4", "dev", interface])
        }
    }

    /// Pulls the cable at b's end: b notices, a only hears nothing any more.
    public func cut() async throws {
        try await b.require(["ip", "link", "set", TestHost.interface, "down"])
    }

    /// Puts the cable back.
    public func join() async throws {
        try await b.require(["ip", "link", "set", TestHost.interface, "up"])
        try await b.require(["ip", "route", "replace", "224.0.0.0/4", "dev", TestHost.interface])
    }

    /// Sets both hosts' TCP congestion control, if the kernel has the algorithm.
    ///
    /// A network namespace may only default to an algorithm that the machine's own list allows; that list is put back.
    private func use(congestionControl name: String) async throws {
        let settings = "/proc/sys/net/ipv4/"
        let available = String(decoding: readFile(settings + "tcp_available_congestion_control"), as: UTF8.self)
        guard available.split(whereSeparator: \.isWhitespace).contains(Substring(name)) else { return }
        let allowed = String(decoding: readFile(settings + "tcp_allowed_congestion_control"), as: UTF8.self)
        let list = URL(fileURLWithPath: settings + "tcp_allowed_congestion_control")
        let isAllowed = allowed.split(whereSeparator: \.isWhitespace).contains(Substring(name))
        if !isAllowed { try Data("\(allowed.trimmingCharacters(in: .newlines)) \(name)".utf8).write(to: list) }
        defer { if !isAllowed { try? Data(allowed.utf8).write(to: list) } }
        for host in [a, b] { try await host.set("net/ipv4/tcp_congestion_control", to: name) }
    }

    // MARK: - Whether it can be done here

    /// Why two hosts cannot be made on this machine, or nil where they can.
    public static let obstacle: String? = {
        guard getuid() == 0 else { return "two hosts need root" }
        if let missing = missing(["ip", "mount"]) { return "two hosts need '\(missing)': run Config/setup" }
        return HostThread.obstacle()
    }()

    /// Why two hosts with mDNS daemons cannot be made on this machine, or nil where they can.
    public static let obstacleToDaemons: String? = {
        if let obstacle { return obstacle }
        return missing(["dbus-daemon", "avahi-daemon"]).map { "there is no '\($0)': run Config/setup" }
    }()

    /// The first of these programs that is not installed.
    public static func missing(_ programs: [String]) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/local/sbin:/usr/sbin:/sbin"
        return programs.first { program in
            !path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
        }
    }
}
