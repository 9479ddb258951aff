import NIOCore
import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanSettings

/// The agent of one home: receives by its owner's policy, delivers the outbox, shares the items on its shelf,
/// synchronizes folders, keeps the journal, and serves the local API.
///
/// ```swift
/// let agent = try await Agent(settings: settings, node: settings.node(), version: "1.0") { print($0) }
/// try await agent.run(socket: path) { print("ready") }
/// ```
package final class Agent: Sendable {
    let settings: Settings
    let node: Node
    let database: AgentDatabase
    let policy: PolicyStore
    let health: StateHealth
    let dispatcher: Dispatcher
    let deadlines: InboxDeadlines
    let shelf: StoredShelf
    let copies: OutboxCopies
    let keeping: FolderSynchronizer
    let version: String
    /// Service manager to notify; nil for none.
    let manager: ServiceManager?
    let started = Date()
    private let journal: EventJournal
    let reception: AgentReceiver
    private let (stops, stopping) = AsyncStream.makeStream(of: Void.self)
    /// Stream of faults of the state; nil for the end of one.
    let (troubles, troubling) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(64))

    /// Time for pending answers of the local API when the agent stops.
    private static let grace = TimeAmount.seconds(1)
    /// Time for which an idle session with a peer is kept.
    private static let idleTime = Duration.seconds(60)

    /// Takes the home's agent lock, opens its state, and loads its policy.
    ///
    /// - Parameters:
    ///   - manager: service manager to notify; nil for none.
    ///   - syncAddresses: `host:port` of peers to synchronize folders with, in addition to visible ones.
    ///   - clock: time of day, for dates and expiries in the state.
    ///   - warn: receives warnings for the owner, a sentence each.
    /// - Throws: ``AgentStateError`` if another agent runs or the state cannot be used, `StoreError`.
    package init(
        settings: Settings, node configuration: Node.Configuration, version: String,
        manager: ServiceManager? = nil, syncAddresses: [String] = [],
        clock: @escaping @Sendable () -> Date = { Date() },
        warn: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.version = version
        self.manager = manager
        let home = settings.home
        policy = await withLookupThread { PolicyStore(startingIn: home) }
        database = try await withLookupThread { () throws in
            try AgentDatabase(lock: AgentLock(folder: home.state + "/agent"), clock: clock)
        }
        if let damaged = database.damaged {
            warn(damaged.sentence)
        }
        var configuration = configuration
        configuration.idleTime = Self.idleTime
        node = try await Node(configuration)
        health = StateHealth(changes: { [database] in database.changeCount }) { [troubling] trouble in
            if let trouble { warn(trouble) }
            troubling.yield(trouble)
        }
        journal = EventJournal(database, health)
        dispatcher = Dispatcher(node: node, settings: settings, database: database, health: health, journal: journal)
        deadlines = InboxDeadlines(database: database, health: health) { [dispatcher] peer in
            await dispatcher.knock(at: peer)
        }
        copies = await withLookupThread { [database] in
            OutboxCopies(home.state + "/agent", database, without: home.ownFiles)
        }
        shelf = StoredShelf(node: node, database: database, health: health)
        keeping = FolderSynchronizer(node, home: home, addresses: syncAddresses, journal: journal, warn: warn)
        reception = AgentReceiver(
            node: node, settings: settings, database: database, policy: policy, health: health, journal: journal,
            dispatcher: dispatcher, deadlines: deadlines)
    }

    /// Reasons why the policy, or a newer one, is not in force.
    package var policyProblems: [String] { policy.loaded.problems }

    /// Folder of the agent's state.
    var stateFolder: String { settings.home.state + "/agent" }

    /// Runs until the task is cancelled, or ``stop()`` is called. An agent runs only once.
    ///
    /// - Parameters:
    ///   - socket: path of the local API.
    ///   - ready: called when the local API can be used.
    /// - Throws: ``APISocketError`` or `AgentClientError` for a socket that cannot be used, `NodeError` for an inbox
    ///   or a port that cannot be used.
    package func run(socket: String, ready: @escaping @Sendable () -> Void) async throws {
        let outcome = await Result { try await serve(socket, ready) }
        await manager?.tell(.stopping)
        await node.close()
        _ = try? await database.write { try $0.journal.append(.agentStopped, values: [:]) }
        await withLookupThread { database.close() }
        try outcome.get()
    }

    private func serve(_ socket: String, _ ready: @Sendable () -> Void) async throws {
        let server = try await APIServer.start(actions: AgentOperations(agent: self), socket: socket)
        let version = version
        let watching = watchForManager()
        defer { watching?.cancel() }
        let outcome = await Result {
            do {
                _ = try await health.writing { [database] in
                    try await database.write {
                        try $0.journal.append(.agentStarted, values: ["version": .text(version)])
                    }
                }
            } catch let error as AgentStateError where error.kind == .full {}
            let problems = policy.loaded.problems
            if !problems.isEmpty { journal.append(.init(kind: .policyRefused, values: ["problems": .texts(problems)])) }
            ready()
            await manager?.tell(.ready(runningStatus))
            try await work()
        }
        await server.stop(grace: Self.grace)
        try outcome.get()
    }

    /// Runs all parts concurrently until one of them ends.
    private func work() async throws {
        let outcome = await Result {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await self.journal.run() }
                tasks.addTask { try await self.reception.run() }
                tasks.addTask { try await self.dispatcher.run() }
                tasks.addTask { await self.deadlines.run() }
                tasks.addTask { try await self.shelf.run() }
                tasks.addTask { await self.keeping.run() }
                tasks.addTask { await self.keepHouse() }
                tasks.addTask { await self.copies.run() }
                tasks.addTask { await self.followTrouble() }
                tasks.addTask { for await _ in self.stops { return } }
                defer { tasks.cancelAll() }
                try await tasks.next()
            }
        }
        // A cancellation is no failure.
        do { try outcome.get() } catch is CancellationError {}
    }

    /// Ends ``run(socket:ready:)``.
    package func stop() { stopping.yield() }

    /// Loads the policy again.
    @discardableResult
    package func reload() async -> PolicyReload {
        await manager?.tell(.reloading)
        let problems = await withLookupThread { [policy] in
            do throws(PolicyError) {
                try policy.reload()
                return [String]()
            } catch {
                return error.problems
            }
        }
        if problems.isEmpty { await reception.makeFolders() }
        journal.append(
            .init(
                kind: problems.isEmpty ? .policyLoaded : .policyRefused,
                values: problems.isEmpty ? [:] : ["problems": .texts(problems)]))
        if problems.isEmpty {
            // Their senders offer again what waits, and the policy may accept it now.
            let peers = try? await database.read { change in
                Set(try change.inbox.list(InboxFilter(states: [.waiting], limit: .max)).map(\.peer))
            }
            for peer in peers ?? [] { await dispatcher.knock(at: peer) }
        }
        let isOld = !problems.isEmpty && policy.loaded.isInForce
        await manager?.tell(.ready(isOld ? "The old policy stays in force." : runningStatus))
        let remarks = await withLookupThread { [policy, home = settings.home] in policy.current.remarks(in: home) }
        return PolicyReload(problems: problems, remarks: problems.isEmpty ? remarks : [])
    }

    /// Removes expired records at the start and every hour.
    private func keepHouse() async {
        var last: ContinuousClock.Instant?
        while !Task.isCancelled {
            let now = ContinuousClock.now
            let ran = last.map { now - $0 }
            last = now
            _ = try? await health.writing { try await database.removeExpired(ran: ran) }
            await copies.removeOrphans()
            try? await Task.sleep(for: .seconds(3600))
        }
    }
}
