import CPortolanLinux
import Glibc
import PortolanConcurrency
import PortolanDiscovery
import PortolanProtocol
import PortolanValues
import Synchronization

/// Accepts connections on a thread of its own, and finds the kind of each by its first bytes.
///
/// A session's connection is handed on unread; a lane's is handed on after its preface was read. The kernel wakes the
/// thread only when enough bytes have come, so that no preface is read in pieces and no bytes are kept for a peer that
/// sends fewer: its connection is closed at the deadline.
final class Acceptor: Sendable {
    /// Decisions on incoming connections. Called on the acceptor's thread; no call may block.
    protocol Porter: Sendable {
        /// Admits a new connection.
        ///
        /// - Returns: the connection's number, and an older one to be closed instead.
        func arrived(from address: NetworkAddress) -> (Admission.Connection, insteadOf: Admission.Connection?)
        /// Returns true if a connection still has its place and came through this port.
        func holds(_ connection: Admission.Connection) -> Bool
        /// Frees a descriptor for a new connection.
        ///
        /// - Returns: an older connection to close, or that was closed; nil if there is none.
        func makeRoom() -> Admission.Connection?
        /// Takes a connection that begins like a session, or in an unknown way: the porter owns the descriptor from
        /// then on.
        func takeSession(
            _ connection: Admission.Connection, _ descriptor: CInt, from address: NetworkAddress,
            since: ContinuousClock.Instant)
        /// Notes a lane of an unknown version, which is closed.
        ///
        /// - Returns: the answer to send; empty for none.
        func refusedLane(_ connection: Admission.Connection, version: UInt8, from address: NetworkAddress) -> [UInt8]
        /// Takes a connection that begins as a lane does.
        func takeLane(_ connection: Admission.Connection, _ preface: LanePreface, _ socket: LaneSocket)
        /// Notes a connection that is closed, or began with a wrong message of a lane.
        func left(_ connection: Admission.Connection)
        /// Notes a connection that was closed because its first bytes took too long.
        func wasSilent(_ connection: Admission.Connection, from address: NetworkAddress)
    }

    private let sockets: [ListeningSocket]
    private let orders: Orders
    private let thread: WorkerThread<Void>

    /// Orders from other threads to the acceptor's thread.
    final class Orders: Sendable {
        let isStopped = Atomic(false)
        /// True if sessions are closed at once, so that only lanes are accepted.
        let refusesSessions = Atomic(false)
    }

    /// The port that peers connect to.
    var port: UInt16 { sockets[0].port }

    /// - Parameters:
    ///   - sockets: the acceptor's from here on.
    ///   - patience: time that a connection may take to show its kind.
    init(sockets: [ListeningSocket], patience: Duration, porter: any Porter) throws(TransportError) {
        precondition(!sockets.isEmpty)
        let orders = Orders()
        self.sockets = sockets
        self.orders = orders
        do {
            thread = try WorkerThread(named: "accepting", on: .system) {
                var accepting = AcceptLoop(sockets: sockets, patience: patience, porter: porter, orders: orders)
                while !orders.isStopped.load(ordering: .acquiring) { accepting.step() }
                accepting.end()
            }
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
    }

    /// Lets sessions in, or from now on only lanes.
    ///
    /// - Returns: true if it did otherwise before.
    @discardableResult
    func takeSessions(_ takes: Bool) -> Bool {
        orders.refusesSessions.exchange(!takes, ordering: .acquiringAndReleasing) == takes
    }

    /// Stops accepting a moment later. Connections of a still unknown kind are closed.
    func halt() {
        // Only once: afterwards other files may have the sockets' numbers.
        guard !orders.isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Wakes the thread, which closes them.
        for socket in sockets { shutdown(socket.descriptor, CInt(SHUT_RDWR)) }
    }

    /// Stops accepting; returns when the port is free.
    func stop() async {
        halt()
        try? await thread.value
    }
}

/// Loop of the acceptor's thread.
private struct AcceptLoop {
    /// Most connections that are accepted before the accepted ones are examined.
    private static let batch = 64
    /// Pause of accepting while no descriptor is free and none can be freed at once.
    private static let rest = Duration.milliseconds(100)

    let sockets: [ListeningSocket]
    let patience: Duration
    let porter: any Acceptor.Porter
    let orders: Acceptor.Orders

    private var undecided: [Undecided] = []
    private var restingUntil: ContinuousClock.Instant?

    private struct Undecided {
        let connection: Admission.Connection
        let descriptor: CInt
        let address: NetworkAddress
        let since: ContinuousClock.Instant
        var stage = Stage.kind
    }

    /// The part of the first bytes that is awaited.
    private enum Stage {
        case kind, laneVersion, lanePreface
    }

    init(sockets: [ListeningSocket], patience: Duration, porter: any Acceptor.Porter, orders: Acceptor.Orders) {
        self.sockets = sockets
        self.patience = patience
        self.porter = porter
        self.orders = orders
    }

    func end() {
        for socket in sockets { socket.close() }
        for one in undecided {
            close(one.descriptor)
            porter.left(one.connection)
        }
    }

    /// Waits for an event, and handles it.
    mutating func step() {
        let listening: [pollfd] = sockets.map {
            // A negative number is passed over.
            pollfd(fd: restingUntil == nil ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
        }
        var all = listening + undecided.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let next = [undecided.map { $0.since + patience }.min(), restingUntil].compactMap(\.self).min()
        _ = poll(&all, nfds_t(all.count), next.map { ContinuousClock.now.duration(to: $0).pollMilliseconds } ?? -1)

        let now = ContinuousClock.now
        if let end = restingUntil, end <= now { restingUntil = nil }
        let waiting = undecided
        undecided = []
        for (one, state) in zip(waiting, all[listening.count...]) {
            guard porter.holds(one.connection) else {
                close(one.descriptor)
                continue
            }
            if state.revents != 0 { look(at: one) } else { keep(one, at: now) }
        }
        for (socket, state) in zip(sockets, all) where state.revents != 0 { accept(from: socket) }
    }

    private mutating func keep(_ one: Undecided, at now: ContinuousClock.Instant) {
        guard one.since + patience <= now else {
            undecided.append(one)
            return
        }
        close(one.descriptor)
        if one.stage == .kind {
            porter.wasSilent(one.connection, from: one.address)
        } else {
            porter.left(one.connection)
        }
    }

    // MARK: Arriving

    private mutating func accept(from socket: ListeningSocket) {
        for _ in 0..<Self.batch {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = portolan_accept(socket.descriptor, &storage, &length)
            guard descriptor >= 0 else {
                switch Shortage(errno) {
                case .ofProcess:
                    if let oldest = porter.makeRoom(), closeUndecided(oldest) { continue }
                    restingUntil = .now + Self.rest
                case .ofSystem: restingUntil = .now + Self.rest
                // The queue is empty, or the peer has closed the connection.
                case nil: break
                }
                return
            }
            let address = withUnsafePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { NetworkAddress($0, length: length) }
            }
            guard let address = address?.withoutMapping else {
                close(descriptor)
                continue
            }
            let (connection, oldest) = porter.arrived(from: address)
            if let oldest { _ = closeUndecided(oldest) }
            wake(descriptor, at: ConnectionKind.length)
            let one = Undecided(connection: connection, descriptor: descriptor, address: address, since: .now)
            // Its first bytes have often come already.
            look(at: one, isExpected: false)
        }
    }

    /// - Returns: true if it was still this thread's to close.
    private mutating func closeUndecided(_ connection: Admission.Connection) -> Bool {
        guard let index = undecided.firstIndex(where: { $0.connection == connection }) else { return false }
        close(undecided.remove(at: index).descriptor)
        return true
    }

    // MARK: Looking

    /// - Parameter isExpected: true if the kernel has reported bytes.
    private mutating func look(at one: Undecided, isExpected: Bool = true) {
        switch one.stage {
        case .kind: findOut(one, isExpected)
        case .laneVersion: checkVersion(of: one)
        case .lanePreface: takeLane(one)
        }
    }

    private mutating func findOut(_ one: Undecided, _ isExpected: Bool) {
        var bytes = [UInt8](repeating: 0, count: ConnectionKind.length)
        let count = recv(one.descriptor, &bytes, bytes.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        if count < bytes.count, !isExpected {
            undecided.append(one)
            return
        }
        let isGone = count == 0 || (count < 0 && errno != EAGAIN)
        // Unknown first bytes are left to the handshake, which refuses them; so are connections that ended before their
        // kind was known.
        let isLane = if count == bytes.count, case .lane? = try? ConnectionKind.of(bytes) { true } else { false }
        guard !isGone, isLane || !orders.refusesSessions.load(ordering: .acquiring) else {
            // The connection ended without a byte, so no handshake slot waits for it; or it came through a closed port.
            close(one.descriptor)
            return porter.left(one.connection)
        }
        guard isLane else {
            wake(one.descriptor, at: 1)
            porter.takeSession(one.connection, one.descriptor, from: one.address, since: one.since)
            return
        }
        expect(.laneVersion, of: one, LanePreface.versionEnd)
    }

    private mutating func expect(_ stage: Stage, of one: Undecided, _ count: Int) {
        wake(one.descriptor, at: count)
        var one = one
        one.stage = stage
        undecided.append(one)
    }

    private mutating func checkVersion(of one: Undecided) {
        var bytes = [UInt8](repeating: 0, count: LanePreface.versionEnd)
        let count = recv(one.descriptor, &bytes, bytes.count, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        guard count == bytes.count, let version = bytes.last else {
            close(one.descriptor)
            return porter.left(one.connection)
        }
        guard version != LanePreface.version else { return expect(.lanePreface, of: one, LanePreface.length) }
        let answer = porter.refusedLane(one.connection, version: version, from: one.address)
        _ = send(one.descriptor, answer, answer.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        // Unread bytes would make the system reset the connection, and the answer might be lost.
        var rest = [UInt8](repeating: 0, count: 64 * 1024)
        _ = recv(one.descriptor, &rest, rest.count, CInt(MSG_DONTWAIT))
        close(one.descriptor)
    }

    private func takeLane(_ one: Undecided) {
        var bytes = [UInt8](repeating: 0, count: LanePreface.length)
        let count = recv(one.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        wake(one.descriptor, at: 1)
        guard count == bytes.count, let preface = try? LanePreface(decoding: bytes) else {
            close(one.descriptor)
            porter.left(one.connection)
            return
        }
        porter.takeLane(one.connection, preface, LaneSocket(taking: one.descriptor))
    }

    /// Makes `poll` report bytes only when there are at least `count`, or when no more will come.
    private func wake(_ descriptor: CInt, at count: Int) {
        var count = CInt(count)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<CInt>.size))
    }
}

/// Reason why no connection can be accepted at the moment.
enum Shortage: Hashable {
    /// This process has no descriptor left; closing a connection frees one.
    case ofProcess
    /// The system lacks descriptors or memory, which this process cannot free.
    case ofSystem

    /// - Parameter number: error number of accept(2); nil if the shortage has another cause.
    init?(_ number: CInt) {
        switch number {
        case EMFILE: self = .ofProcess
        case ENFILE, ENOBUFS, ENOMEM: self = .ofSystem
        default: return nil
        }
    }
}

extension NetworkAddress {
    /// An IPv4 peer at a socket for both is an IPv4 peer.
    fileprivate var withoutMapping: NetworkAddress {
        guard case .v6(0, let low) = ip, low >> 32 == 0xFFFF else { return self }
        return NetworkAddress(ip: .v4(UInt32(truncatingIfNeeded: low)), port: port)
    }
}
