import Foundation
import GRDB

/// Retention of records by the time that has passed for the agent, instead of by a wall clock that may be wrong.
///
/// The time of retention follows the wall clock no further than the agent ran, plus a day at each start. The rest of a
/// jump of the clock counts when as long has passed behind it as any record is kept: those written before it are old
/// enough then, in whichever direction the clock was wrong.
enum Retention {
    private static let day: Int64 = 86_400_000
    /// Age of ended parcels and items of the inbox, in milliseconds.
    fileprivate static let records = 90 * day
    /// Age of receipts, and of the ledger by which a repeated item is recognised: longer than any parcel waits.
    fileprivate static let receipts = 400 * day

    /// Returns the time of retention, which is no later than the wall clock's.
    ///
    /// - Parameter ran: time for which the agent ran since the last call; nil for the first one of a start.
    static func advance(_ change: AgentTransaction, ran: Duration?) throws -> Date {
        let database = change.database
        func total(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
            try Int64.fetchOne(database, sql: sql, arguments: arguments) ?? 0
        }
        var at = try total("SELECT at FROM retention")
        let known = at + (try total("SELECT sum(length) FROM clock_jump"))
        var difference = change.now.milliseconds - known
        if difference > 0 {
            let step = min(difference, ran.map { Int64($0 / .milliseconds(1)) } ?? day)
            at += step
            // Jumps of one day are one row.
            let due = ((at + receipts) / day + 1) * day
            try database.execute(
                sql: "INSERT INTO clock_jump VALUES (?, ?) ON CONFLICT DO UPDATE SET length = length + excluded.length",
                arguments: [due, difference - step])
        } else {
            // A clock that is put back takes back its jumps, the newest first.
            while difference < 0, let due = try Int64.fetchOne(database, sql: "SELECT max(due) FROM clock_jump") {
                let length = try total("SELECT length FROM clock_jump WHERE due = ?", [due])
                let taken = min(length, -difference)
                difference += taken
                try database.execute(
                    sql: "UPDATE clock_jump SET length = length - ? WHERE due = ?", arguments: [taken, due])
                try database.execute(sql: "DELETE FROM clock_jump WHERE length = 0")
            }
            at += difference
        }
        at += try total("SELECT sum(length) FROM clock_jump WHERE due <= ?", [at])
        try database.execute(sql: "DELETE FROM clock_jump WHERE due <= ? OR length = 0", arguments: [at])
        try database.execute(sql: "UPDATE retention SET at = ?", arguments: [at])
        return Date(milliseconds: at)
    }
}

extension AgentDatabase {
    /// Removes records that are no longer kept, in short transactions, between which others run.
    ///
    /// - Parameter ran: time for which the agent ran since the last call; nil for the first one of a start.
    package func removeExpired(ran: Duration?, batch: Int = 500) async throws {
        let now = try await write { try Retention.advance($0, ran: ran) }
        try await trimJournal(at: now, batch: batch)
        let records = Date(milliseconds: now.milliseconds - Retention.records)
        let receipts = Date(milliseconds: now.milliseconds - Retention.receipts)
        var removed = batch
        while removed >= batch, !Task.isCancelled {
            removed = try await write { change in
                max(
                    try change.outbox.prune(before: records, receiptsBefore: receipts, limit: batch),
                    try change.inbox.prune(before: records, limit: batch),
                    try change.ledger.prune(before: receipts, limit: batch))
            }
        }
    }
}
