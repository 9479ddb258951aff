import CPortolanLinux
import Glibc
import PortolanDiscovery
import PortolanValues
import Synchronization

/// A TCP connection of a lane.
///
/// Any thread may end it with `shutDown()`: a thread that waits in `connect`, `send` or `receive` returns at once. The
/// descriptor stays open until the last reference is released, so that its number is not reused while a thread may use
/// it.
final class LaneSocket: LaneConnection {
    private let descriptor: CInt
    /// Address to connect to; nil for an accepted connection.
    private let address: NetworkAddress?
    private let down = Atomic(false)
    /// Packet-loss detector of the path; nil after it noticed losses.
    private let path = Mutex<RandomLossDetector?>(RandomLossDetector())

    /// Takes over a connected socket.
    ///
    /// Other holders of its open file description (a dup) must not use it any more, because it is made blocking if the
    /// system allows that.
    init(taking descriptor: CInt) {
        self.descriptor = descriptor
        address = nil
        makeBlocking()
    }

    /// Makes a socket for a later `connect` to `address`.
    ///
    /// - Throws: `TransportError.system`
    init(to address: NetworkAddress) throws(TransportError) {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        self.address = address
        descriptor = socket(address.ip.isV6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else {
            throw .system("A socket could not be made: \(String(cString: strerror(errno))).")
        }
        var on: CInt = 1
        // Records are sent whole; waiting for more to fill a packet would only delay their ends.
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        preferCubic()
    }

    deinit { close(descriptor) }

    var isShutDown: Bool { down.load(ordering: .acquiring) }

    func shutDown() {
        // The mark is set first, so that a thread that begins to wait after the call below sees it.
        down.store(true, ordering: .releasing)
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    var quiet: Duration? {
        var information = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &information, &length) == 0 else { return nil }
        return .milliseconds(information.tcpi_last_data_recv)
    }

    // MARK: Connecting

    func connect(until deadline: ContinuousClock.Instant) throws(TransportError) {
        guard let address else { preconditionFailure("It is connected") }
        let result = address.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
        if result != 0 {
            guard errno == EINPROGRESS || errno == EINTR else { throw failed(address, errno) }
            guard try wait(for: POLLOUT, until: deadline) else { throw failed(address, ETIMEDOUT) }
            var failure: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length)
            if isShutDown { throw .truncated }
            guard failure == 0 else { throw failed(address, failure) }
        }
        // A shutdown before the socket was connected had no effect, and is not repeated.
        if isShutDown { throw .truncated }
        makeBlocking()
    }

    private func failed(_ address: NetworkAddress, _ code: CInt) -> TransportError {
        .unreachable("Another connection to \(address) failed: \(String(cString: strerror(code))).")
    }

    // MARK: Bytes

    func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Duration {
        var rest = bytes
        // Bytes that fit into the socket's buffer cost no waiting; only the remainder is timed.
        if try send(some: &rest, CInt(MSG_DONTWAIT)), rest.isEmpty { return .zero }
        let start = ContinuousClock.now
        while !rest.isEmpty {
            guard try !send(some: &rest, 0) else { continue }
            _ = try wait(for: POLLOUT)
        }
        lookAtPath()
        return ContinuousClock.now - start
    }

    /// - Returns: true if anything was sent without waiting longer than `flags` allow.
    private func send(some rest: inout UnsafeRawBufferPointer, _ flags: CInt) throws(TransportError) -> Bool {
        while true {
            let count = Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL) | flags)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                return true
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return false
            default: throw .truncated
            }
        }
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer, atLeast least: Int) throws(TransportError) -> Int {
        var count = try receive(buffer[...], 0)
        while count > 0, count < least {
            // The call asks only for the required bytes: with MSG_WAITALL the kernel would wait for the rest, too.
            let more = try receive(buffer[count..<least], CInt(MSG_WAITALL))
            guard more > 0 else { break }
            count += more
        }
        return count
    }

    /// - Returns: 0 at the end of the other side's stream.
    private func receive(
        _ room: Slice<UnsafeMutableRawBufferPointer>, _ flags: CInt
    ) throws(TransportError) -> Int {
        let room = UnsafeMutableRawBufferPointer(rebasing: room)
        while true {
            let count = recv(descriptor, room.baseAddress, room.count, flags)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: _ = try wait(for: POLLIN)
            default: throw .truncated
            }
        }
    }

    var unread: LaneUnread {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        if count > 0 { return .bytes }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    var queued: Int {
        var count: CInt = 0
        // The kernel takes the difference of two numbers that change meanwhile, which can be below 0.
        return portolan_bytes_not_sent(descriptor, &count) == 0 ? max(0, Int(count)) : 0
    }

    // MARK: Waiting

    /// - Returns: true if the event came before the deadline.
    private func wait(
        for events: CInt, until deadline: ContinuousClock.Instant? = nil
    ) throws(TransportError) -> Bool {
        while true {
            guard !isShutDown else { throw .truncated }
            var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let patience = deadline.map { ContinuousClock.now.duration(to: $0).pollMilliseconds } ?? -1
            let result = poll(&waiting, 1, patience)
            if result > 0 { return true }
            if result == 0 { return false }
            guard errno == EINTR || errno == EAGAIN else { throw .truncated }
        }
    }

    private func makeBlocking() {
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) }
    }

    // MARK: Congestion

    /// Chooses CUBIC instead of BBR: BBR paces and probes, which pays on lossy paths; on a local network CUBIC carries
    /// two to three times as much. If the system does not allow it, its own choice stays.
    private func preferCubic() {
        var name = [UInt8](repeating: 0, count: 16)
        var length = socklen_t(name.count)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_CONGESTION, &name, &length) == 0,
            name.starts(with: Array("bbr".utf8))
        else { return }
        choose("cubic")
    }

    private func choose(_ name: String) {
        let name = Array(name.utf8)
        _ = setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_CONGESTION, name, socklen_t(name.count))
    }

    /// Chooses BBR if the path loses packets: it carries many times as much there. A system without BBR keeps its
    /// choice.
    private func lookAtPath() {
        let now = ContinuousClock.now
        path.withLock { path in
            var (sent, again) = (UInt32(0), UInt32(0))
            guard path?.isDue(at: now) == true, portolan_packets(descriptor, &sent, &again) == 0,
                path?.loses(sent: sent, again: again, at: now) == true
            else { return }
            path = nil
            choose("bbr")
        }
    }
}
