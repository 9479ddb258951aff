import Foundation
import GRDB
import PortolanSyncModel

/// A file that was replaced or deleted, and is kept in the history folder.
package struct HistoryRecord: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable {
        case replaced, deleted
        /// Found in the staging or the history folder after the process had ended in the middle of a step.
        case found
    }

    /// Zero before it is stored.
    package var id: Int64 = 0
    /// In seconds since 1970.
    package var at: Int64
    /// Path in the folder; empty if it is not known.
    package var path: String
    package var kind: NodeKind
    /// Name in the history folder.
    package var file: String
    package var digest: ContentDigest?
    package var size: UInt64
    package var reason: Reason
}

extension StoredIndex {
    func add(_ record: HistoryRecord) {
        transaction.attempt(()) {
            try transaction.execute(
                """
                INSERT OR IGNORE INTO history (at, path, kind, file, digest, size, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    record.at, Data(record.path.utf8), Int64(record.kind.rawValue), record.file,
                    record.digest.map { Data($0.bytes) }, Int64(bitPattern: record.size), record.reason.rawValue,
                ])
        }
    }

    private func history(_ condition: String, _ arguments: StatementArguments) -> [HistoryRecord] {
        transaction.attempt([]) {
            try transaction.rows("SELECT * FROM history \(condition)", arguments).map { row in
                guard let kind = NodeKind(rawValue: row["kind"]),
                    let reason = HistoryRecord.Reason(rawValue: row["reason"])
                else { throw DamagedBlob() }
                return HistoryRecord(
                    id: row["id"], at: row["at"], path: String(decoding: row["path"] as Data, as: UTF8.self),
                    kind: kind, file: row["file"], digest: (row["digest"] as Data?).flatMap { ContentDigest($0) },
                    size: row.unsigned("size"), reason: reason)
            }
        }
    }

    /// Versions of a path that were replaced or deleted, the latest first; those of all paths for nil.
    func history(of path: String?) -> [HistoryRecord] {
        guard let path else { return history("ORDER BY id DESC", []) }
        return history("WHERE path = ? ORDER BY id DESC", [Data(path.utf8)])
    }

    func history(with digest: ContentDigest) -> [HistoryRecord] {
        history("WHERE digest = ? ORDER BY id DESC LIMIT 4", [Data(digest.bytes)])
    }

    /// Whether a file of the history folder has a record.
    func hasHistory(_ file: String) -> Bool { !history("WHERE file = ?", [file]).isEmpty }

    /// Records that are too old, or too many together with the later ones.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970; older ones go.
    ///   - bytes: largest size of all that remain.
    func surplusHistory(before time: Int64, above bytes: UInt64) -> [HistoryRecord] {
        var total: UInt64 = 0
        return history("ORDER BY id DESC", []).filter { record in
            let sum = total.addingReportingOverflow(record.size)
            total = sum.overflow ? .max : sum.partialValue
            return record.at < time || total > bytes
        }
    }

    func removeHistory(_ id: Int64) {
        transaction.attempt(()) { try transaction.execute("DELETE FROM history WHERE id = ?", [id]) }
    }
}
