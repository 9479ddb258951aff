import Foundation
import GRDB
import PortolanSyncPlan

/// A replaced or deleted file in the history folder.
package struct HistoryRecord: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
        case replaced, deleted
        /// Found in the staging or the history folder after the process had ended during a step.
        case found
    }

    /// Row number; zero before the record is stored.
    package var id: Int64 = 0
    /// Time, in seconds since 1970.
    package var at: Int64
    /// Path in the folder; empty if it is not known.
    package var path: String
    package var kind: NodeKind
    /// Name in the history folder.
    package var file: String
    package var digest: ContentDigest?
    package var size: UInt64
    package var reason: Reason
    /// Number of the synchronization or command that all its records share; zero if unknown.
    package var change: Int64 = 0
}

/// Replacement or deletion of a version at a path.
struct PathChange {
    var id: Int64
    /// Time, in seconds since 1970.
    var at: Int64
    /// The version, if it is in the history.
    var record: HistoryRecord?
    /// Newest change of the folder when the version was put back; zero if it was not.
    var newest: Int64 = 0
}

extension [PathChange] {
    /// Returns the version that was there at a time, in seconds since 1970; nil if it is there now.
    func version(at time: Int64) -> HistoryRecord? {
        var change = first { $0.at >= time }
        // A version that was put back is now where it went later.
        while let last = change, last.record == nil { change = first { $0.id > last.newest } }
        return change?.record
    }
}

/// Table of the history in the database of the index. The synchronizing process caches no records, so that another
/// process may change them.
struct HistoryTable {
    let database: Database

    func add(_ record: HistoryRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO history (at, path, kind, file, digest, size, reason, change)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                record.at, Data(record.path.utf8), Int64(record.kind.rawValue), record.file,
                record.digest.map { Data($0.bytes) }, Int64(bitPattern: record.size), record.reason.rawValue,
                record.change,
            ])
    }

    /// - Parameter condition: SQL condition, with the order.
    func records(_ condition: String, _ arguments: StatementArguments = []) throws -> [HistoryRecord] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM history \(condition)"), arguments: arguments
        ).map { row in
            guard let kind = NodeKind(rawValue: row["kind"]),
                let reason = HistoryRecord.Reason(rawValue: row["reason"])
            else { throw SyncError.damagedIndex }
            return HistoryRecord(
                id: row["id"], at: row["at"], path: String(decoding: row["path"] as Data, as: UTF8.self),
                kind: kind, file: row["file"], digest: (row["digest"] as Data?).flatMap { ContentDigest($0) },
                size: row.unsigned("size"), reason: reason, change: row["change"])
        }
    }

    /// Returns replaced and deleted versions of a path, the latest first; those of all paths for nil.
    func records(of path: String?) throws -> [HistoryRecord] {
        guard let path else { return try records("ORDER BY id DESC") }
        return try records("WHERE path = ? ORDER BY id DESC", [Data(path.utf8)])
    }

    /// Records that a version is in its place again, and not in the history.
    func noteRestored(_ record: HistoryRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO restored (id, at, path, newest)
                    VALUES (?, ?, ?, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'history'), 0))
                """
        ).execute(arguments: [record.id, record.at, Data(record.path.utf8)])
    }

    /// Returns what was at each path until it was replaced or deleted, in the order of the changes. Versions that were
    /// put back are among them.
    func changes() throws -> [String: [PathChange]] {
        var changes = try records("WHERE path != x''").map { ($0.path, PathChange(id: $0.id, at: $0.at, record: $0)) }
        changes += try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM restored")).map { row in
            let change = PathChange(id: row["id"], at: row["at"], newest: row["newest"])
            return (String(decoding: row["path"] as Data, as: UTF8.self), change)
        }
        return Dictionary(grouping: changes, by: \.0).mapValues { $0.map(\.1).sorted { $0.id < $1.id } }
    }

    func forgetRestored(before time: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM restored WHERE at < ?").execute(arguments: [time])
    }

    func remove(_ id: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM history WHERE id = ?").execute(arguments: [id])
    }

    /// Records that the file is no longer a source of content.
    func forgetContent(of id: Int64) throws {
        try database.cachedStatement(sql: "UPDATE history SET digest = NULL WHERE id = ?").execute(arguments: [id])
    }
}

extension StoredIndex {
    private var table: HistoryTable { HistoryTable(database: transaction.database) }

    func add(_ record: HistoryRecord) { transaction.attempt(()) { try table.add(record) } }

    func history(of path: String?) -> [HistoryRecord] { transaction.attempt([]) { try table.records(of: path) } }

    func history(with digest: ContentDigest) -> [HistoryRecord] {
        transaction.attempt([]) {
            try table.records("WHERE digest = ? ORDER BY id DESC LIMIT 4", [Data(digest.bytes)])
        }
    }

    /// True if a file of the history folder has a record.
    func hasHistory(_ file: String) -> Bool {
        transaction.attempt(false) { try !table.records("WHERE file = ?", [file]).isEmpty }
    }

    /// Returns records that are too old, or beyond the size limit together with the later ones.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970; older records are returned.
    ///   - bytes: largest size of the remaining ones.
    func surplusHistory(before time: Int64, above bytes: UInt64) -> [HistoryRecord] {
        let isTooMuch = transaction.attempt(false) {
            let sql = "SELECT (SELECT min(at) FROM history) < ? OR (SELECT total(size) FROM history) > ?"
            return try transaction.first(sql, [time, Double(bytes)]) { $0[0] as Bool? ?? false } ?? false
        }
        guard isTooMuch else { return [] }
        var total: UInt64 = 0
        return history(of: nil).filter { record in
            let sum = total.addingReportingOverflow(record.size)
            total = sum.overflow ? .max : sum.partialValue
            return record.at < time || total > bytes
        }
    }

    func forgetRestored(before time: Int64) { transaction.attempt(()) { try table.forgetRestored(before: time) } }

    func removeHistory(_ id: Int64) { transaction.attempt(()) { try table.remove(id) } }
}
