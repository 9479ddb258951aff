import Foundation
import Glibc

/// Hosts on one link, on this machine but isolated from it: no other interface of the machine is used.
///
/// Two hosts are connected by a cable. More hosts are connected to a switch, which delivers unicast, multicast and
/// broadcast frames.
public final class HostLink: Sendable {
    /// Hosts in the order of their names; the first has the address 10.77.0.1.
    public let hosts: [TestHost]
    /// Network namespace of the switch, without processes; nil between two hosts.
    private let networkSwitch: TestHost?
    private let directory: String

    /// mDNS on the hosts.
    public enum Discovery: Sendable {
        /// Each runs its own bus and avahi-daemon.
        case daemon
        /// None has a daemon.
        case none
    }

    private init(hosts: [TestHost], networkSwitch: TestHost?, directory: String) {
        self.hosts = hosts
        self.networkSwitch = networkSwitch
        self.directory = directory
    }

    /// Makes hosts, passes them to `body`, and ends them with all their processes, also when `body` throws.
    ///
    /// - Parameters:
    ///   - names: the hosts' names, at least two, all different.
    ///   - parent: parent of the hosts' folders: the machine's folder for temporary files by default.
    ///   - congestionControl: TCP's algorithm on all hosts, if the kernel has it; the machine's own by default.
    ///   - distance: delay and loss between two hosts; see ``obstacleToDistance``.
    public static func with<Result>(
        _ discovery: Discovery, names: [String], in parent: String? = nil, congestionControl: String? = nil,
        distance: Distance? = nil, _ body: ([TestHost], HostLink) async throws -> Result
    ) async throws -> Result {
        precondition((2...99).contains(names.count) && Set(names).count == names.count, "hosts of different names")
        precondition(distance == nil || names.count == 2, "a long cable has two ends")
        let link = try await start(names, in: parent, distance: distance)
        do {
            if let congestionControl { try await link.use(congestionControl: congestionControl) }
            if discovery == .daemon { try await link.startDaemons() }
            let result = try await body(link.hosts, link)
            await link.stop()
            return result
        } catch {
            await link.stop()
            throw error
        }
    }

    private static func start(_ names: [String], in parent: String?, distance: Distance?) async throws -> HostLink {
        let parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let directory = "\(parent)/portolan-hosts-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        var hosts: [TestHost] = []
        var networkSwitch: TestHost?
        do {
            for (index, name) in names.enumerated() {
                hosts.append(
                    try await .start(name: name, address: "10.77.0.\(index + 1)", directory: "\(directory)/\(index)"))
            }
            if names.count > 2 {
                networkSwitch = try await .start(name: "switch", address: "", directory: directory + "/switch")
            }
            let link = HostLink(hosts: hosts, networkSwitch: networkSwitch, directory: directory)
            try await link.layCables(distance)
            return link
        } catch {
            await HostLink(hosts: hosts, networkSwitch: networkSwitch, directory: directory).stop()
            throw error
        }
    }

    private func startDaemons() async throws {
        try await withThrowingTaskGroup(of: Void.self) { starts in
            for host in hosts { starts.addTask { try await host.startDaemon() } }
            try await starts.waitForAll()
        }
    }

    private func stop() async {
        for host in hosts { await host.stop() }
        await networkSwitch?.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: - The cables

    private func layCables(_ distance: Distance?) async throws {
        for host in hosts {
            // Duplicate address detection would delay the link-local address by a second.
            try? await host.set("net/ipv6/conf/default/accept_dad", to: "0")
            try? await host.set("net/ipv6/conf/all/accept_dad", to: "0")
        }
        if let networkSwitch {
            try await plugIn(to: networkSwitch)
        } else if let distance {
            hosts[0].longCable.set(try await LongCable(from: hosts[0], to: hosts[1], distance))
        } else {
            try await layCable(from: hosts[0], TestHost.interface, to: hosts[1])
        }
        for host in hosts {
            try await host.require(["ip", "address", "add", host.address + "/24", "dev", TestHost.interface])
            try await host.require(["ip", "link", "set", TestHost.interface, "up"])
            // Multicast needs a route; there is no default route, so that no packet leaves the link.
            try await host.require(["ip", "route", "add", "224.0.0.0/4", "dev", TestHost.interface])
        }
    }

    /// Lays a cable whose other end is the interface of a host.
    private func layCable(from one: TestHost, _ end: String, to other: TestHost) async throws {
        // The other end is created in the other host's network, which `ip` finds at its standard input.
        let network = try other.openNetwork()
        defer { close(network) }
        let ends = [end, "type", "veth", "peer", "name", TestHost.interface, "netns", "/proc/self/fd/0"]
        let laying = try await one.run(Command(["ip", "link", "add"] + ends, input: .descriptor(network)))
        guard laying.code == 0 else { throw HostsError("\(laying)") }
    }

    private func plugIn(to networkSwitch: TestHost) async throws {
        // The switch has no addresses and sends no packets of its own.
        for which in ["default", "all"] { try? await networkSwitch.set("net/ipv6/conf/\(which)/disable_ipv6", to: "1") }
        // Multicast frames go to all ports, and a new port works at once.
        try await networkSwitch.require(
            ["ip", "link", "add", "ports", "type", "bridge", "forward_delay", "0", "mcast_snooping", "0"])
        try await networkSwitch.require(["ip", "link", "set", "ports", "up"])
        for (index, host) in hosts.enumerated() {
            try await layCable(from: networkSwitch, "port\(index)", to: host)
            try await networkSwitch.require(["ip", "link", "set", "port\(index)", "master", "ports", "up"])
        }
    }

    /// Disconnects a host's end of the cable: the host notices.
    public func cut(_ host: TestHost) async throws {
        try await host.require(["ip", "link", "set", TestHost.interface, "down"])
    }

    /// Reconnects the cable.
    public func join(_ host: TestHost) async throws {
        try await host.require(["ip", "link", "set", TestHost.interface, "up"])
        try await host.require(["ip", "route", "replace", "224.0.0.0/4", "dev", TestHost.interface])
    }

    /// Sets all hosts' TCP congestion control, if the kernel has the algorithm.
    ///
    /// A network namespace may only default to an algorithm that the machine's own list allows; that list is restored.
    private func use(congestionControl name: String) async throws {
        let settings = "/proc/sys/net/ipv4/"
        let available = String(decoding: readFile(settings + "tcp_available_congestion_control"), as: UTF8.self)
        guard available.split(whereSeparator: \.isWhitespace).contains(Substring(name)) else { return }
        let allowed = String(decoding: readFile(settings + "tcp_allowed_congestion_control"), as: UTF8.self)
        let list = URL(fileURLWithPath: settings + "tcp_allowed_congestion_control")
        let isAllowed = allowed.split(whereSeparator: \.isWhitespace).contains(Substring(name))
        if !isAllowed { try Data("\(allowed.trimmingCharacters(in: .newlines)) \(name)".utf8).write(to: list) }
        defer { if !isAllowed { try? Data(allowed.utf8).write(to: list) } }
        for host in hosts { try await host.set("net/ipv4/tcp_congestion_control", to: name) }
    }

    // MARK: - Requirements

    /// Reason why hosts cannot be made on this machine; nil if they can.
    public static let obstacle: String? = {
        guard getuid() == 0 else { return "hosts of our own need root" }
        if let missing = missing(["ip", "mount"]) { return "hosts of our own need '\(missing)': run Config/setup" }
        return HostThread.obstacle()
    }()

    /// Reason why hosts with mDNS daemons cannot be made on this machine; nil if they can.
    public static let obstacleToDaemons: String? = {
        if let obstacle { return obstacle }
        return missing(["dbus-daemon", "avahi-daemon"]).map { "there is no '\($0)': run Config/setup" }
    }()

    /// Reason why hosts far from each other cannot be made on this machine; nil if they can.
    public static let obstacleToDistance: String? = {
        if let obstacle { return obstacle }
        let device = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { return HostsError("cables of our own need /dev/net/tun", status: -errno).description }
        close(device)
        return nil
    }()

    /// Returns the first of these programs that is not installed.
    public static func missing(_ programs: [String]) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/local/sbin:/usr/sbin:/sbin"
        return programs.first { program in
            !path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
        }
    }
}
