import Foundation
import GRDB

/// Identity of a sent item, equal when it is sent again.
package struct DeliveredItem: Hashable, Sendable {
    package var peer: PeerKey
    package var parcel: StateID
    package var item: Int
}

/// Stored file of an item, with its place.
package struct StoredItemFile: Hashable, Sendable {
    package var name: String
    package var path: String
    package var size: Int64
    package var digest: [UInt8]?
}

package struct LedgerEntry: Hashable, Sendable {
    package let file: StoredItemFile
    /// Number of its files, folders and links.
    package let entries: UInt32
    package let at: Date
    /// Receipt that this device signed for it; nil if there is none.
    package var receipt: [UInt8]?
}

/// Ledger of stored items, by which a repeated one is recognized; within one transaction.
///
/// The ledger writes no journal entries: ``InboxRecords`` adds one for the item in the same transaction.
package struct Ledger {
    let transaction: AgentTransaction

    /// Records an item once.
    ///
    /// - Parameters:
    ///   - entries: number of its files, folders and links.
    ///   - receipt: receipt that this device has signed for it.
    /// - Returns: nil if it was recorded; the earlier entry, which stays, if there is one.
    @discardableResult
    package func insert(
        _ item: DeliveredItem, _ file: StoredItemFile, entries: UInt32 = 1, receipt: [UInt8]? = nil
    ) throws -> LedgerEntry? {
        if let earlier = try find(item) { return earlier }
        try transaction.database.execute(
            sql: """
                INSERT INTO ledger (peer, parcel, item, name, path, size, digest, at, entries, receipt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                item.peer, item.parcel, item.item, file.name, file.path, file.size, file.digest.map { Data($0) },
                transaction.now.milliseconds, Int64(entries), receipt.map { Data($0) },
            ])
        return nil
    }

    package func find(_ item: DeliveredItem) throws -> LedgerEntry? {
        try Row.fetchOne(
            transaction.database, sql: "SELECT * FROM ledger WHERE peer = ? AND parcel = ? AND item = ?",
            arguments: [item.peer, item.parcel, item.item]
        ).map { row in
            LedgerEntry(
                file: StoredItemFile(row), entries: row["entries"], at: row.date("at"),
                receipt: row.bytesIfPresent("receipt"))
        }
    }

    /// Removes entries older than `date`. A repeated item is stored again after that.
    ///
    /// - Returns: the number of removed entries, at most `limit`.
    @discardableResult
    package func prune(before date: Date, limit: Int = 500) throws -> Int {
        try transaction.database.execute(
            sql: """
                DELETE FROM ledger WHERE (peer, parcel, item) IN (
                    SELECT peer, parcel, item FROM ledger WHERE at < ? ORDER BY at LIMIT ?)
                """, arguments: [date.milliseconds, limit])
        return transaction.database.changesCount
    }
}

extension StoredItemFile {
    init(_ row: Row) {
        self.init(name: row["name"], path: row["path"], size: row["size"], digest: row.bytesIfPresent("digest"))
    }
}
