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

    /// To be iterated once. Dropping it closes nothing: that is `close()`'s.
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

    /// Listens on `sockets`, which are the listener's from here on.
    ///
    /// - Parameters:
    ///   - door: handshakes that are answered.
    ///   - budget: number of connections that are held at once; nil for as many as the process has descriptors for now.
    ///   - isKnown: true if a key is a contact's or a member's, for which places are reserved.
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

    /// Answers other handshakes from here on. Those that have begun go on as they began.
    package func replaceDoor(_ door: Door) { entrance.replaceDoor(door) }

    /// Accepts on another port, which is ``port`` from here on. Former ones are accepted on, too, until
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

    /// Accepts no sessions on former ports any more. Lanes of those that there are still come by them; a port is closed
    /// with the last of these.
    package func leaveFormerPorts() {
        let left = acceptors.withLock { acceptors in acceptors.former.filter { $0.value.takeSessions(false) } }
        for number in left.keys { entrance.whenPresentAreGone { [weak self] in self?.close(former: number) } }
    }

    private func close(former number: Int) { acceptors.withLock { $0.former.removeValue(forKey: number) }?.halt() }

    /// Stops accepting, sessions and lanes. Sessions that exist go on with the lanes they have.
    package func close() async {
        for acceptor in acceptors.withLock({ [$0.current] + $0.former.values }) { await acceptor.stop() }
        entrance.close()
    }
}
