import Foundation
import Glibc
import Synchronization

/// Bus and mDNS daemon of one host, as on a Debian desktop, with configurations of our own that confine both to the
/// host.
struct MDNSDaemon: Sendable {
    var bus: RunningCommand?
    var avahi: RunningCommand?

    /// Configuration of the system bus at its usual place. It starts no service by itself and lets all users
    /// communicate.
    static let busConfiguration = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <auth>EXTERNAL</auth>
          <listen>unix:path=/run/dbus/system_bus_socket</listen>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_type="*"/>
            <allow receive_type="*"/>
          </policy>
        </busconfig>
        """

    static func avahiConfiguration(hostName: String) -> String {
        """
        [server]
        host-name=\(hostName)
        use-ipv4=yes
        use-ipv6=yes
        allow-interfaces=\(TestHost.interface)
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-hinfo=no
        publish-workstation=no
        """
    }
}

extension TestHost {
    /// Starts the bus and the mDNS daemon, unless they run, and waits until the daemon answers.
    public func startDaemon() async throws {
        try await startBus()
        guard daemon.withLock({ $0.avahi?.isRunning }) != true else { return }
        let configuration = directory + "/avahi.conf"
        try Data(MDNSDaemon.avahiConfiguration(hostName: name).utf8).write(to: URL(fileURLWithPath: configuration))
        // There are no limits, because the stock one counts the processes of the daemon's user on both hosts, and no
        // chroot, because it needs a helper process.
        let avahi = try await start(["avahi-daemon", "-f", configuration, "--no-rlimits", "--no-chroot"])
        daemon.withLock { $0.avahi = avahi }
        try await avahi.waitToSay("Server startup complete")
    }

    /// Ends the mDNS daemon: with goodbyes for its services, or by a kill.
    public func stopDaemon(politely: Bool = true) async throws {
        guard let avahi = daemon.withLock({ $0.avahi }) else { return }
        try await avahi.stop(politely ? SIGTERM : SIGKILL)
        daemon.withLock { $0.avahi = nil }
        unlink(outside("/run/avahi-daemon/pid"))
    }

    /// Starts the system bus unless it is running.
    public func startBus() async throws {
        guard daemon.withLock({ $0.bus?.isRunning }) != true else { return }
        let configuration = directory + "/bus.conf"
        try Data(MDNSDaemon.busConfiguration.utf8).write(to: URL(fileURLWithPath: configuration))
        unlink(outside("/run/dbus/system_bus_socket"))
        let bus = try await start([
            "dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address=1",
        ])
        daemon.withLock { $0.bus = bus }
        // The bus prints its address when it accepts connections.
        try await bus.waitToSay("unix:path=")
    }

    /// Ends the system bus, and all connections to the mDNS daemon.
    public func stopBus() async throws {
        guard let bus = daemon.withLock({ $0.bus }) else { return }
        try await bus.stop()
        daemon.withLock { $0.bus = nil }
    }
}
