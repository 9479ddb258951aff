import NIOCore
import NIOPosix
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Accepts connections, runs the responder's side of their handshakes, and hands out the sessions.
package final class Listener: Sendable {
    /// What became of a connection.
    package enum Arrival: Sendable {
        case session(Session)
        /// It never became a session: not a Portolan peer, too slow, or one too many.
        case refused(address: String, reason: String)
    }

    /// The port that peers connect to.
    package let port: UInt16
    /// To be iterated once. Dropping it closes nothing: that is `close()`'s.
    package let arrivals: AsyncStream<Arrival>

    private let channels: [any NIOCore.Channel]
    private let entrance: Entrance

    /// Listens on `sockets`, which are the listener's from here on.
    ///
    /// - Parameter door: which handshakes are answered.
    /// - Throws: `TransportError.system`
    package init(
        sockets: [ListeningSocket], identity: LocalIdentity, door: Door, timing: SessionTiming,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(TransportError) {
        precondition(!sockets.isEmpty)
        port = sockets[0].port
        // A flood of refusals must not pile up while nobody looks.
        let (arrivals, continuation) = AsyncStream.makeStream(of: Arrival.self, bufferingPolicy: .bufferingNewest(256))
        self.arrivals = arrivals
        let entrance = Entrance(identity: identity, door: door, timing: timing, arrivals: continuation)
        self.entrance = entrance
        var channels: [any NIOCore.Channel] = []
        do {
            for socket in sockets {
                channels.append(
                    try await ServerBootstrap(group: group)
                        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                        .childChannelOption(.recvAllocator, value: SessionHandler.receiveAllocator)
                        .childChannelInitializer { channel in
                            channel.eventLoop.makeCompletedFuture { try entrance.admit(channel) }
                        }
                        .withBoundSocket(socket.descriptor).get())
            }
        } catch {
            for channel in channels { try? await channel.close() }
            throw .system("Listening failed: \(error)")
        }
        self.channels = channels
    }

    /// Stops accepting. Sessions that exist go on.
    package func close() async {
        for channel in channels { try? await channel.close() }
        entrance.close()
    }
}

/// Lets connections in and watches over them until they are sessions.
private final class Entrance: Sendable {
    /// Sessions at once, of all peers and from one address: each may hold buffers and a question to a person.
    private static let sessionLimit = 64
    private static let sessionLimitPerAddress = 8

    private let identity: LocalIdentity
    private let door: Door
    private let timing: SessionTiming
    private let arrivals: AsyncStream<Listener.Arrival>.Continuation
    private let state = Mutex(State())

    private struct State {
        var admission = Admission()
        var halfOpen: [Admission.Connection: any NIOCore.Channel] = [:]
        var sessions: [String: Int] = [:]
        var next: Admission.Connection = 0
    }

    init(
        identity: LocalIdentity, door: Door, timing: SessionTiming, arrivals: AsyncStream<Listener.Arrival>.Continuation
    ) {
        self.identity = identity
        self.door = door
        self.timing = timing
        self.arrivals = arrivals
    }

    func admit(_ channel: any NIOCore.Channel) throws {
        let host = channel.remoteAddress?.ipAddress ?? "unknown"
        let address = channel.remoteAddress.map(Self.text) ?? host
        let (connection, verdict, displaced) = state.withLock { state in
            state.next += 1
            let verdict = state.admission.arrived(state.next, from: host)
            var displaced: (any NIOCore.Channel)?
            if case .admitInsteadOf(let oldest) = verdict { displaced = state.halfOpen.removeValue(forKey: oldest) }
            if verdict != .refuse { state.halfOpen[state.next] = channel }
            return (state.next, verdict, displaced)
        }
        displaced?.close(promise: nil)
        guard verdict != .refuse else {
            throw TooManyConnections()
        }
        let loop = channel.eventLoop
        let identified = loop.makePromise(of: RemoteIdentity.self)
        let established = loop.makePromise(of: Session.self)
        let handler = SessionHandler(
            handshake: identity.handshake(at: door), deadline: .now() + timing.offerDeadline,
            silence: timing.silence,
            address: address, identified: identified, established: established, on: loop)
        try channel.pipeline.syncOperations.addHandler(handler)
        identified.futureResult.whenFailure { _ in }
        established.futureResult.whenComplete { result in
            self.state.withLock { state in
                state.admission.left(connection)
                state.halfOpen[connection] = nil
            }
            switch result {
            case .success(let session): self.enter(session, host: host, channel: channel)
            case .failure(let error): self.arrivals.yield(.refused(address: address, reason: "\(error)"))
            }
        }
    }

    func close() {
        arrivals.finish()
    }

    private func enter(_ session: Session, host: String, channel: any NIOCore.Channel) {
        let hasRoom = state.withLock { state in
            guard state.sessions.values.reduce(0, +) < Self.sessionLimit,
                state.sessions[host, default: 0] < Self.sessionLimitPerAddress
            else { return false }
            state.sessions[host, default: 0] += 1
            return true
        }
        guard hasRoom else {
            session.close(Message.Close(.busy))
            arrivals.yield(.refused(address: session.address, reason: "Too many sessions at once."))
            return
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                guard let count = state.sessions[host] else { return }
                state.sessions[host] = count > 1 ? count - 1 : nil
            }
        }
        arrivals.yield(.session(session))
    }

    private static func text(_ address: SocketAddress) -> String {
        guard var ip = address.ipAddress, let port = address.port else { return "\(address)" }
        // An IPv4 peer at a socket for both.
        if ip.hasPrefix("::ffff:"), ip.contains(".") { ip.removeFirst(7) }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}

/// One address has too many connections that are not sessions yet. Nobody is told: a flood is not news.
private struct TooManyConnections: Error {}
