import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// Serves the peers that come to a node: one advertisement and one listener for whatever is received and shared in this process.
final class PeerService: Sendable {
    private struct State {
        var routes: [Int: ReceiveRoute] = [:]
        var sharings = 0
        /// Roles besides those of offers, lists and requests.
        var makers: [Int: RoleMaker] = [:]
        var next = 0
        /// What whoever comes later has to hear, too.
        var announcements: [ReceiveEvent] = []
        var watchers: [Int: @Sendable (ReceiveEvent) -> Void] = [:]
        /// Of those that want to hear of changes of what the node does.
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
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
        hasChanged(node)
        defer {
            state.withLock { $0.routes[number] = nil }
            hasChanged(node)
        }
        do {
            try await run(at: node, events: route.events)
        } catch {
            state.withLock { $0.routes[number] = nil }
            await node.sessions.end(receivingBy: number)
            throw error
        }
    }

    /// Answers what peers list and request, until the task is cancelled.
    func share(at node: Node, events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        state.withLock { $0.sharings += 1 }
        hasChanged(node)
        defer {
            state.withLock { $0.sharings -= 1 }
            hasChanged(node)
        }
        try await run(at: node, events: events)
    }

    /// Plays a further role in the sessions of peers that come, until the task is cancelled.
    func play(_ maker: RoleMaker, at node: Node, events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        let number = state.withLock { state in
            state.next += 1
            state.makers[state.next] = maker
            return state.next
        }
        hasChanged(node)
        defer {
            state.withLock { $0.makers[number] = nil }
            hasChanged(node)
        }
        try await run(at: node, events: events)
    }

    /// Makers of further roles, in the order in which they came.
    var makers: [RoleMaker] { state.withLock { state in state.makers.sorted { $0.key < $1.key }.map(\.value) } }

    /// The ways in which the node receives, in the order of their numbers.
    var routes: [Int: ReceiveRoute] { state.withLock(\.routes) }

    var isSharing: Bool { state.withLock { $0.sharings > 0 } }

    /// What a peer can begin at this node.
    var capabilities: Capabilities {
        state.withLock { state in
            var capabilities: Capabilities = []
            if !state.routes.isEmpty { capabilities.insert(.takes) }
            if state.sharings > 0 { capabilities.insert(.serves) }
            for maker in state.makers.values { capabilities.formUnion(maker.capabilities) }
            return capabilities
        }
    }

    /// One value after changes of ``capabilities``, until the stream is dropped.
    var changes: AsyncStream<Void> {
        let (changes, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.bells[state.next] = bell
            return state.next
        }
        bell.onTermination = { [weak self] _ in self?.state.withLock { $0.bells[number] = nil } }
        return changes
    }

    private func hasChanged(_ node: Node) {
        node.sessions.retire(unless: node.capabilities)
        for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() }
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
            let service = Shared<UInt16> { [unowned self, unowned node] isReady in try await serve(node, isReady) }
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
        defer {
            state.withLock { $0.announcements = [] }
            node.sessions.stopServing()
        }
        let feed = ArrivalFeed()
        defer { feed.end() }
        try await node.listener.with(.peers(advertising.door), arrived: { feed.put($0) }) { port in
            isReady(port)
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { await advertising.run(port: port) }
                tasks.addTask { await node.keepTeams { self.tell(.warning($0)) } }
                for await arrival in feed.arrivals {
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
        let ledger = node.ledger { self.tell(.warning($0)) }
        // Those who receive have been told.
        _ = try? await node.sessions.run(session, at: node, isOpenedHere: false, ledger: ledger)
    }
}

/// One way in which a node receives: from whom, how fast, and into what.
struct ReceiveRoute: Sendable {
    /// Whether a peer of that standing may offer anything.
    var entitled: @Sendable (Standing) -> Bool = { _ in true }
    /// Bytes a second that may come in over one session.
    var rateLimit: UInt64?
    /// Record of the items that came by it; nil keeps none.
    var ledger: (any ReceiptLedger)?
    let events: @Sendable (ReceiveEvent) -> Void
    let receiver: @Sendable (Session, RemotePeer) -> any ItemReceiver
}
