import NIOCore
import PortolanProtocol
import PortolanTransport

/// A process on a host of a simulated network: opens sessions and lets them come, with the code that ships.
package final class VirtualHost: @unchecked Sendable {
    // Sendable for the reason that its loop is: whoever has the turn touches what is in here.
    package let network: VirtualNetwork
    private let identity: LocalIdentity
    private let timing: SessionTiming
    private let lanes = LaneDirectory()
    private let serve: @Sendable (Session) async -> Void
    private var connections: [VirtualConnection] = []

    /// Whether its process is gone: nothing that it still tries reaches anybody.
    package private(set) var isDown = false
    /// Sessions that have come and are not over.
    package private(set) var serving = 0

    /// - Parameter serve: what it does with a session that has come, from its beginning to its end.
    package init(
        _ identity: LocalIdentity, on network: VirtualNetwork, timing: SessionTiming = SessionTiming(),
        serve: @escaping @Sendable (Session) async -> Void
    ) {
        self.network = network
        self.identity = identity
        self.timing = timing
        self.serve = serve
    }

    /// The process ends, as when it is killed or power fails: its connections break, and what it still does has no effect.
    package func die() {
        isDown = true
        cutConnections()
    }

    /// All its connections break.
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
    /// - Parameter decide: throws if the key that was proved is not acceptable.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, and what `decide` throws.
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

    /// Somebody has connected.
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

    /// Somebody has connected, and says first which lane it is.
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
