import NIOCore
import PortolanProtocol
import PortolanTransport
import TestSupport

/// The network of a simulation: connections between hosts, with delay, loss, small buffers and cuts.
package final class VirtualNetwork: @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.

    /// Properties of a network.
    package struct Manner: Sendable {
        /// Transit time of bytes, in nanoseconds.
        package var delay: ClosedRange<Int64> = 100_000...1_000_000
        /// Loss: one of so many sends is lost and repeated later, as by TCP; no loss for 0.
        package var loss = 0
        /// Bytes of one direction of a connection that may be in transit or unread.
        package var capacity = 1 << 18
        /// Largest number of bytes that are read at a time.
        package var pieces = 1 << 16

        package init() {}

        /// Random properties from a seed: from a fast network to a slow one, and from buffers of a few hundred bytes to
        /// large ones.
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

    /// Time until a lost send is repeated, in nanoseconds.
    private static let resending: ClosedRange<Int64> = 200_000_000...1_000_000_000

    package let loop: VirtualLoop
    package var trace = Trace()
    package var manner: Manner
    /// Number of sends on all connections, and of their bytes.
    package private(set) var sends = 0
    package private(set) var bytes = 0
    /// Number of connections, with those of lanes.
    package private(set) var connections: UInt64 = 0

    /// Called before each send, which ``sends`` already counts. A send on a connection that it cuts is dropped.
    package var beforeSend: () -> Void = {}

    private var generator: SeededGenerator
    private var hosts: [Int: VirtualHost] = [:]

    package init(seed: UInt64, manner: Manner = Manner(), hasThreads: Bool = false) {
        loop = VirtualLoop(seed: seed, hasThreads: hasThreads)
        generator = SeededGenerator(seed: seed &+ 1)
        self.manner = manner
    }

    /// Clock and threads of all sessions on the network.
    package var runtime: Runtime { Runtime(simulation: loop) }

    /// Ends a simulation without waiting tasks, so that its memory is released.
    package func finish() {
        loop.finish()
        hosts = [:]
        beforeSend = {}
    }

    package func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Adds a host at an address.
    package func add(_ host: VirtualHost, at address: Int) { hosts[address] = host }

    /// Removes the host at an address.
    package func removeHost(at address: Int) { hosts[address] = nil }

    /// Transit time of a send at this moment.
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
    /// - Returns: this side's end.
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

    /// Makes two ends of a new connection.
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

/// End of a connection.
package final class VirtualConnection: @unchecked Sendable {
    // Sendable for the reason that its loop is.
    let network: VirtualNetwork
    let inbound: VirtualPipe
    let outbound: VirtualPipe
    /// The other end, until the connection has arrived there.
    var other: VirtualConnection?

    init(on network: VirtualNetwork, inbound: VirtualPipe, outbound: VirtualPipe) {
        self.network = network
        self.inbound = inbound
        self.outbound = outbound
    }

    /// True if both sides know that no more bytes come.
    var isOver: Bool { (inbound.isAtEnd || inbound.isBroken) && (outbound.isAtEnd || outbound.isBroken) }

    /// Breaks the connection, for both sides.
    package func cut() {
        inbound.cut()
        outbound.cut()
    }

    func makeChannel() -> VirtualChannel {
        VirtualChannel(on: network.loop, from: inbound, to: outbound, pieces: network.manner.pieces)
    }
}
