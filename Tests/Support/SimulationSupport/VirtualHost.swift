import NIOCore
import PortolanProtocol
import PortolanTransport

/// Process on a host of a simulated network: opens and accepts sessions, with the production code.
package final class VirtualHost: @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.
    package let network: VirtualNetwork
    private let identity: LocalIdentity
    private let timing: SessionDeadlines
    private let lanes = LaneDirectory()
    private let serve: @Sendable (Session) async -> Void
    private var connections: [VirtualConnection] = []

    /// True after the end of its process, whose later actions have no effect.
    package private(set) var isDown = false
    /// Number of accepted sessions that are open.
    package private(set) var serving = 0

    /// - Parameter serve: runs an accepted session, from its beginning to its end.
    package init(
        _ identity: LocalIdentity, on network: VirtualNetwork, timing: SessionDeadlines = SessionDeadlines(),
        serve: @escaping @Sendable (Session) async -> Void
    ) {
        self.network = network
        self.identity = identity
        self.timing = timing
        self.serve = serve
    }

    /// Ends the process, as when it is killed or power fails: its connections break, and its later actions have no
    /// effect.
    package func die() {
        isDown = true
        cutConnections()
    }

    /// Breaks all its connections.
    package func cutConnections() {
        for connection in connections { connection.cut() }
        connections = []
    }

    func hold(_ connection: VirtualConnection) {
        connections.removeAll(where: \.isOver)
        connections.append(connection)
    }

    // MARK: Sessions

    /// Opens a session to a host.
    ///
    /// - Parameter decide: throws if the proved key is not acceptable.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, and the error of `decide`.
    package func open(
        to address: Int, decide: @Sendable (RemoteIdentity) throws -> Void = { _ in }
    ) async throws -> Session {
        let connection = try await network.connect(to: address, from: self)
        let channel = connection.makeChannel()
        let connector = Connector(identity: identity, timing: timing, group: network.loop, runtime: network.runtime)
        do {
            return try await connector.open(
                channel, address: "\(address)", lanes: VirtualLaneConnector(of: self, to: address),
                limit: network.loop.now + timing.offerDeadline, opening: .open, decide: decide)
        } catch let error as Connector.KeyRejected {
            throw error.reason
        }
    }

    /// Accepts a connection.
    func arrive(_ connection: VirtualConnection) {
        hold(connection)
        let channel = connection.makeChannel()
        serving += 1
        Task(executorPreference: network.loop) { [self] in
            defer { serving -= 1 }
            guard
                let session = try? await Session.accept(
                    on: channel, from: "somebody", as: identity, at: .open, timing, lanes: lanes,
                    runtime: network.runtime)
            else { return }
            await serve(session)
        }
    }

    // MARK: Lanes

    /// Accepts the connection of a lane, which begins with its preface.
    func arriveLane(_ connection: VirtualConnection) {
        hold(connection)
        connection.inbound.hasArrived = { [self, weak connection] in
            guard let connection, connection.inbound.readable >= LanePreface.length else { return }
            connection.inbound.hasArrived = {}
            guard var bytes = connection.inbound.take(LanePreface.length),
                let preface = try? LanePreface(decoding: bytes.readBytes(length: bytes.readableBytes) ?? []),
                lanes.admit(preface, VirtualLane(connection, isConnected: true))
            else { return connection.outbound.end() }
        }
    }
}
