import Foundation
import NIOCore
import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanTrust
import Synchronization

/// The agent of one home: receives by its owner's policy, delivers the outbox, shares what is on its shelf, keeps folders
/// alike, keeps the journal, and serves the local API.
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
    let shelf: KeptShelf
    let copies: OutboxCopies
    let keeping: FolderKeeping
    let version: String
    let host: AgentHost
    /// Whether an attempt to write outside the permitted folders failed.
    package let isConfined: Bool
    let started = Date()
    private let journal: EventJournal
    private let reception: Reception
    private let (stops, stopping) = AsyncStream.makeStream(of: Void.self)
    /// nil if nobody would start it again.
    private let restart: RestartRequest?
    /// nil as long as nobody has asked it to end.
    private let end = Mutex<AgentEnd?>(nil)
    /// Faults of the state; nil when one is over.
    let (troubles, troubling) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(64))

    /// Time for answers of the local API that are under way when the agent stops.
    private static let grace = TimeAmount.seconds(1)
    /// Time that a session with a peer is kept when nothing is going on in it.
    private static let idleTime = Duration.seconds(60)

    /// Takes the home's agent lock, opens its state, and loads its policy.
    ///
    /// - Parameters:
    ///   - host: what the process is set up with.
    ///   - syncAddresses: `host:port` of peers to synchronize folders with besides those in sight.
    ///   - clock: the time of day, by which the state dates what happens and what is over.
    ///   - warn: told of what the owner should know, a sentence.
    /// - Throws: ``AgentStateError`` where another agent runs or the state cannot be used, ``PolicyError`` for a policy
    ///   that is not loaded, `StoreError`.
    package init(
        settings: Settings, node configuration: Node.Configuration, version: String,
        host: AgentHost = AgentHost(), syncAddresses: [String] = [],
        clock: @escaping @Sendable () -> Date = { Date() },
        warn: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.version = version
        self.host = host
        isConfined = await withLookupThread { host.confinement?.holds() ?? false }
        let home = settings.home
        policy = try await withLookupThread { () throws in try PolicyStore(home: home) }
        database = try await withLookupThread { () throws in
            // Makes the folder, and those above it, closed to others.
            _ = try PrivateDirectory(path: home.state + "/agent")
            return try AgentDatabase(lock: AgentLock(folder: home.state + "/agent"), clock: clock)
        }
        if let damaged = database.damaged {
            warn(
                "The agent's state was damaged (\(damaged.reason)). It is kept as \(damaged.path), and a new one is used."
            )
        }
        var configuration = configuration
        configuration.idleTime = Self.idleTime
        node = try await Node(configuration)
        health = StateHealth { [troubling] trouble in
            if let trouble { warn(trouble) }
            troubling.yield(trouble)
        }
        journal = EventJournal(database, health)
        dispatcher = Dispatcher(node: node, settings: settings, database: database, health: health, journal: journal)
        deadlines = InboxDeadlines(database: database, health: health) { [dispatcher] peer in
            await dispatcher.knock(at: peer)
        }
        copies = await withLookupThread { [database] in OutboxCopies(home.state + "/agent", database) }
        shelf = KeptShelf(node: node, database: database, health: health)
        restart = host.restartStatus == nil ? nil : RestartRequest()
        let reach = FolderReach(host: host, isConfined: isConfined)
        keeping = FolderKeeping(
            node, home: home, addresses: syncAddresses, journal: journal, hold: { await reach.hold(on: $0) },
            restart: restart, warn: warn)
        reception = Reception(
            node: node, settings: settings, database: database, policy: policy, health: health, journal: journal,
            dispatcher: dispatcher, deadlines: deadlines)
    }

    /// Folder of the agent's state.
    var stateFolder: String { settings.home.state + "/agent" }

    /// Runs until the task is cancelled, ``stop()`` is called, or it has to be started again. The agent cannot be run again.
    ///
    /// - Parameters:
    ///   - socket: path of the local API.
    ///   - ready: called when the local API can be used.
    /// - Returns: ``AgentEnd/forRestart`` only where the host says that this process is started again.
    /// - Throws: ``APISocketError`` or `AgentClientError` for a socket that cannot be used, `NodeError` for an inbox or a
    ///   port that cannot be.
    @discardableResult
    package func run(socket: String, ready: @escaping @Sendable () -> Void) async throws -> AgentEnd {
        let outcome = await Result { try await serve(socket, ready) }
        await host.manager?.tell(.stopping)
        await node.close()
        _ = try? await database.write { try $0.journal.append(.agentStopped, values: [:]) }
        await withLookupThread { database.close() }
        try outcome.get()
        return Task.isCancelled ? .stopped : end.withLock(\.self) ?? .stopped
    }

    private func serve(_ socket: String, _ ready: @Sendable () -> Void) async throws {
        let server = try await APIServer.start(actions: AgentService(agent: self), socket: socket)
        let version = version
        let watching = watchForManager()
        defer { watching?.cancel() }
        let outcome = await Result {
            _ = try await database.write {
                try $0.journal.append(.agentStarted, values: ["version": .text(version)])
            }
            ready()
            await host.manager?.tell(.ready(Self.runningStatus))
            try await work()
        }
        let isForRestart = !Task.isCancelled && end.withLock { $0 == .forRestart }
        await server.stop(grace: Self.grace, isForRestart: isForRestart)
        try outcome.get()
    }

    /// Does everything side by side until one part ends.
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
                if let restart = self.restart {
                    tasks.addTask {
                        try await restart.run()
                        self.end.withLock { $0 = $0 ?? .forRestart }
                    }
                }
                defer { tasks.cancelAll() }
                try await tasks.next()
            }
        }
        // To stop is no failure.
        do { try outcome.get() } catch is CancellationError {}
    }

    /// Has ``run(socket:ready:)`` end.
    package func stop() {
        end.withLock { $0 = .stopped }
        stopping.yield()
    }

    /// Loads the policy again, and looks whether there are folders to keep alike.
    @discardableResult
    package func reload() async -> PolicyReload {
        await host.manager?.tell(.reloading)
        keeping.wake()
        let problems = await withLookupThread { [policy] in
            do throws(PolicyError) {
                try policy.reload()
                return [String]()
            } catch {
                return error.problems
            }
        }
        journal.append(
            .init(
                kind: problems.isEmpty ? .policyLoaded : .policyRefused,
                values: problems.isEmpty ? [:] : ["problems": .texts(problems)]))
        await host.manager?.tell(.ready(problems.isEmpty ? Self.runningStatus : "The old policy stays in force."))
        return PolicyReload(problems: problems, remarks: await foldersOutOfReach())
    }

    // MARK: - Retention

    /// Removes, every hour, what is no longer kept.
    private func keepHouse() async {
        while !Task.isCancelled {
            _ = try? await health.writing {
                try await database.trimJournal()
                try await prune()
            }
            await copies.removeOrphans()
            try? await Task.sleep(for: .seconds(3600))
        }
    }

    /// Days that ended parcels and items of the inbox are kept.
    private static let recordDays = 90.0
    /// Days that an item is recognised for when it is sent again: more than any parcel waits.
    private static let ledgerDays = 400.0

    private func prune() async throws {
        let batch = 500
        var removed = batch
        while removed >= batch, !Task.isCancelled {
            removed = try await database.write { change in
                let records = change.now.addingTimeInterval(-Self.recordDays * 86_400)
                return max(
                    try change.outbox.prune(before: records, limit: batch),
                    try change.inbox.prune(before: records, limit: batch),
                    try change.ledger.prune(
                        before: change.now.addingTimeInterval(-Self.ledgerDays * 86_400), limit: batch))
            }
        }
    }
}

extension Result where Failure == any Error {
    /// Outcome of an asynchronous call.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
