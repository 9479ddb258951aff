import GRDB
import Portolan

/// Record of a command's sending that is stored between runs, so that it can be listed, stopped and resumed.
///
/// It is decoded from the documents of ``EarlierRegister``.
package struct TransferRecord: Decodable, Hashable, Sendable {
    package typealias Status = NodeEvent.TransferState.Status

    package let id: RecordID
    package let created: Date
    /// Target, as the user named it.
    package let target: String
    /// Name of the receiver that was found; nil for a team.
    package var name: String?
    package var fingerprint: String?
    package let titles: [String]
    /// Items for another process to send; nil if they cannot be sent again.
    package let parcel: Parcel?
    /// Folder that it was sent from.
    package let folder: String
    package var status = Status.waiting
    /// Time of the last change. Without a running process, the record is kept for a limited time after it.
    package var changed: Date
    /// Of all items so far.
    package var bytes: UInt64 = 0
    /// Total of all items; nil while that of one item is unknown, and if there are several receivers.
    package var total: UInt64?

    /// The record for sending the items again from the beginning, since settled items may have changed.
    package func begunAnew(with parcel: Parcel, total: UInt64?) -> TransferRecord {
        TransferRecord(
            id: id, created: created, target: target, titles: titles, parcel: parcel, folder: folder,
            changed: created, total: total)
    }
}

extension Outbox {
    private static let sendings = "sending JOIN parcel ON parcel.id = sending.parcel"

    /// Names of all sendings of commands, the oldest first.
    func sendings() throws -> [RecordID] {
        try String.fetchAll(database, sql: "SELECT name FROM \(Self.sendings) ORDER BY created, name")
            .map { try RecordID($0) }
    }

    /// - Throws: `ParcelError` for a parcel that cannot be read.
    func sending(_ id: RecordID) throws -> TransferRecord? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT created, target, titles, changed, length(document) AS size, sending.* FROM \(Self.sendings)
                WHERE name = ?
                """, arguments: [id.text])
        guard let row else { return nil }
        return TransferRecord(
            id: id, created: row.date("created"), target: row["target"], name: row["peer"],
            fingerprint: row["fingerprint"], titles: try row.titles(),
            parcel: row["size"] > 0 ? try parcel(row["parcel"]) : nil, folder: row["folder"],
            status: try known(row["status"]), changed: row.date("changed"), bytes: UInt64(bitPattern: row["bytes"]),
            total: (row["total"] as Int64?).map { UInt64(bitPattern: $0) })
    }

    /// Adds or updates a sending. Its parcel is written once.
    ///
    /// - Parameter settlements: outcomes since the last call.
    func write(_ record: TransferRecord, _ settlements: [StoredSettlement]) throws {
        let known = try StateID.fetchOne(
            database, sql: "SELECT parcel FROM sending WHERE name = ?", arguments: [record.id.text])
        let id = record.parcel.map { StateID($0.id) } ?? known ?? StateID(RandomID.random())
        if known != id {
            try remove(record.id)
            try insert(
                id, record.parcel, target: record.target, titles: record.titles, created: record.created,
                state: "sending")
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO sending VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, record.id.text, record.status.rawValue, record.name, record.fingerprint, record.folder,
                Int64(bitPattern: record.bytes), record.total.map { Int64(bitPattern: $0) },
            ])
        try database.execute(
            sql: "UPDATE parcel SET changed = ? WHERE id = ?", arguments: [record.changed.milliseconds, id])
        if record.parcel?.target.isTeam == false { try bind(id, to: record.fingerprint) }
        for settlement in settlements { try write(settlement, of: id) }
    }

    func remove(_ id: RecordID) throws {
        try database.execute(
            sql: "DELETE FROM parcel WHERE id IN (SELECT parcel FROM sending WHERE name = ?)", arguments: [id.text])
    }
}
