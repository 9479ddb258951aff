import Foundation
import GRDB
import PortolanSyncPlan

/// A transaction on the index. A failed look-up returns an empty result, and the transaction fails at its end.
final class IndexTransaction {
    let database: Database
    let state: IndexState
    let author: String
    let nameRules: NameRules
    private var failure: (any Error)?
    /// True if the transaction fails when the task is cancelled: its work may take long.
    private let isCancellable: Bool

    /// Rows that were read or written in this transaction; nil for nodes that have none.
    var records: [NodeID: NodeRecord?] = [:]
    var entries: [EntryID: AgreedEntry] = [:]
    let presence = PresenceMemory()
    /// Replica whose announcement is merged, and the time, in seconds since 1970; nil for changes here.
    var teller: (replica: ReplicaID, time: Int64)?
    /// Largest number of cached rows of each kind.
    static let maximumKept = 4096

    init(
        _ database: Database, _ state: IndexState, author: String, nameRules: NameRules, isCancellable: Bool = false
    ) {
        self.isCancellable = isCancellable
        self.database = database
        self.state = state
        self.author = author
        self.nameRules = nameRules
    }

    func attempt<Result>(_ otherwise: Result, _ body: () throws -> Result) -> Result {
        if failure != nil { return otherwise }
        do {
            if isCancellable { try Task.checkCancellation() }
            return try body()
        } catch {
            failure = error
            return otherwise
        }
    }

    /// - Throws: the error of the first failed look-up.
    func check() throws {
        if let failure { throw failure }
    }

    func finish() throws {
        try check()
        try state.store(database)
    }

    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Returns the first row, converted by `read`; nil if there is none. Columns are read by their numbers: names cost
    /// more than the row.
    func first<Value>(
        _ sql: String, _ arguments: StatementArguments = [], _ read: (Row) throws -> Value
    ) throws -> Value? {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        // The row is valid only as long as the cursor.
        return try withExtendedLifetime(rows) { try rows.next().map(read) }
    }

    /// Returns all rows, converted by `read`, which makes no queries itself.
    func all<Value>(
        _ sql: String, _ arguments: StatementArguments = [], _ read: (Row) throws -> Value
    ) throws -> [Value] {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }

    /// Returns the key of a node; nil if no replica of the index can have made it.
    func key(_ node: NodeID) -> Data? {
        state.replicas.knownNumber(of: node.creation.replica) == nil ? nil : newKey(node)
    }

    func newKey(_ node: NodeID) -> Data { Data(state.replicas.key(node)) }

    /// Returns the nodes whose keys are in the first column.
    func nodes(_ sql: String, _ arguments: StatementArguments = []) throws -> [NodeID] {
        try all(sql, arguments) { try state.replicas.node($0.bytes(0)) }
    }
}

/// Index of a folder within one transaction. Copies share it.
struct StoredIndex: SyncIndex {
    let transaction: IndexTransaction

    init(_ transaction: IndexTransaction) { self.transaction = transaction }

    private var state: IndexState { transaction.state }

    var replica: ReplicaID { state.replica }
    var author: String { transaction.author }
    var nameRules: NameRules { transaction.nameRules }
    var presence: PresenceMemory? { transaction.presence }
    var sequence: UInt64 { state.sequence }

    var counter: UInt64 {
        get { state.counter }
        nonmutating set { state.counter = newValue }
    }

    var generation: UInt64 {
        get { state.generation }
        nonmutating set { state.generation = newValue }
    }

    var announced: UInt64 {
        get { state.announced }
        nonmutating set { state.announced = newValue }
    }

    var dirty: Set<NodeID> { state.dirty.nodes }

    func mark(_ nodes: some Sequence<NodeID>) { for node in nodes { state.dirty.insert(node) } }

    func settle(_ nodes: some Sequence<NodeID>) { for node in nodes { state.dirty.remove(node) } }

    var recentDeletions: [RecentDeletions] {
        get { state.deletions }
        nonmutating set { state.deletions = newValue }
    }

    var cycleBreakers: Set<NodeID> {
        get { state.breakers }
        nonmutating _modify {
            state.hasChangedBreakers = true
            yield &state.breakers
        }
    }
}

// MARK: - Records

extension StoredIndex {
    func record(_ node: NodeID) -> NodeRecord? {
        if let record = transaction.records[node] { return record }
        return transaction.attempt(nil) {
            guard let key = transaction.key(node) else { return nil }
            let record = try transaction.first("SELECT record FROM node WHERE id = ?", [key]) {
                try state.replicas.record(node, $0.bytes(0))
            }
            keep(record, of: node)
            return record
        }
    }

    private func keep(_ record: NodeRecord?, of node: NodeID) {
        if transaction.records.count >= IndexTransaction.maximumKept { transaction.records = [:] }
        transaction.records.updateValue(record, forKey: node)
    }

    func sequence(of node: NodeID) -> UInt64? {
        transaction.attempt(nil) {
            guard let key = transaction.key(node) else { return nil }
            return try transaction.first("SELECT sequence FROM node WHERE id = ?", [key]) { $0.unsigned(0) }
        }
    }

    func store(_ record: NodeRecord, isNews: Bool) {
        let before = self.record(record.id)
        if isNews { state.sequence += 1 }
        transaction.attempt(()) {
            guard let place = record.place else { throw SyncError.damagedIndex }
            try transaction.execute(
                """
                INSERT INTO node VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET sequence = excluded.sequence,
                    is_deleted = excluded.is_deleted, parent = excluded.parent, name = excluded.name,
                    record = excluded.record
                """,
                [
                    transaction.newKey(record.id), Int64(bitPattern: state.sequence), record.isDeleted,
                    transaction.newKey(place.parent), Data(place.name.text.utf8), Data(state.replicas.blob(record)),
                ])
            try transaction.setMarks(of: record, after: before)
            try transaction.noteArrival(of: record, after: before)
            keep(record, of: record.id)
        }
    }

    func hasLivingChild(_ folder: NodeID) -> Bool {
        transaction.attempt(false) {
            guard let key = transaction.key(folder) else { return false }
            return try transaction.first(
                "SELECT EXISTS (SELECT 1 FROM node WHERE parent = ? AND NOT is_deleted)", [key]
            ) { $0[0] } ?? false
        }
    }

    func drop(_ node: NodeID) {
        keep(nil, of: node)
        transaction.presence.forgetAll()
        transaction.attempt(()) {
            guard let key = transaction.key(node) else { return }
            try transaction.execute("DELETE FROM node WHERE id = ?", [key])
            try transaction.execute("DELETE FROM node_mark WHERE node = ?", [key])
            try transaction.execute("DELETE FROM arrival WHERE node = ?", [key])
        }
        state.dirty.remove(node)
        if state.breakers.contains(node) { cycleBreakers.remove(node) }
    }

    func children(of folder: NodeID) -> [NodeID] {
        transaction.attempt([]) {
            guard let key = transaction.key(folder) else { return [] }
            return try transaction.nodes("SELECT id FROM node WHERE parent = ? ORDER BY sequence", [key])
        }
    }

    func children(of folder: NodeID, named name: SyncName) -> [NodeID] {
        children(of: folder, named: name, limit: -1)
    }

    /// - Parameter limit: largest number of nodes; negative for all.
    func children(of folder: NodeID, named name: SyncName, limit: Int) -> [NodeID] {
        transaction.attempt([]) {
            guard let key = transaction.key(folder) else { return [] }
            return try transaction.nodes(
                "SELECT id FROM node WHERE parent = ? AND name = ? ORDER BY sequence LIMIT ?",
                [key, Data(name.text.utf8), limit])
        }
    }

    func records(since sequence: UInt64) -> [NodeRecord] {
        transaction.attempt([]) {
            try transaction.all(
                "SELECT id, record FROM node WHERE sequence > ? ORDER BY sequence", [Int64(bitPattern: sequence)]
            ) { row in
                try state.replicas.record(try state.replicas.node(row.bytes(0)), row.bytes(1))
            }
        }
    }

    var tombstones: [NodeID] {
        transaction.attempt([]) {
            try transaction.nodes("SELECT id FROM node WHERE is_deleted ORDER BY sequence")
        }
    }
}
