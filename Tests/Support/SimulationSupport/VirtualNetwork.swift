import NIOCore
import PortolanProtocol
import PortolanTransport
import TestSupport

/// The network of a simulation: connections between hosts, with delay, loss, small buffers and cuts.
package final class VirtualNetwork: @unchecked Sendable {
    // Sendable for the reason that its loop is: whoever has the turn touches what is in here.

    /// How a network treats what is sent on it.
    package struct Manner: Sendable {
        /// Nanoseconds that bytes are under way.
        package var delay: ClosedRange<Int64> = 100_000...1_000_000
        /// Of so many sends, one is lost and made again later, as TCP does; none where it is 0.
        package var loss = 0
        /// Bytes of one direction of a connection that may be under way or unread.
        package var capacity = 1 << 18
        /// Bytes that are read at a time at most.
        package var pieces = 1 << 16

        package init() {}

        /// One that a seed chooses: from a quick network to a slow one, and from buffers of a few hundred bytes to large ones.
        package static func random(_ random: inout SeededGenerator) -> Manner {
            var manner = Manner()
            let slowest: Int64 = [100_000, 5_000_000, 400_000_000][Int.random(in: 0..<3, using: &random)]
            manner.delay = slowest / 100...slowest
            manner.loss = [0, 0, 30][Int.random(in: 0..<3, using: &random)]
            manner.capacity = 1 << Int.random(in: 9...18, using: &random)
            manner.pieces = 1 << [6, 10, 16][Int.random(in: 0..<3, using: &random)]
            return manner
        }
    }

    /// Nanoseconds until what was lost is sent again.
    private static let resending: ClosedRange<Int64> = 200_000_000...1_000_000_000

    package let loop: VirtualLoop
    package var trace = Trace()
    package var manner: Manner
    /// Sends that were made on all connections, and bytes of them.
    package private(set) var sends = 0
    package private(set) var bytes = 0
    /// Connections that were made, those of lanes included.
    package private(set) var connections: UInt64 = 0

    /// Called before anything is sent, counted in ``sends`` already. What it cuts is not sent.
    package var beforeSend: () -> Void = {}

    private var generator: SeededGenerator
    private var hosts: [Int: VirtualHost] = [:]

    package init(seed: UInt64, manner: Manner = Manner(), hasThreads: Bool = false) {
        loop = VirtualLoop(seed: seed, hasThreads: hasThreads)
        generator = SeededGenerator(seed: seed &+ 1)
        self.manner = manner
    }

    /// Time and threads of all sessions on it.
    package var runtime: Runtime { Runtime(simulation: loop) }

    /// Ends what is left of the simulation, in which nobody waits any more, so that its memory can go.
    package func finish() {
        loop.finish()
        hosts = [:]
        beforeSend = {}
    }

    package func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Adds a host, which has this address from here on.
    package func add(_ host: VirtualHost, at address: Int) { hosts[address] = host }

    /// Nobody is at this address any more.
    package func removeHost(at address: Int) { hosts[address] = nil }

    /// Time until something that is sent now arrives.
    var delay: Int64 {
        let delay = Int64.random(in: manner.delay, using: &generator)
        guard manner.loss > 0, Int.random(in: 0..<manner.loss, using: &generator) == 0 else { return delay }
        return delay + Int64.random(in: Self.resending, using: &generator)
    }

    func count(_ bytes: Int) {
        sends += 1
        beforeSend()
        self.bytes += bytes
    }

    // MARK: Connections

    /// Connects to a host.
    ///
    /// - Returns: this side's end, and what cuts the connection.
    /// - Throws: `TransportError.unreachable`
    func connect(to address: Int, from caller: VirtualHost) async throws -> VirtualConnection {
        try await loop.sleep(for: .nanoseconds(delay))
        guard let host = hosts[address], !host.isDown, !caller.isDown else {
            throw TransportError.unreachable("Nobody answers at host \(address).")
        }
        let (connection, other) = makeEnds()
        caller.hold(connection)
        host.arrive(other)
        return connection
    }

    /// The host at an address, if it is up.
    func host(at address: Int) -> VirtualHost? {
        guard let host = hosts[address], !host.isDown else { return nil }
        return host
    }

    /// Two ends of a new connection.
    func makeEnds() -> (VirtualConnection, VirtualConnection) {
        connections += 1
        let there = VirtualPipe(on: self, number: connections << 1, capacity: manner.capacity)
        let back = VirtualPipe(on: self, number: connections << 1 | 1, capacity: manner.capacity)
        return (
            VirtualConnection(on: self, inbound: back, outbound: there),
            VirtualConnection(on: self, inbound: there, outbound: back)
        )
    }
}

/// One end of a connection.
package final class VirtualConnection: @unchecked Sendable {
    // Sendable for the reason that its loop is.
    let network: VirtualNetwork
    let inbound: VirtualPipe
    let outbound: VirtualPipe
    /// The other end, until it has arrived there.
    var other: VirtualConnection?

    init(on network: VirtualNetwork, inbound: VirtualPipe, outbound: VirtualPipe) {
        self.network = network
        self.inbound = inbound
        self.outbound = outbound
    }

    /// Whether both sides know that nothing more comes.
    var isOver: Bool { (inbound.isAtEnd || inbound.isBroken) && (outbound.isAtEnd || outbound.isBroken) }

    /// The connection breaks, for both sides.
    package func cut() {
        inbound.cut()
        outbound.cut()
    }

    func makeChannel() -> VirtualChannel {
        VirtualChannel(on: network.loop, from: inbound, to: outbound, pieces: network.manner.pieces)
    }
}
