import Foundation
import GRDB
import PortolanClient

/// An item that is shared until it is removed or expires, also after a restart.
package struct SharedItemRecord: Hashable, Sendable, Identifiable {
    package var id: StateID
    package var title: String
    /// Shared file or folder; nil for an item with a document.
    package var path: String?
    /// Visibility and audience, as text.
    package var restriction: String
    package var expires: Date?
    /// Document of the item, from which another process can make it again.
    package var document: [UInt8]?
}

extension StateRefusal {
    static func noSharedItem(_ id: StateID) -> Self { Self(.notFound, "There is no shared item \(id).") }

    static func isShared(_ id: StateID) -> Self { Self(.conflict, "Item \(id) is shared already.") }

    /// The limit on items, or on their bytes, is reached.
    static let shelfIsFull = Self(.limit, "The shelf is full: take something off it first.")
}

/// Durable list of shared items, within one transaction. Each change adds its entry to the journal.
package struct SharedItems {
    let transaction: AgentTransaction
    private var database: Database { transaction.database }

    /// Restriction of an item for everybody.
    static let everybody = "all"
    /// Largest number of items.
    package static let mostItems = 10_000
    /// Largest size of all documents, which are in memory as long as they are shared, in bytes.
    package static let mostBytes = 64 << 20

    package func add(_ item: SharedItemRecord) throws {
        guard try find("id = ?", [item.id]).isEmpty else { throw StateRefusal.isShared(item.id) }
        let held = try Row.fetchOne(database, sql: "SELECT count(*), total(length(document)) FROM shared")
        let (count, bytes) = (held?[0] as Int? ?? 0, held?[1] as Double? ?? 0)
        guard count < Self.mostItems, bytes + Double(item.document?.count ?? 0) <= Double(Self.mostBytes) else {
            throw StateRefusal.shelfIsFull
        }
        try database.execute(
            sql: """
                INSERT INTO shared (id, created, expires, title, path, restriction, document) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                item.id, transaction.now.milliseconds, item.expires?.milliseconds, item.title, item.path,
                item.restriction, item.document.map { Data($0) },
            ])
        try note(.shelfAdded, item)
    }

    package func remove(_ id: StateID) throws {
        guard let item = try find("id = ?", [id]).first else { throw StateRefusal.noSharedItem(id) }
        try remove(item, as: .shelfRemoved)
    }

    /// Removes an item whose file was replaced. Does nothing for a missing item.
    ///
    /// - Parameter reason: a sentence for the owner.
    package func withdraw(_ id: StateID, because reason: String) throws {
        guard let item = try find("id = ?", [id]).first else { return }
        try remove(item, as: .shelfWithdrawn, ["reason": .text(reason)])
    }

    /// Records a peer's request for an item, also for one that has been removed meanwhile.
    ///
    /// - Parameter outcome: outcome in one word; `stored` and `incomplete` are counted.
    package func fetched(_ id: StateID, title: String, by peer: PeerKey?, named name: String, outcome: String) throws {
        if outcome == "stored" || outcome == "incomplete" {
            try database.execute(sql: "UPDATE shared SET fetches = fetches + 1 WHERE id = ?", arguments: [id])
        }
        try transaction.journal.append(
            .shelfFetched, transfer: id.description, peer: peer,
            values: ["title": .text(title), "receiver": .text(name), "outcome": .text(outcome)])
    }

    /// Returns the identifiers of all items.
    func identifiers() throws -> Set<StateID> { try Set(StateID.fetchAll(database, sql: "SELECT id FROM shared")) }

    /// Returns items in the order in which they were added, without expired ones.
    package func list() throws -> [SharedItemRecord] {
        try find("expires IS NULL OR expires > ?", [transaction.now.milliseconds])
    }

    /// Returns the items of ``list()`` for the local API.
    package func summaries() throws -> [AgentAPI.SharedItem] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id, title, path, nullif(restriction, ?) AS audience, created, expires, fetches FROM shared
                WHERE expires IS NULL OR expires > ? ORDER BY created, id
                """, arguments: [Self.everybody, transaction.now.milliseconds]
        ).map { row in
            AgentAPI.SharedItem(
                id: AgentAPI.ID(row["id"]), title: row["title"], path: row["path"],
                audience: row["audience"], created: row.date("created"),
                expires: row.dateIfPresent("expires"), fetches: row["fetches"])
        }
    }

    /// Removes expired items.
    @discardableResult
    package func expire() throws -> [StateID] {
        let items = try find("expires <= ?", [transaction.now.milliseconds])
        for item in items { try remove(item, as: .shelfExpired) }
        return items.map(\.id)
    }

    private func find(_ condition: String, _ arguments: StatementArguments) throws -> [SharedItemRecord] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM shared WHERE \(condition) ORDER BY created, id", arguments: arguments
        ).map { row in
            SharedItemRecord(
                id: row["id"], title: row["title"], path: row["path"], restriction: row["restriction"],
                expires: row.dateIfPresent("expires"), document: row.bytesIfPresent("document"))
        }
    }

    private func remove(
        _ item: SharedItemRecord, as kind: JournalKind, _ values: [String: JournalValue] = [:]
    ) throws {
        try database.execute(sql: "DELETE FROM shared WHERE id = ?", arguments: [item.id])
        try note(kind, item, values)
    }

    private func note(
        _ kind: JournalKind, _ item: SharedItemRecord, _ values: [String: JournalValue] = [:]
    ) throws {
        let common: [String: JournalValue] = [
            "title": .text(item.title), "path": JournalValue(item.path), "restriction": .text(item.restriction),
            "expires": JournalValue(item.expires),
        ]
        try transaction.journal.append(
            kind, transfer: item.id.description, values: common.merging(values) { _, value in value })
    }
}
