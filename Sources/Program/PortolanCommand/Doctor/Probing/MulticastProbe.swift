import Glibc

/// Sends an mDNS query on one interface, and listens for the query itself and for answers.
///
/// The query is for Portolan's service, as in the search for peers. No record is announced.
enum MulticastProbe {
    /// Longest time to listen, in milliseconds.
    private static let patience: Int32 = 1000
    private static let group: UInt32 = 0xE000_00FB
    private static let port: UInt16 = 5353

    /// May block for ``patience``.
    static func outcome(on interface: String) -> InterfaceFacts.Multicast {
        let socket = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return .failed(reason()) }
        defer { close(socket) }
        var membership = ip_mreqn()
        membership.imr_multiaddr.s_addr = group.bigEndian
        membership.imr_ifindex = CInt(if_nametoindex(interface))
        let size = socklen_t(MemoryLayout<ip_mreqn>.size)
        set(SOL_SOCKET, SO_REUSEADDR, 1, socket)
        set(0, IP_MULTICAST_ALL, 0, socket)
        set(0, IP_MULTICAST_LOOP, 1, socket)
        set(0, IP_MULTICAST_TTL, 255, socket)
        var everywhere = address(0)
        guard with(&everywhere, { bind(socket, $0, $1) }) == 0,
            setsockopt(socket, 0, IP_ADD_MEMBERSHIP, &membership, size) == 0,
            setsockopt(socket, 0, IP_MULTICAST_IF, &membership, size) == 0
        else { return .failed(reason()) }
        let number = UInt16.random(in: 1 ... .max)
        let question = question(number)
        var target = address(group)
        guard with(&target, { sendto(socket, question, question.count, 0, $0, $1) }) == question.count else {
            return .failed(reason())
        }
        return listen(socket, for: question)
    }

    private static func listen(_ socket: CInt, for question: [UInt8]) -> InterfaceFacts.Multicast {
        let start = ContinuousClock.now
        var isBack = false
        var others: Set<UInt32> = []
        var buffer = [UInt8](repeating: 0, count: 9000)
        var own: UInt32?
        while true {
            let spent = (ContinuousClock.now - start) / Duration.milliseconds(1)
            let left = patience - Int32(min(spent, 100_000))
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&wait, 1, left) > 0 else { break }
            var source = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = withUnsafeMutablePointer(to: &source) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT), $0, &length)
                }
            }
            guard count > 0 else { continue }
            if buffer[..<count].elementsEqual(question) {
                isBack = true
                own = source.sin_addr.s_addr
            } else if others.count < 1000 {
                others.insert(source.sin_addr.s_addr)
            }
        }
        if let own { others.remove(own) }
        return isBack ? .returned(others: others.count) : .silent
    }

    /// Query for PTR `_portolan._tcp.local`. Hosts ignore its number, which distinguishes it from queries of other
    /// programs.
    private static func question(_ number: UInt16) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in ["_portolan", "_tcp", "local"] { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
        return bytes + [0, 0, 12, 0, 1]
    }

    private static func address(_ ip: UInt32) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = ip.bigEndian
        return address
    }

    private static func with<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func set(_ level: CInt, _ option: CInt, _ value: CInt, _ socket: CInt) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
