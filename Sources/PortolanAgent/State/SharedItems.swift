import Foundation
import GRDB

/// An item that is on offer until it is removed or expires, also after a restart.
package struct SharedItemRecord: Hashable, Sendable, Identifiable {
    package var id: StateID
    package var title: String
    /// File or folder that is shared; nil for an item with a document.
    package var path: String?
    /// Visibility and audience, as text.
    package var restriction: String
    package var expires: Date?
    /// The item as another process can make it again.
    package var document: [UInt8]?

    package init(
        id: StateID, title: String, path: String?, restriction: String, expires: Date?, document: [UInt8]? = nil
    ) {
        self.id = id
        self.title = title
        self.path = path
        self.restriction = restriction
        self.expires = expires
        self.document = document
    }
}

package enum SharedItemError: Error, Hashable, Sendable, CustomStringConvertible {
    case notFound(StateID)
    case exists(StateID)

    package var description: String {
        switch self {
        case .notFound(let id): "There is no shared item \(id)."
        case .exists(let id): "Item \(id) is shared already."
        }
    }
}

/// The shelf that outlives a restart, within one transaction. Each change adds its entry to the journal.
package struct SharedItems {
    let transaction: AgentTransaction
    private var database: Database { transaction.database }

    package func add(_ item: SharedItemRecord) throws {
        guard try find("id = ?", [item.id]).isEmpty else { throw SharedItemError.exists(item.id) }
        try database.execute(
            sql: "INSERT INTO shared VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                item.id, transaction.now.milliseconds, item.expires?.milliseconds, item.title, item.path,
                item.restriction, item.document.map { Data($0) },
            ])
        try note(.shelfAdded, item)
    }

    package func remove(_ id: StateID) throws {
        guard let item = try find("id = ?", [id]).first else { throw SharedItemError.notFound(id) }
        try remove(item, as: .shelfRemoved)
    }

    /// Items in the order in which they were added, without those whose time is over by now.
    package func list() throws -> [SharedItemRecord] {
        try find("expires IS NULL OR expires > ?", [transaction.now.milliseconds])
    }

    /// Removes items whose time is over by now.
    @discardableResult
    package func expire() throws -> [StateID] {
        let items = try find("expires <= ?", [transaction.now.milliseconds])
        for item in items { try remove(item, as: .shelfExpired) }
        return items.map(\.id)
    }

    /// Earliest expiry of an item.
    package func nextExpiry() throws -> Date? {
        try Int64.fetchOne(database, sql: "SELECT min(expires) FROM shared").map { Date(milliseconds: $0) }
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

    private func remove(_ item: SharedItemRecord, as kind: JournalKind) throws {
        try database.execute(sql: "DELETE FROM shared WHERE id = ?", arguments: [item.id])
        try note(kind, item)
    }

    private func note(_ kind: JournalKind, _ item: SharedItemRecord) throws {
        try transaction.journal.append(
            kind, transfer: item.id.description,
            values: [
                "title": .text(item.title), "path": JournalValue(item.path), "restriction": .text(item.restriction),
                "expires": JournalValue(item.expires),
            ])
    }
}
