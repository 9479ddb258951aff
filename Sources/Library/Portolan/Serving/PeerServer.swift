import PortolanTransport
import Synchronization

/// Serves incoming peers of a node: one advertisement and one listener for all receptions and shared items of this
/// process.
final class PeerServer: Sendable {
    private struct State {
        var next = 0
        /// Announcements that later watchers receive, too.
        var announcements: [ReceiveEvent] = []
        var watchers: [Int: @Sendable (ReceiveEvent) -> Void] = [:]
    }

    private static let mostAnnouncements = 32

    private let environment: NodeEnvironment
    private let duties: NodeDuties
    private let sessions: NodeSessions
    private let listener: NodeListener
    private let state = Mutex(State())
    private let running: Mutex<SharedResource<Void>?> = Mutex(nil)

    init(in environment: NodeEnvironment, doing duties: NodeDuties, sessions: NodeSessions, listener: NodeListener) {
        self.environment = environment
        self.duties = duties
        self.sessions = sessions
        self.listener = listener
    }

    /// Receives by a route until the task is cancelled.
    ///
    /// - Throws: `NodeError` when the port cannot be used, or the node hides from all but its teams and is in none.
    func receive(by route: ReceiveRoute) async throws {
        let number = begin(.receiving(route))
        defer { end(number) }
        do {
            try await run(events: route.events)
        } catch {
            duties.remove(number)
            await sessions.end(receivingBy: number)
            throw error
        }
    }

    /// Answers lists and requests of peers, until the task is cancelled.
    func share(events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        let number = begin(.sharing)
        defer { end(number) }
        try await run(events: events)
    }

    /// Plays a further role in the sessions of incoming peers, until the task is cancelled.
    func play(_ maker: RoleMaker, events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        let number = begin(.role(maker))
        defer { end(number) }
        try await run(events: events)
    }

    private func begin(_ duty: NodeDuties.Duty) -> Int {
        let number = duties.add(duty)
        tellOfChange()
        return number
    }

    private func end(_ number: Int) {
        duties.remove(number)
        tellOfChange()
    }

    private func tellOfChange() {
        sessions.retire(unless: duties.capabilities)
        duties.bells.ring()
    }

    private func run(events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        try await service().with { _ in
            // Read only now, since the announcements of an ending service are not valid any more.
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

    private func service() -> SharedResource<Void> {
        running.withLock { running in
            if let running { return running }
            let service = SharedResource<Void> { [unowned self] isReady in try await serve(isReady) }
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

    private func serve(_ isReady: @escaping @Sendable (()) -> Void) async throws {
        let changes = environment.bells.changes
        let removals = await sessions.removals() ?? [:]
        let advertising = try await ReceiverAdvertiser(in: environment, of: duties) { self.tell($0) }
        defer {
            state.withLock { $0.announcements = [] }
            sessions.stopServing()
        }
        let feed = ArrivalFeed()
        defer { feed.end() }
        try await listener.with(.peers(advertising.door), arrived: { feed.put($0) }) { place in
            isReady(())
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { await self.run(advertising, at: place, until: changes) }
                tasks.addTask { await self.sessions.followTeams(since: removals) }
                tasks.addTask { await self.environment.keepTeams { self.tell(.warning($0)) } }
                for await arrival in feed.arrivals {
                    switch arrival {
                    case .session(let session): tasks.addTask { await self.serve(session) }
                    case .refused(let address, let reason): self.tell(.refused(address: address, reason: reason))
                    }
                }
                tasks.cancelAll()
            }
        }
    }

    /// Runs the advertising; after each change of the configuration it is replaced, until the task is cancelled.
    /// Sessions continue.
    private func run(
        _ first: ReceiverAdvertiser, at place: NodeListener.Place, until firstChanges: AsyncStream<Void>
    ) async {
        var current: (advertising: ReceiverAdvertiser, changes: AsyncStream<Void>) = (first, firstChanges)
        while true {
            let next = await withTaskGroup(of: (ReceiverAdvertiser, AsyncStream<Void>)?.self) { [current] tasks in
                defer { tasks.cancelAll() }
                tasks.addTask {
                    await current.advertising.run(at: place)
                    await untilCancelled()
                    return nil
                }
                tasks.addTask { await self.renewed(current.advertising, at: place, after: current.changes) }
                return await tasks.next() ?? nil
            }
            guard let next else { return }
            current = next
        }
    }

    /// Waits for a change of the configuration, and applies it to the entrance.
    ///
    /// - Returns: the new advertising, and later changes of the configuration; nil when the task is cancelled.
    private func renewed(
        _ advertising: ReceiverAdvertiser, at place: NodeListener.Place, after changes: AsyncStream<Void>
    ) async -> (ReceiverAdvertiser, AsyncStream<Void>)? {
        for await _ in changes {
            let further = environment.bells.changes
            do {
                let renewed = try await advertising.renewed()
                place.replaceEntrance(.peers(renewed.door))
                forgetAnnouncements()
                return (renewed, further)
            } catch {
                tell(.warning("Others find this device as before: \(error)"))
            }
        }
        return nil
    }

    /// Removes announcements about the node's discovery that no longer hold.
    private func forgetAnnouncements() {
        state.withLock { state in
            state.announcements.removeAll {
                switch $0 {
                case .listening, .renamed: true
                default: false
                }
            }
        }
    }

    private func serve(_ session: Session) async {
        let ledger = environment.ledger { self.tell(.warning($0)) }
        // Errors have been reported to the watchers.
        _ = try? await sessions.run(session, isOpenedHere: false, ledger: ledger)
    }
}
