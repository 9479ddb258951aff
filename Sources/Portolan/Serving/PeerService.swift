import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// Serves the peers that come to a node: one advertisement and one listener for whatever is received and shared in this process.
final class PeerService: Sendable {
    private struct State {
        var routes: [Int: ReceiveRoute] = [:]
        var sharings = 0
        var next = 0
        /// What whoever comes later has to hear, too.
        var announcements: [ReceiveEvent] = []
        var watchers: [Int: @Sendable (ReceiveEvent) -> Void] = [:]
    }

    private static let mostAnnouncements = 32

    private let state = Mutex(State())
    private let running: Mutex<Shared<UInt16>?> = Mutex(nil)

    /// Receives by a route until the task is cancelled.
    ///
    /// - Throws: `NodeError` when the port cannot be used, or the node hides from all but its teams and is in none.
    func receive(by route: ReceiveRoute, at node: Node) async throws {
        let number = state.withLock { state in
            state.next += 1
            state.routes[state.next] = route
            return state.next
        }
        defer { state.withLock { $0.routes[number] = nil } }
        try await run(at: node, events: route.events)
    }

    /// Answers what peers list and request, until the task is cancelled.
    func share(at node: Node, events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        state.withLock { $0.sharings += 1 }
        defer { state.withLock { $0.sharings -= 1 } }
        try await run(at: node, events: events)
    }

    private func run(at node: Node, events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        try await service(of: node).with { _ in
            // Only now: what was announced by one that is ending does not hold any more.
            let (number, announcements) = state.withLock { state in
                state.next += 1
                state.watchers[state.next] = events
                return (state.next, state.announcements)
            }
            defer { state.withLock { $0.watchers[number] = nil } }
            for announcement in announcements { events(announcement) }
            await untilCancelled()
        }
        try Task.checkCancellation()
    }

    private func service(of node: Node) -> Shared<UInt16> {
        running.withLock { running in
            if let running { return running }
            let service = Shared<UInt16> { [self, unowned node] isReady in try await serve(node, isReady) }
            running = service
            return service
        }
    }

    private func tell(_ event: ReceiveEvent) {
        let watchers = state.withLock { state in
            switch event {
            case .listening, .renamed, .warning:
                if state.announcements.count < Self.mostAnnouncements { state.announcements.append(event) }
            default: break
            }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher(event) }
    }

    // MARK: Serving

    private func serve(_ node: Node, _ isReady: @escaping @Sendable (UInt16) -> Void) async throws {
        let advertising = try await Advertising(of: node) { self.tell($0) }
        defer { state.withLock { $0.announcements = [] } }
        let (arrivals, feed) = AsyncStream.makeStream(of: Listener.Arrival.self, bufferingPolicy: .bufferingNewest(256))
        try await node.listener.with(.peers(advertising.door), arrived: { feed.yield($0) }) { port in
            isReady(port)
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { await advertising.run(port: port) }
                tasks.addTask { await node.keepTeams { self.tell(.warning($0)) } }
                for await arrival in arrivals {
                    switch arrival {
                    case .session(let session): tasks.addTask { await self.serve(session, at: node) }
                    case .refused(let address, let reason): self.tell(.refused(address: address, reason: reason))
                    }
                }
                tasks.cancelAll()
            }
        }
    }

    private func serve(_ session: Session, at node: Node) async {
        let (routes, isSharing) = state.withLock { state in
            (state.routes.sorted { $0.key < $1.key }.map(\.value), state.sharings > 0)
        }
        var roles = SessionRoles()
        let met = routes.map { ReceivingPeer(node.store, entitled: $0.entitled) }
        if !routes.isEmpty {
            roles.pacing = routes.compactMap(\.rateLimit).min().map { Pacing(bytesPerSecond: $0) }
            roles.receiving = {
                let peer = try node.remotePeer(session.peer, at: session.address)
                for one in met { one.meet(peer, session.peer) }
                return { RoutedReceiver.reception(of: session, from: peer, by: Array(zip(routes, met))) }
            }
        }
        if isSharing { roles.serving = ShelfServing(node: node, peer: session.peer, address: session.address) }
        let events = routes.isEmpty ? [] : routes.map(\.events)
        do {
            try await SessionDriver.run(on: session, ledger: node.ledger { self.tell(.warning($0)) }, roles: roles) {
                try await $0.waitForPeer()
            }
            for (one, events) in zip(met, events) { if let peer = one.peer { events(.finished(peer)) } }
        } catch {
            let reason = error is CancellationError ? "Receiving was stopped." : "\(error)"
            for (one, events) in zip(met, events) {
                if let peer = one.peer, one.isAdmitted {
                    events(.disconnected(peer, reason: reason))
                } else {
                    events(.refused(address: session.address, reason: reason))
                }
            }
        }
    }
}

/// One way in which a node receives: from whom, how fast, and into what.
struct ReceiveRoute: Sendable {
    /// Whether a peer of that standing may offer anything.
    var entitled: @Sendable (Standing) -> Bool = { _ in true }
    /// Bytes a second that may come in over one session.
    var rateLimit: UInt64?
    let events: @Sendable (ReceiveEvent) -> Void
    let receiver: @Sendable (Session, RemotePeer) -> any ItemReceiver
}
