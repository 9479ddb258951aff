import Foundation
import GRDB

/// Bytes that rules with a limit have accepted from each sender; within one transaction.
///
/// Strangers count together, since a stranger has as many keys as it likes. Items count from their acceptance on, so
/// that several offers at once do not pass the limit together, and so does an item that breaks off after it began. The
/// last 24 hours count.
package struct Quota {
    /// A sender and an item of it.
    package struct Charge: Hashable, Sendable {
        package var peer: PeerKey
        package var isStranger: Bool
        /// Text that is equal when the same item is offered again.
        package var item: String
        /// The most that may arrive.
        package var bytes: UInt64
    }

    private static let window: TimeInterval = 86_400
    /// Bytes of an empty item: what it takes on a disk.
    private static let least: Int64 = 4096

    let transaction: AgentTransaction
    private var database: Database { transaction.database }
    private var start: Int64 { transaction.now.addingTimeInterval(-Self.window).milliseconds }

    /// Charges an item to its sender, unless it would be more than `most` then.
    ///
    /// - Parameter isGoingOn: true for an item that broke off: it is not charged again.
    /// - Returns: number of the charge; nil if it is too much.
    package func charge(_ charge: Charge, most: UInt64, isGoingOn: Bool) throws -> Int64? {
        try database.execute(sql: "DELETE FROM quota WHERE at <= ?", arguments: [start])
        let sender = charge.isStranger ? nil : charge.peer
        if isGoingOn {
            let earlier = try Int64.fetchOne(
                database, sql: "SELECT id FROM quota WHERE sender IS ? AND peer = ? AND item = ? AND began = 1 LIMIT 1",
                arguments: [sender, charge.peer, charge.item])
            if let earlier { return earlier }
        }
        let bytes = max(Int64(clamping: charge.bytes), Self.least)
        let taken = try Int64.fetchOne(
            database, sql: "SELECT CAST(min(total(bytes), 9e18) AS INTEGER) FROM quota WHERE sender IS ?",
            arguments: [sender])
        let (sum, overflow) = (taken ?? 0).addingReportingOverflow(bytes)
        guard !overflow, sum <= Int64(clamping: most) else { return nil }
        try database.execute(
            sql: "INSERT INTO quota (at, sender, peer, item, bytes) VALUES (?, ?, ?, ?, ?)",
            arguments: [transaction.now.milliseconds, sender, charge.peer, charge.item, bytes])
        return database.lastInsertedRowID
    }

    /// Records that content of an item has come, after which it counts whatever becomes of it.
    package func begin(_ id: Int64) throws {
        try database.execute(sql: "UPDATE quota SET began = 1 WHERE id = ?", arguments: [id])
    }

    /// Takes back charges of items of which nothing came.
    package func giveBack(_ ids: [Int64]) throws {
        for id in ids { try database.execute(sql: "DELETE FROM quota WHERE id = ? AND began = 0", arguments: [id]) }
    }

    /// Takes back the charges of all items of which nothing came: those of a process that has ended.
    package func giveBackAll() throws { try database.execute(sql: "DELETE FROM quota WHERE began = 0") }
}
