import NIOCore
import PortolanTransport

/// End of a lane's simulated connection. Its calls block as those of a socket do, on threads of the simulation.
final class VirtualLane: LaneConnection, @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.
    private let connection: VirtualConnection
    private let reach: () -> VirtualHost?
    private var isConnected: Bool
    private(set) var isShutDown = false

    /// - Parameter reach: returns the host to connect to.
    init(_ connection: VirtualConnection, isConnected: Bool, reach: @escaping () -> VirtualHost? = { nil }) {
        self.connection = connection
        self.isConnected = isConnected
        self.reach = reach
    }

    deinit { connection.outbound.end() }

    private var loop: VirtualLoop { connection.network.loop }

    /// Waits until `condition`, the end of the connection or the deadline.
    private func wait(
        until deadline: ContinuousClock.Instant? = nil, for condition: () -> Bool
    ) throws(TransportError) {
        var isRetry = false
        while !condition() {
            guard !isShutDown, !connection.inbound.isBroken else { throw .truncated }
            if let deadline, loop.instant >= deadline { return }
            loop.giveWay(isRetry: isRetry, until: deadline)
            isRetry = true
        }
    }

    func connect(until deadline: ContinuousClock.Instant) throws(TransportError) {
        precondition(!isConnected, "It is connected")
        let arrival = loop.instant + .nanoseconds(connection.network.delay)
        try wait(until: min(arrival, deadline)) { false }
        guard arrival <= deadline, let host = reach(), let other = connection.other.take() else {
            throw .unreachable("Nobody answers.")
        }
        isConnected = true
        host.arriveLane(other)
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Duration {
        let start = loop.instant
        var rest = bytes
        while !rest.isEmpty {
            try wait { connection.outbound.room > 0 }
            guard !isShutDown, !connection.inbound.isBroken else { throw .truncated }
            let count = min(rest.count, connection.outbound.room)
            connection.outbound.send(ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: rest[..<count])))
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return loop.instant - start
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer, atLeast least: Int) throws(TransportError) -> Int {
        var count = 0
        while count < least {
            try wait { connection.inbound.readable > 0 || connection.inbound.isAtEnd }
            // Beyond the required bytes only those are read that have arrived, as from a socket.
            guard let bytes = connection.inbound.take(buffer.count - count) else { break }
            buffer[count...].copyBytes(from: bytes.readableBytesView)
            count += bytes.readableBytes
        }
        return count
    }

    var unread: LaneUnread {
        if connection.inbound.readable > 0 { return .bytes }
        return connection.inbound.isAtEnd || connection.inbound.isBroken || isShutDown ? .end : .nothing
    }

    var queued: Int { connection.outbound.underWay }

    var quiet: Duration? { .nanoseconds(loop.elapsed - connection.inbound.heard) }

    func shutDown() {
        isShutDown = true
        connection.outbound.end()
    }
}

/// Connector for lanes from one host to another.
struct VirtualLaneConnector: LaneConnector {
    private let host: VirtualHost
    private let address: Int

    init(of host: VirtualHost, to address: Int) {
        self.host = host
        self.address = address
    }

    func makeConnection() throws(TransportError) -> any LaneConnection {
        guard !host.isDown else { throw .system("The process is gone.") }
        let (connection, other) = host.network.makeEnds()
        connection.other = other
        host.hold(connection)
        return VirtualLane(connection, isConnected: false) { [host, address] in
            host.isDown ? nil : host.network.host(at: address)
        }
    }
}
