import CPortolanLinux
import Glibc
import PortolanConcurrency

/// Service manager that started this process and is notified of its state by sd_notify(3).
///
/// ```swift
/// let manager = ServiceManager.takeFromEnvironment()    // before there are threads
/// await manager?.tell(.ready("Receiving"))
/// ```
///
/// Notifications are best effort: a datagram that cannot be sent is dropped.
package final class ServiceManager: Sendable {
    /// Notifications.
    package enum News: Sendable, Hashable {
        /// The start, or a reload, is complete.
        /// - Parameter status: a sentence for people.
        case ready(_ status: String)
        case reloading
        case stopping
        /// A sentence for people.
        case status(String)
        /// The process is alive.
        case alive
    }

    /// Time within which the manager expects a sign of life; nil if it does not watch.
    package let watchdog: Duration?

    private let address: SocketAddress
    private let socket: Int32

    /// Longest wait of a datagram for room in the manager's queue.
    private static let patience = timeval(tv_sec: 2, tv_usec: 0)

    /// Returns the manager in the environment; nil if there is none.
    ///
    /// Removes the variables, so that child processes do not notify in its name. All threads share the environment:
    /// call this before there are others.
    package static func takeFromEnvironment() -> ServiceManager? {
        let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
        let values = names.map { name in getenv(name).map { String(cString: $0) } }
        for name in names { unsetenv(name) }
        guard let path = values[0] else { return nil }
        return ServiceManager(
            socket: path, watchdog: watchdog(microseconds: values[1], process: values[2], own: getpid()))
    }

    /// Interval of signs of life that environment variables request for `own`.
    static func watchdog(microseconds: String?, process: String?, own: pid_t) -> Duration? {
        guard let microseconds = microseconds.flatMap({ Int64($0) }), microseconds > 0 else { return nil }
        if let process, pid_t(process) != own { return nil }
        return .microseconds(microseconds)
    }

    /// - Parameters:
    ///   - path: an absolute path, or a name in the abstract namespace behind an `@`.
    ///   - watchdog: see ``watchdog``.
    /// - Returns: nil for a path that no socket can have, or if no descriptor is left.
    init?(socket path: String, watchdog: Duration? = nil) {
        guard let address = SocketAddress(path) else { return nil }
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        var patience = Self.patience
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        self.address = address
        self.watchdog = watchdog
        socket = number
    }

    deinit { close(socket) }

    /// Sends a notification. May wait for two seconds if the manager does not read.
    package func tell(_ news: News) async {
        await withLookupThread { [self] in
            let text = Array(Self.text(of: news).utf8)
            address.withSockaddr { address, length in
                _ = sendto(socket, text, text.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }

    private static func text(of news: News) -> String {
        switch news {
        case .ready(let status): "READY=1\nSTATUS=\(line(status))"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)"
        case .stopping: "STOPPING=1\nSTATUS=Stopping"
        case .status(let status): "STATUS=\(line(status))"
        case .alive: "WATCHDOG=1"
        }
    }

    /// Makes a text a single line: text behind a line feed would be another assignment.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }

    private static var monotonicMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// Address of a datagram socket in the file system or in the abstract namespace.
private struct SocketAddress: Sendable {
    private let address: sockaddr_un
    private let length: socklen_t

    init?(_ path: String) {
        var bytes = Array(path.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        guard isAbstract || bytes.first == UInt8(ascii: "/"), bytes.count > 1 else { return nil }
        if isAbstract { bytes[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A path ends with a NUL, which must fit; a name in the abstract namespace ends with the address.
        guard bytes.count + (isAbstract ? 0 : 1) <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        self.address = address
        length = socklen_t(start + bytes.count + (isAbstract ? 0 : 1))
    }

    func withSockaddr(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
