import Foundation
import GRDB

/// Age and size beyond which the oldest entries of the journal are removed.
package struct JournalRetention: Hashable, Sendable {
    package var age: TimeInterval = 90 * 86_400
    /// Size of all bodies, in bytes.
    package var size: Int = 1 << 30
}

extension Journal {
    /// Removes up to `batch` entries that exceed the retention's age or size.
    ///
    /// An entry is removed only together with all before it. The newest one always stays.
    ///
    /// - Returns: the number of removed entries.
    func trim(_ retention: JournalRetention, at now: Date? = nil, batch: Int) throws -> Int {
        let database = transaction.database
        let limit = (now ?? transaction.now).addingTimeInterval(-retention.age).milliseconds
        let range = try range()
        var excess = try size() - retention.size
        var removed = 0
        var bytes = 0
        var first = range.oldest
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT cursor, at, length(CAST(body AS BLOB)) AS bytes FROM entry
                WHERE cursor >= ? AND cursor < ? ORDER BY cursor LIMIT ?
                """, arguments: [range.oldest, range.newest, batch])
        while let row = try rows.next() {
            guard row["at"] < limit || excess > 0 else { break }
            excess -= row["bytes"]
            bytes += row["bytes"]
            first = row["cursor"] + 1
            removed += 1
        }
        guard removed > 0 else { return 0 }
        try database.execute(sql: "DELETE FROM entry WHERE cursor < ?", arguments: [first])
        try database.execute(sql: "UPDATE journal SET first = ?, bytes = bytes - ?", arguments: [first, bytes])
        return removed
    }
}

extension AgentDatabase {
    /// Removes entries beyond the retention, in transactions of `batch` entries, between which others run.
    ///
    /// - Parameter now: time against which the age is reckoned; nil for the wall clock's.
    /// - Returns: the number of removed entries.
    @discardableResult
    package func trimJournal(
        _ retention: JournalRetention = JournalRetention(), at now: Date? = nil, batch: Int = 500
    ) async throws -> Int {
        var total = 0
        while !Task.isCancelled {
            let removed = try await write { try $0.journal.trim(retention, at: now, batch: batch) }
            total += removed
            if removed < batch { break }
        }
        return total
    }
}
