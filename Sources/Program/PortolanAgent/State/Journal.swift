import Foundation
import GRDB

/// Position in the journal: the number of an entry. Numbers have no gaps within one file.
package typealias JournalCursor = Int64

extension JournalKind {
    package static let agentStarted = JournalKind(rawValue: "agent.started")
    package static let agentStopped = JournalKind(rawValue: "agent.stopped")
    package static let nodeListening = JournalKind(rawValue: "node.listening")
    package static let nodeRenamed = JournalKind(rawValue: "node.renamed")
    package static let nodeWarning = JournalKind(rawValue: "node.warning")
    package static let peerAppeared = JournalKind(rawValue: "peer.appeared")
    package static let peerGone = JournalKind(rawValue: "peer.gone")
    /// Combined entry for further strangers that appeared.
    package static let peersAppeared = JournalKind(rawValue: "peers.appeared")
    /// Combined entry for further strangers that disappeared.
    package static let peersGone = JournalKind(rawValue: "peers.gone")
    package static let policyLoaded = JournalKind(rawValue: "policy.loaded")
    package static let policyRefused = JournalKind(rawValue: "policy.refused")
    package static let offerDecided = JournalKind(rawValue: "offer.decided")
    /// Accepted offer of which no item can be stored.
    package static let offerRefused = JournalKind(rawValue: "offer.refused")
    /// Combined entry for further offers of strangers.
    package static let offersDeclined = JournalKind(rawValue: "offers.declined")
    /// Combined entry for further offers of one known sender, with the newest title.
    package static let offersDecided = JournalKind(rawValue: "offers.decided")
    package static let transferStarted = JournalKind(rawValue: "transfer.started")
    package static let transferFailed = JournalKind(rawValue: "transfer.failed")
    /// Combined entry for further transfers of one sender, or of strangers, that started.
    package static let transfersStarted = JournalKind(rawValue: "transfers.started")
    /// Combined entry for further transfers of one sender, or of strangers, that failed.
    package static let transfersFailed = JournalKind(rawValue: "transfers.failed")
    package static let stateSetAside = JournalKind(rawValue: "state.set-aside")
    /// The state can be written again.
    package static let stateWritable = JournalKind(rawValue: "state.writable")
    package static let inboxWaiting = JournalKind(rawValue: "inbox.waiting")
    package static let inboxAccepted = JournalKind(rawValue: "inbox.accepted")
    package static let inboxReceived = JournalKind(rawValue: "inbox.received")
    package static let inboxQuarantined = JournalKind(rawValue: "inbox.quarantined")
    package static let inboxDeclined = JournalKind(rawValue: "inbox.declined")
    package static let inboxFailed = JournalKind(rawValue: "inbox.failed")
    package static let inboxForgotten = JournalKind(rawValue: "inbox.forgotten")
    package static let shelfAdded = JournalKind(rawValue: "shelf.added")
    package static let shelfRemoved = JournalKind(rawValue: "shelf.removed")
    package static let shelfExpired = JournalKind(rawValue: "shelf.expired")
    package static let shelfWithdrawn = JournalKind(rawValue: "shelf.withdrawn")
    package static let shelfFetched = JournalKind(rawValue: "shelf.fetched")
    /// A synchronized folder was found at a peer.
    package static let folderJoined = JournalKind(rawValue: "folder.joined")
    package static let folderChanged = JournalKind(rawValue: "folder.changed")
    package static let folderHeld = JournalKind(rawValue: "folder.held")
    package static let folderSkipped = JournalKind(rawValue: "folder.skipped")
    package static let folderLacking = JournalKind(rawValue: "folder.lacking")
    package static let folderHalted = JournalKind(rawValue: "folder.halted")
    package static let folderUnwatched = JournalKind(rawValue: "folder.unwatched")
}

package struct JournalEntry: Hashable, Sendable {
    package let cursor: JournalCursor
    /// Time by the clock of this machine, which may have been set back since the previous entry.
    package let at: Date
    package let kind: JournalKind
    /// Identifier of a parcel, an offer or an item on the shelf.
    package let transfer: String?
    package let peer: PeerKey?
    /// JSON object.
    package let body: String
}

package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Entries behind the cursor have been removed.
    case gone(oldest: JournalCursor)
    /// The cursor is beyond the last entry, so it belongs to another journal.
    case ahead(newest: JournalCursor)
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .gone(let oldest):
            "Entries behind this cursor are no longer kept. Begin again with the oldest one, \(oldest)."
        case .ahead(let newest): "This cursor is not of this journal, whose newest entry is \(newest)."
        case .tooLarge(let bytes): "An entry of \(bytes) bytes is too large for the journal."
        }
    }
}

/// Append-only log of events, within one transaction.
package struct Journal {
    static let largestBody = 1 << 20
    /// Size of the bodies that are read at a time for a program, unless a single one has more.
    static let batch = 1 << 20

    let transaction: AgentTransaction
    private var database: Database { transaction.database }

    /// Adds an entry, committed with the other changes of the transaction.
    ///
    /// - Parameter body: encoded as a JSON object.
    @discardableResult
    package func append(
        _ kind: JournalKind, transfer: String? = nil, peer: PeerKey? = nil, body: some Encodable
    ) throws -> JournalCursor {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let text = try encoder.encode(body)
        guard text.count <= Self.largestBody else { throw JournalError.tooLarge(bytes: text.count) }
        try database.cachedStatement(sql: "INSERT INTO entry (at, kind, transfer, peer, body) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [
                transaction.now.milliseconds, kind.rawValue, transfer, peer, String(decoding: text, as: UTF8.self),
            ])
        let cursor = database.lastInsertedRowID
        try database.cachedStatement(sql: "UPDATE journal SET bytes = bytes + ?").execute(arguments: [text.count])
        transaction.hasAppended = true
        return cursor
    }

    /// Adds an entry of the state itself; absent values are omitted.
    @discardableResult
    func append(
        _ kind: JournalKind, transfer: String? = nil, peer: PeerKey? = nil, values: [String: JournalValue]
    ) throws -> JournalCursor {
        try append(kind, transfer: transfer, peer: peer, body: values.filter { $0.value != .absent })
    }

    static let readingStatement = """
        SELECT cursor, at, kind, transfer, peer, body FROM entry WHERE cursor > ? ORDER BY cursor LIMIT ?
        """

    /// Returns entries behind a cursor, oldest first.
    ///
    /// - Parameters:
    ///   - cursor: nil to begin with the oldest kept entry.
    ///   - bytes: size of the bodies behind which no further entry is read.
    /// - Throws: ``JournalError`` if entries behind the cursor were removed, or if the cursor is beyond the end.
    package func entries(
        after cursor: JournalCursor?, limit: Int = 500, bytes: Int = .max
    ) throws -> [JournalEntry] {
        let range = try range()
        let cursor = cursor ?? range.oldest - 1
        guard cursor >= range.oldest - 1 else { throw JournalError.gone(oldest: range.oldest) }
        guard cursor <= range.newest else { throw JournalError.ahead(newest: range.newest) }
        let statement = try database.cachedStatement(sql: Self.readingStatement)
        let rows = try Row.fetchCursor(statement, arguments: [cursor, limit])
        var (found, size) = ([JournalEntry](), 0)
        while size < bytes, let row = try rows.next() {
            let entry = JournalEntry(row)
            found.append(entry)
            size += entry.body.utf8.count
        }
        return found
    }

    /// Returns the oldest and the newest kept entry; without entries, `newest` is one less than `oldest`.
    package func range() throws -> (oldest: JournalCursor, newest: JournalCursor) {
        let oldest = try JournalCursor.fetchOne(database, sql: "SELECT first FROM journal")
        let newest = try JournalCursor.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'entry'")
        guard let oldest, let newest else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the state of the journal is missing")
        }
        return (oldest, newest)
    }

    /// Returns the size of all kept bodies, in bytes.
    package func size() throws -> Int { try Int.fetchOne(database, sql: "SELECT bytes FROM journal") ?? 0 }
}

extension JournalEntry {
    fileprivate init(_ row: Row) {
        self.init(
            cursor: row["cursor"], at: row.date("at"), kind: JournalKind(rawValue: row["kind"]),
            transfer: row["transfer"],
            peer: row["peer"], body: row["body"])
    }
}
