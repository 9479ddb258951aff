import Foundation
import GRDB
import PortolanSync
import Synchronization

/// The agent's state: one SQLite file, in which a transaction is durable before its call returns.
///
/// ```swift
/// let lock = try AgentLock(folder: path)
/// let database = try AgentDatabase(lock: lock)
/// let cursor = try await database.write { change in
///     try change.outbox.add(parcel)
/// }
/// ```
package final class AgentDatabase: Sendable {
    /// Damaged file that was renamed when this database was opened.
    package let damaged: DamagedState?
    let signals = JournalSignals()
    private let lock: AgentLock
    private let queue: DatabaseQueue
    private let clock: @Sendable () -> Date
    /// True after the first transaction that was written, with which the running parcels of the process before wait.
    private let hasRecovered = Atomic(false)
    /// Time of day.
    var now: Date { clock() }

    /// Opens or creates the file, and brings its schema and its running parcels up to date. Blocks.
    ///
    /// On a full disk, an existing file is opened all the same, and ``isRecovered`` is false.
    ///
    /// - Throws: ``AgentStateError``
    package init(lock: AgentLock, clock: @escaping @Sendable () -> Date = { Date() }) throws(AgentStateError) {
        self.lock = lock
        self.clock = clock
        let folder = lock.folder
        let opened: DatabaseQueue?
        var damage = try folder.visibleDamage()
        do {
            opened = try damage == nil ? Self.connect(folder, now: clock()) : nil
        } catch {
            guard case .damaged(let reason) = error.kind else { throw error }
            opened = nil
            damage = reason
        }
        if let opened {
            queue = opened
            damaged = nil
        } else {
            let path = try folder.setAside(at: clock())
            damaged = DamagedState(
                path: path, reason: damage ?? "it cannot be read", parcels: Self.readableParcels(in: path))
            queue = try Self.connect(folder, now: clock())
        }
        folder.synchronize()
        do {
            try writeBlocking { [damaged] change in if let damaged { try change.takeOver(damaged) } }
        } catch {
            let failure = stateError(error)
            guard failure.kind == .full, damaged == nil else { throw failure }
        }
    }

    /// False until something could be written: running parcels of the process before do not wait yet.
    var isRecovered: Bool { hasRecovered.load(ordering: .acquiring) }

    private static func connect(_ folder: StateFolder, now: Date) throws(AgentStateError) -> DatabaseQueue {
        do throws(AgentStateError) {
            return try connect(folder, now: now, isAlone: false)
        } catch {
            // SQLite has no room for the file of its shared index, which a connection that is alone has in memory.
            guard error.kind == .full else { throw error }
            return try connect(folder, now: now, isAlone: true)
        }
    }

    private static func connect(
        _ folder: StateFolder, now: Date, isAlone: Bool
    ) throws(AgentStateError) -> DatabaseQueue {
        try folder.makeDatabase()
        var configuration = Configuration()
        configuration.label = "agent-state"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            if isAlone { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216")
        }
        // Cursors of an earlier file are below those of a new one, if there were fewer than 1,000 entries a second.
        let migrator = AgentSchema.migrator(start: max(0, now.milliseconds))
        do {
            guard try isAlone || !migrator.hasBeenSuperseded(at: folder.database) else {
                throw AgentStateError(.newer, path: folder.database)
            }
            let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
            do {
                guard try !isAlone || !queue.read({ try migrator.hasBeenSuperseded($0) }) else {
                    throw AgentStateError(.newer, path: folder.database)
                }
                if folder.isMarkedDamaged {
                    let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
                    guard answer == "ok" else {
                        throw AgentStateError(.damaged(reason: answer ?? "no answer"), path: folder.database)
                    }
                    folder.removeDamageMark()
                }
                try migrator.migrate(queue)
                try queue.read { try AgentSchema.check($0) }
                folder.removeCreationMark()
            } catch {
                try? queue.close()
                throw error
            }
            return queue
        } catch let error as AgentStateError {
            throw error
        } catch let error as DatabaseError {
            throw AgentStateError(error, path: folder.database)
        } catch {
            throw AgentStateError(.system(action: "open", reason: "\(error)"), path: folder.database)
        }
    }

    /// Ends all followers, closes the file, and releases the lock. Blocks.
    package func close() {
        signals.finish()
        try? queue.close()
        lock.release()
    }

    // MARK: - Transactions

    /// Runs one transaction, which is durable when this returns, and wakes the followers of the journal.
    ///
    /// Cancelling the task has no effect here, so that outcomes are recorded even while the agent stops.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (AgentTransaction) throws -> Value
    ) async throws -> Value {
        let now = clock()
        return try await withCheckedThrowingContinuation { continuation in
            queue.asyncWrite({ database in
                let change = try self.begin(database, now)
                return (try body(change), change.hasAppended)
            }) { _, result in
                continuation.resume(with: self.finish(result))
            }
        }
    }

    /// Runs a transaction on a thread that may block.
    @discardableResult
    package func writeBlocking<Value>(_ body: (AgentTransaction) throws -> Value) throws -> Value {
        let now = clock()
        let result = Result {
            try queue.write { database in
                let change = try self.begin(database, now)
                return (try body(change), change.hasAppended)
            }
        }
        return try finish(result).get()
    }

    /// Reads in one transaction, which sees all earlier writes.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (AgentTransaction) throws -> Value
    ) async throws -> Value {
        let now = clock()
        return try await withCheckedThrowingContinuation { continuation in
            queue.asyncRead { result in
                let value = Result { try body(AgentTransaction(result.get(), now: now)) }
                continuation.resume(with: value.mapError { self.readable($0) })
            }
        }
    }

    /// Begins a transaction that is to be written.
    private func begin(_ database: Database, _ now: Date) throws -> AgentTransaction {
        let change = AgentTransaction(database, now: now)
        if !isRecovered { try change.outbox.recover() }
        return change
    }

    private func finish<Value>(_ result: Result<(Value, Bool), any Error>) -> Result<Value, any Error> {
        result.map { value, hasAppended in
            hasRecovered.store(true, ordering: .releasing)
            if hasAppended { signals.wake() }
            return value
        }.mapError { readable($0) }
    }

    /// Converts errors of SQLite to errors of the state; others are returned unchanged.
    private func readable(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let readable = AgentStateError(error, path: lock.folder.database)
        if case .damaged = readable.kind { lock.folder.markDamage() }
        return readable
    }

    private func stateError(_ error: any Error) -> AgentStateError {
        error as? AgentStateError
            ?? AgentStateError(.system(action: "open", reason: "\(error)"), path: lock.folder.database)
    }
}

/// A transaction: its time, and the parts of the state.
package final class AgentTransaction {
    /// Time of all rows and journal entries of this transaction.
    package let now: Date
    let database: Database
    /// True if the followers of the journal must be woken after the commit.
    var hasAppended = false

    init(_ database: Database, now: Date) {
        self.database = database
        self.now = now
    }

    package var journal: Journal { Journal(transaction: self) }
    package var outbox: Outbox { Outbox(transaction: self) }
    package var ledger: Ledger { Ledger(transaction: self) }
    package var inbox: InboxRecords { InboxRecords(transaction: self) }
    package var quota: Quota { Quota(transaction: self) }
    package var shared: SharedItems { SharedItems(transaction: self) }
}
