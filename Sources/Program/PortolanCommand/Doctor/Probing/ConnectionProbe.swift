import Glibc
import PortolanDiscovery

/// Opens sockets as a test, and closes them at once. May block.
enum ConnectionProbe {
    /// Finds out if a port can be listened on.
    static func listening(on port: UInt16) -> PortFacts.Outcome {
        var family = AF_INET6
        var descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 {
            family = AF_INET
            descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        }
        guard descriptor >= 0 else { return .forbidden(reason(errno)) }
        defer { close(descriptor) }
        var value: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &value, socklen_t(MemoryLayout<CInt>.size))
        let everywhere = NetworkAddress(ip: family == AF_INET6 ? .v6(0, 0) : .v4(0), port: port)
        guard everywhere.withSocketAddress({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1) == 0 else {
            return errno == EADDRINUSE ? .taken(by: PortHolder.find(port)) : .forbidden(reason(errno))
        }
        return .free
    }

    /// Connects to an address and returns its answer.
    ///
    /// - Parameter seconds: longest time to wait.
    static func answer(of address: NetworkAddress, within seconds: Int) -> PeerFacts.Answer {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.ip.isV6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else { return .failed(reason(errno)) }
        defer { close(descriptor) }
        let start = ContinuousClock.now
        if address.withSocketAddress({ connect(descriptor, $0, $1) }) != 0 {
            guard errno == EINPROGRESS else { return answer(errno) }
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&wait, 1, Int32(seconds * 1000)) > 0 else { return .silent }
            var code: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
            guard code == 0 else { return answer(code) }
        }
        return .connected(milliseconds: Int((ContinuousClock.now - start) / Duration.milliseconds(1)))
    }

    private static func answer(_ code: CInt) -> PeerFacts.Answer {
        switch AddressReaction(errno: code) {
        case .refused: .refused
        case .silent: .silent
        case .hostUnreachable(let reason), .networkUnreachable(let reason): .unroutable(reason)
        case .failed(let reason): .failed(reason)
        }
    }

    private static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
