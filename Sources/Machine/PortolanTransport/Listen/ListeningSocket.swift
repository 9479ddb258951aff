import Glibc
import PortolanDiscovery

/// A TCP socket that listens on one port, for all interfaces or for one.
///
/// Made without NIO, because the option that limits a socket to an interface (`SO_BINDTODEVICE`) must be set between
/// creation and bind.
package struct ListeningSocket: Sendable {
    package let descriptor: CInt
    package let port: UInt16

    /// Default port, which other devices try first.
    package static let defaultPort: UInt16 = 47217

    /// Listens for IPv6 and IPv4, or for IPv4 alone on a machine without IPv6.
    ///
    /// - Parameters:
    ///   - port: 0 takes any free port.
    ///   - interface: the only interface on which connections are accepted; nil accepts on all.
    /// - Throws: `TransportError.portUnavailable`, `.system`
    package static func open(port: UInt16, interface: String? = nil) throws(TransportError) -> ListeningSocket {
        do {
            return try open(family: AF_INET6, port: port, interface: interface)
        } catch .unsupportedFamily {
            do {
                return try open(family: AF_INET, port: port, interface: interface)
            } catch {
                throw error.told(port: port, interface: interface)
            }
        } catch {
            throw error.told(port: port, interface: interface)
        }
    }

    /// Sockets for each of `interfaces` (nil: all of them at once), all on the same port: `port` if given, else the
    /// default one, else any free one.
    ///
    /// - Parameter orOthers: true if any free port may be used when `port` is taken.
    /// - Throws: `TransportError.portUnavailable` when a requested port is taken, `.system`.
    package static func open(
        port: UInt16?, orOthers: Bool = false, interfaces: [String]?
    ) throws(TransportError) -> [ListeningSocket] {
        if let port, !orOthers { return try open(port: port, onEach: interfaces) }
        do {
            return try open(port: port ?? defaultPort, onEach: interfaces)
        } catch {
            return try open(port: 0, onEach: interfaces)
        }
    }

    package func close() {
        _ = Glibc.close(descriptor)
    }

    private static func open(port: UInt16, onEach interfaces: [String]?) throws(TransportError) -> [ListeningSocket] {
        guard let interfaces else { return [try open(port: port)] }
        var sockets: [ListeningSocket] = []
        do {
            for interface in interfaces {
                sockets.append(try open(port: sockets.first?.port ?? port, interface: interface))
            }
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
        return sockets
    }

    private static func open(family: CInt, port: UInt16, interface: String?) throws(Failure) -> ListeningSocket {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw errno == EAFNOSUPPORT ? .unsupportedFamily : .socket(errno) }
        do throws(Failure) {
            try set(SOL_SOCKET, SO_REUSEADDR, 1, on: descriptor)
            if family == AF_INET6 { try set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0, on: descriptor) }
            if let interface {
                guard
                    setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, interface, socklen_t(interface.utf8.count)) == 0
                else { throw Failure.interface(errno) }
            }
            try bind(descriptor, family: family, port: port)
            guard listen(descriptor, 128) == 0 else { throw Failure.bind(errno) }
            return ListeningSocket(descriptor: descriptor, port: try boundPort(of: descriptor))
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
    }

    private static func set(_ level: CInt, _ option: CInt, _ value: CInt, on descriptor: CInt) throws(Failure) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) == 0
        else { throw .socket(errno) }
    }

    private static func bind(_ descriptor: CInt, family: CInt, port: UInt16) throws(Failure) {
        let everywhere = NetworkAddress(ip: family == AF_INET6 ? .v6(0, 0) : .v4(0), port: port)
        guard everywhere.withSocketAddress({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
            // A kernel that has the protocol but no address of it (`ipv6.disable=1`) fails here.
            throw family == AF_INET6 && errno == EADDRNOTAVAIL ? .unsupportedFamily : .bind(errno)
        }
    }

    private static func boundPort(of descriptor: CInt) throws(Failure) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let bound = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? NetworkAddress(address, length: length) : nil
            }
        }
        guard let bound else { throw .bind(errno) }
        return bound.port
    }

    private enum Failure: Error {
        case unsupportedFamily
        case socket(CInt)
        case interface(CInt)
        case bind(CInt)

        func told(port: UInt16, interface: String?) -> TransportError {
            switch self {
            case .unsupportedFamily: .system("This machine has neither IPv6 nor IPv4.")
            case .socket(let code): .system("A socket could not be made: \(String(cString: strerror(code))).")
            case .interface(ENODEV): .system("There is no network interface named \(interface ?? "").")
            case .interface(let code):
                .system("Listening on interface \(interface ?? "") failed: \(String(cString: strerror(code))).")
            case .bind(EADDRINUSE): .portUnavailable("Port \(port) is taken by another program; choose another.")
            case .bind(EACCES): .portUnavailable("Port \(port) needs privileges; choose one above 1023.")
            case .bind(let code): .system("Listening on port \(port) failed: \(String(cString: strerror(code))).")
            }
        }
    }
}
