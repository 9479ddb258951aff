import Foundation
import GRDB
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
    private let changes = Atomic(0)
    /// Time of day.
    var now: Date { clock() }

    /// Opens or creates the file, and brings its schema and its running parcels up to date. Blocks.
    ///
    /// On a full disk, an existing file is opened all the same, and ``isRecovered`` is false.
    ///
    /// - Throws: ``AgentStateError``, `StoreError`
    package init(lock: AgentLock, clock: @escaping @Sendable () -> Date = { Date() }) throws {
        self.lock = lock
        self.clock = clock
        let folder = lock.folder
        var opened: DatabaseQueue?
        var damage = try folder.visibleDamage()
        do {
            if damage == nil { opened = try Self.connect(folder, now: clock()) }
        } catch let error as AgentStateError {
            guard case .damaged(let reason) = error.kind else { throw error }
            damage = reason
        }
        damaged = try damage.map { reason in
            let path = try folder.setAside(at: clock())
            return DamagedState(path: path, reason: reason, parcels: Self.readableParcels(in: path))
        }
        queue = try opened ?? Self.connect(folder, now: clock())
        folder.synchronize()
        do {
            try writeBlocking { [damaged] change in if let damaged { try change.takeOver(damaged) } }
        } catch let error as AgentStateError where error.kind == .full && damaged == nil {}
    }

    /// Number of transactions that have changed the file. Others had nothing to write, and succeed on a full disk, too.
    var changeCount: Int { changes.load(ordering: .acquiring) }

    /// False until something could be written: running parcels of the process before do not wait yet.
    var isRecovered: Bool { hasRecovered.load(ordering: .acquiring) }

    private static func connect(_ folder: StateFolder, now: Date) throws -> DatabaseQueue {
        do {
            return try folder.connect(now: now)
        } catch let error as AgentStateError where error.kind == .full {
            // SQLite has no room for the file of its shared index, which a connection that is alone has in memory.
            return try folder.connect(now: now, isAlone: true)
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
            queue.asyncWrite({ try self.run(body, in: $0, now) }) { _, result in
                continuation.resume(with: self.finish(result))
            }
        }
    }

    /// Runs a transaction on a thread that may block.
    @discardableResult
    package func writeBlocking<Value>(_ body: (AgentTransaction) throws -> Value) throws -> Value {
        let now = clock()
        let result = Result { try queue.write { try run(body, in: $0, now) } }
        return try finish(result).get()
    }

    /// - Returns: the value, and whether the journal has new entries, and whether anything was written.
    private func run<Value>(
        _ body: (AgentTransaction) throws -> Value, in database: Database, _ now: Date
    ) throws -> (Value, Bool, Bool) {
        let change = try begin(database, now)
        return (try body(change), change.hasAppended, change.hasChanged)
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

    private func finish<Value>(_ result: Result<(Value, Bool, Bool), any Error>) -> Result<Value, any Error> {
        result.map { value, hasAppended, hasChanged in
            if hasChanged { changes.add(1, ordering: .releasing) }
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
}

/// A transaction: its time, and the parts of the state.
package final class AgentTransaction {
    /// Time of all rows and journal entries of this transaction.
    package let now: Date
    let database: Database
    /// True if the followers of the journal must be woken after the commit.
    var hasAppended = false
    private let changesBefore: Int

    init(_ database: Database, now: Date) {
        self.database = database
        changesBefore = database.totalChangesCount
        self.now = now
    }

    /// True if it has changed a row.
    var hasChanged: Bool { database.totalChangesCount != changesBefore }

    package var journal: Journal { Journal(transaction: self) }
    package var outbox: Outbox {
        Outbox(database: database, now: now) { try self.journal.append($0, transfer: $1, peer: $2, values: $3) }
    }
    package var ledger: Ledger { Ledger(transaction: self) }
    package var inbox: InboxRecords { InboxRecords(transaction: self) }
    package var quota: Quota { Quota(transaction: self) }
    package var shared: SharedItems { SharedItems(transaction: self) }
}
