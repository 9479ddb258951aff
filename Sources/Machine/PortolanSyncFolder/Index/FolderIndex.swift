import Foundation
import GRDB
import PortolanSyncPlan
import Synchronization

/// Index of one folder in an SQLite file: records, agreed tree, results of scans, members, and history.
///
/// A transaction survives the end of the process when its call returns, and a loss of power if it is durable. All calls
/// block.
package final class FolderIndex: Sendable {
    /// Part of the index by which its folder is recognised.
    struct Identity: Hashable {
        var marker: Marker
        var device: DeviceID
        var fileSystem: UInt64
        /// True if the folder is expected to have files or folders.
        var hasEntries: Bool
        /// The folder itself; nil if the index does not have it.
        var root: RootIdentity?
    }

    private let lock: IndexLock
    private let queue: DatabaseQueue
    /// Name of this device, for others.
    let author: String
    private let nameRules = Mutex(NameRules())
    private let memory = Memory()

    /// State between transactions.
    // Sendable because it is accessed only inside the database queue, which runs one call at a time.
    private final class Memory: @unchecked Sendable {
        /// State of the index; nil before the first transaction, and after a failed one.
        var state: IndexState?
    }

    /// Opens the file, and creates it if it is missing.
    ///
    /// - Parameter author: name of this device, for new versions.
    package init(path: String, author: String) throws(SyncError) {
        self.author = author
        lock = try IndexLock(path: path + ".lock")
        do {
            try IndexSchema.refuseNewer(path)
            var configuration = Configuration()
            configuration.label = "sync-index"
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { database in
                try database.execute(
                    sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216")
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try IndexSchema.migrator.migrate(queue)
        } catch { throw SyncError.index(error) }
    }

    /// Closes the file, and lets other processes open it.
    package func close() {
        try? queue.close()
        lock.release()
    }

    /// Sets the name rules of the folder's file system.
    func use(_ rules: NameRules) { nameRules.withLock { $0 = rules } }

    // MARK: Epochs

    /// - Returns: nil if no epoch has begun.
    func identity() throws(SyncError) -> Identity? {
        try access { database in
            guard let state = try self.state(database) else { return nil }
            let hasEntries =
                try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE id > 0)") ?? false
            return Identity(
                marker: Marker(epoch: state.replica.epoch, generation: state.generation), device: state.replica.device,
                fileSystem: state.fileSystem, hasEntries: hasEntries, root: try RootIdentity(in: database))
        }
    }

    /// Sets the folder itself, which is another one than before, or known better. Durable.
    func set(_ root: RootIdentity) throws(SyncError) {
        try transact(durably: true) { index in
            try index.transaction.execute(
                "UPDATE folder SET root_birth = ?, root_owner = ?", [root.birth, root.owner.map { Int64($0) }])
            guard var entry = index.entry(.root), entry.handle != root.handle else { return }
            entry.handle = root.handle
            index.set(entry)
        }
    }

    /// Begins an epoch, with no records and no agreed tree. Durable.
    ///
    /// - Parameter time: in nanoseconds since 1970.
    func begin(_ replica: ReplicaID, at time: UInt64, fileSystem: UInt64, root: FileHandleID) throws(SyncError) {
        // An index that cannot be read has none.
        try? transact { $0.keepSeconds() }
        try access(durably: true) { database in
            self.memory.state = nil
            // An epoch is later than the one before, whatever the clock says.
            let last = try Row.fetchOne(database, sql: "SELECT begun FROM folder")?.unsigned("begun") ?? 0
            for table in IndexSchema.tablesOfEpoch { try database.execute(sql: "DELETE FROM \(table)") }
            try database.execute(
                sql: """
                    INSERT INTO folder (id, device, epoch, generation, announced, counter, sequence, last_entry,
                        file_system, begun) VALUES (1, ?, ?, 0, 0, 0, 0, 0, ?, ?)
                    """,
                arguments: [
                    Data(replica.device.bytes), Int64(bitPattern: replica.epoch), Int64(bitPattern: fileSystem),
                    Int64(bitPattern: max(time, last + 1)),
                ])
        }
        try transact { index in
            index.set(
                AgreedEntry(
                    id: .root, parent: .root, name: SyncName(""), kind: .folder, handle: root, form: nil,
                    seen: [SeenVersions(.root)]))
        }
    }

    // MARK: Transactions

    /// Runs a transaction on the index of the present epoch.
    ///
    /// - Parameter isCancellable: true for work of long duration, which fails when the task is cancelled.
    func transact<Value>(
        durably: Bool = false, isCancellable: Bool = false, _ body: (inout StoredIndex) throws -> Value
    ) throws(SyncError) -> Value {
        try access(durably: durably) { database in
            let transaction = try self.begin(database, isCancellable: isCancellable)
            var index = StoredIndex(transaction)
            let value = try body(&index)
            try transaction.finish()
            return value
        }
    }

    private func begin(_ database: Database, isCancellable: Bool = false) throws -> IndexTransaction {
        guard let state = try state(database) else {
            throw SyncError(.index, "The index of the folder has no beginning.")
        }
        return IndexTransaction(
            database, state, author: author, nameRules: nameRules.withLock { $0 }, isCancellable: isCancellable)
    }

    /// Runs look-ups outside of a transaction, for scans; without changes.
    func read<Value>(_ body: (StoredIndex) throws -> Value) throws(SyncError) -> Value {
        do {
            return try queue.writeWithoutTransaction { database in
                let transaction = try self.begin(database)
                let value = try body(StoredIndex(transaction))
                try transaction.check()
                return value
            }
        } catch { throw SyncError.index(error) }
    }

    /// Called inside the database queue.
    private func state(_ database: Database) throws -> IndexState? {
        if memory.state == nil { memory.state = try IndexState(database) }
        return memory.state
    }

    private func access<Value>(
        durably: Bool = false, _ body: (Database) throws -> Value
    ) throws(SyncError) -> Value {
        do {
            return try queue.writeWithoutTransaction { database in
                if durably { try database.execute(sql: "PRAGMA synchronous = FULL") }
                defer { if durably { try? database.execute(sql: "PRAGMA synchronous = NORMAL") } }
                var value: Value?
                do {
                    try database.inTransaction(.immediate) {
                        value = try body(database)
                        return .commit
                    }
                } catch {
                    memory.state = nil
                    throw error
                }
                guard let value else { preconditionFailure("a transaction that was committed without its end") }
                return value
            }
        } catch { throw SyncError.index(error) }
    }
}

extension RootIdentity {
    /// - Returns: nil if the index does not have it.
    init?(in database: Database) throws {
        let sql = """
            SELECT inode, entry.generation, root_birth, root_owner FROM folder, entry WHERE folder.id = 1 AND entry.id = 0
            """
        guard let row = try Row.fetchOne(database, sql: sql) else { return nil }
        self.init(
            handle: FileHandleID(row.unsigned("inode"), generation: row.unsigned("generation")),
            birth: row["root_birth"], owner: (row["root_owner"] as Int64?).map { UInt32(truncatingIfNeeded: $0) })
    }
}
