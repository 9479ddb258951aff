import NIOCore
import NIOPosix
import PortolanCrypto
import PortolanProtocol
import Synchronization

/// Accepts connections, runs the responder's side of their handshakes, and hands out the sessions.
package final class Listener: Sendable {
    /// Result of an incoming connection.
    package enum Arrival: Sendable {
        case session(Session)
        /// The connection did not become a session: no Portolan peer, too slow, or one too many.
        case refused(address: String, reason: String)
    }

    /// Can be iterated once. Dropping it closes nothing; `close()` does.
    package let arrivals: AsyncStream<Arrival>

    private let acceptors: Mutex<Acceptors>
    private let entrance: Entrance
    private let patience: Duration

    private struct Acceptors {
        var current: Acceptor
        /// Acceptors of closed ports, each by a unique number.
        var former: [Int: Acceptor] = [:]
        var next = 0
    }

    /// The port that peers connect to.
    package var port: UInt16 { acceptors.withLock(\.current.port) }

    /// Listens on `sockets`, and takes ownership of them.
    ///
    /// - Parameters:
    ///   - door: handshakes to answer.
    ///   - budget: most connections at once; nil derives it from the free descriptors of the process.
    ///   - isKnown: true for the key of a contact or member, for which places are reserved.
    /// - Throws: `TransportError.system`
    package init(
        sockets: [ListeningSocket], identity: LocalIdentity, door: Door, timing: SessionDeadlines,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, budget: DescriptorBudget? = nil,
        isKnown: @escaping @Sendable (DevicePublicKey) async -> Bool = { _ in false }
    ) async throws(TransportError) {
        // Its threads have descriptors of their own, which are counted below.
        _ = group.next()
        let feed = ArrivalFeed()
        arrivals = feed.arrivals
        entrance = Entrance(
            identity: identity, door: door, timing: timing, group: group, budget: budget ?? .current(),
            isKnown: isKnown, arrivals: feed)
        patience = .nanoseconds(timing.offerDeadline.nanoseconds)
        acceptors = Mutex(Acceptors(current: try Acceptor(sockets: sockets, patience: patience, porter: entrance)))
    }

    /// Replaces the handshakes to answer. Those that have begun continue.
    package func replaceDoor(_ door: Door) { entrance.replaceDoor(door) }

    /// Listens on another port, the new value of ``port``. Former ports accept connections until
    /// ``leaveFormerPorts()``.
    ///
    /// - Parameters:
    ///   - port: 0 takes any free port.
    ///   - interfaces: as for `ListeningSocket.open`.
    /// - Throws: `TransportError.portUnavailable`, `.system`; nothing is changed then.
    package func move(to port: UInt16, interfaces: [String]?) throws(TransportError) {
        try acceptors.withLock { acceptors throws(TransportError) in
            guard port != acceptors.current.port else { return }
            let next: Acceptor
            if let former = acceptors.former.first(where: { $0.value.port == port }) {
                acceptors.former[former.key] = nil
                next = former.value
                next.takeSessions(true)
            } else {
                next = try Acceptor(
                    sockets: ListeningSocket.open(port: port, interfaces: interfaces), patience: patience,
                    porter: entrance)
            }
            acceptors.former[acceptors.next] = acceptors.current
            acceptors.next += 1
            acceptors.current = next
        }
    }

    /// Stops accepting sessions on former ports. Lanes of existing sessions may still come through them; each port is
    /// closed with its last session.
    package func leaveFormerPorts() {
        let left = acceptors.withLock { acceptors in acceptors.former.filter { $0.value.takeSessions(false) } }
        for number in left.keys { entrance.whenPresentAreGone { [weak self] in self?.close(former: number) } }
    }

    private func close(former number: Int) { acceptors.withLock { $0.former.removeValue(forKey: number) }?.halt() }

    /// Stops accepting sessions and lanes. Existing sessions continue with the lanes that they have.
    package func close() async {
        for acceptor in acceptors.withLock({ [$0.current] + $0.former.values }) { await acceptor.stop() }
        entrance.close()
    }
}
