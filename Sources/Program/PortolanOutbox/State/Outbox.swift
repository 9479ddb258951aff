import GRDB
import Portolan
import PortolanClient

/// State of a parcel in the outbox.
package typealias ParcelState = AgentAPI.Parcel.State

/// A parcel of the outbox, without its document.
package struct OutboxParcel: Hashable, Sendable, Identifiable {
    package let id: StateID
    /// Order of delivery among the parcels for one target; grows with each parcel.
    package let order: Int64
    package let created: Date
    package let expires: Date?
    package let target: String
    /// Fingerprint of the key that the parcel is for; nil if it is not known yet, and for a team.
    package let fingerprint: String?
    package let titles: [String]
    package let state: ParcelState
    /// Sentence about the last attempt; nil if there was none, or no remark.
    package let reason: String?
    package let attempts: Int
    /// Time of the next attempt unless the peer appears before; nil if none is planned.
    package let nextDue: Date?
    /// Time of the last change of the state.
    package let changed: Date
}

/// Parcels that wait for their peer, within one transaction. Each change of a parcel of the agent adds its entry to the
/// journal.
package struct Outbox {
    /// Adds an entry to the journal in the same transaction: its kind, parcel, peer and values.
    package typealias Note = (JournalKind, String, PeerKey?, [String: JournalValue]) throws -> Void

    let database: Database
    let now: Date
    let append: Note

    package init(database: Database, now: Date, append: @escaping Note) {
        self.database = database
        self.now = now
        self.append = append
    }

    static let columns = """
        place, id, created, expires, target, titles, state, reason, attempts, due, changed,
        (SELECT fingerprint FROM receiver WHERE receiver.parcel = parcel.id) AS fingerprint
        """

    /// Condition of rows that the agent delivers; the others are those of ``TransferRecord``.
    static let isAgents = "state <> 'sending'"

    /// Adds a parcel behind all others.
    ///
    /// - Returns: its row.
    @discardableResult
    package func add(_ parcel: Parcel, expires: Date? = nil) throws -> OutboxParcel {
        let id = StateID(parcel.id)
        guard try state(of: id) == nil else { throw StateRefusal.parcelExists(id) }
        try insert(id, parcel, target: parcel.target.text, titles: parcel.titles, created: now, state: "waiting")
        try database.execute(
            sql: "UPDATE parcel SET expires = ?, due = ? WHERE id = ?",
            arguments: [expires?.milliseconds, now.milliseconds, id])
        try bind(id, to: parcel.target.fingerprint?.description)
        try append(
            .outboxQueued, id.description, nil,
            [
                "target": .text(parcel.target.text), "titles": .texts(parcel.titles),
                "expires": JournalValue(expires),
            ])
        return try show(id)
    }

    /// - Parameter parcel: nil for items that another process cannot send.
    func insert(
        _ id: StateID, _ parcel: Parcel?, target: String, titles: [String], created: Date, state: String
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO parcel (id, created, target, titles, state, changed, document) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, created.milliseconds, target, String(decoding: try JSONEncoder().encode(titles), as: UTF8.self),
                state, now.milliseconds, Data(try parcel?.document() ?? []),
            ])
    }

    /// Returns parcels in their order.
    ///
    /// - Parameters:
    ///   - states: states to include; empty for all.
    ///   - order: order behind which the page begins.
    package func list(
        states: Set<ParcelState> = [], after order: Int64 = 0, limit: Int = 1000
    ) throws -> [OutboxParcel] {
        var conditions = ["place > ?", Self.isAgents]
        var arguments: StatementArguments = [order]
        if !states.isEmpty {
            conditions.append("state IN (\(repeatElement("?", count: states.count).joined(separator: ", ")))")
            arguments += StatementArguments(states.map(\.rawValue))
        }
        return try find(conditions.joined(separator: " AND ") + " ORDER BY place LIMIT ?", arguments + [limit])
    }

    package func show(_ id: StateID) throws -> OutboxParcel {
        guard let parcel = try find("id = ? AND \(Self.isAgents)", [id]).first else { throw StateRefusal.noParcel(id) }
        return parcel
    }

    /// - Parameter condition: with the order and the limit, if there are any.
    func find(_ condition: String, _ arguments: StatementArguments) throws -> [OutboxParcel] {
        try Row.fetchAll(
            database, sql: "SELECT \(Self.columns) FROM parcel WHERE \(condition)", arguments: arguments
        ).map { try OutboxParcel($0) }
    }

    package func document(of id: StateID) throws -> [UInt8] {
        let data = try Data.fetchOne(database, sql: "SELECT document FROM parcel WHERE id = ?", arguments: [id])
        guard let data else { throw StateRefusal.noParcel(id) }
        return Array(data)
    }

    /// Returns a parcel with the key that it is for, and with its outcomes: those in rows, and those in the documents
    /// of earlier versions.
    package func parcel(_ id: StateID) throws -> Parcel {
        var parcel = try Parcel(document: try document(of: id))
        let key = try String.fetchOne(
            database, sql: "SELECT fingerprint FROM receiver WHERE parcel = ?", arguments: [id])
        if let key = key.flatMap({ Fingerprint(parsing: $0) }) { parcel.meet(key) }
        for settlement in try settlements(of: id) {
            guard let outcome = ParcelSettlement(rawValue: settlement.outcome.rawValue) else { continue }
            let member = parcel.target.isTeam ? Fingerprint(ofKeyBytes: settlement.member.bytes) : nil
            parcel.settle(settlement.item, as: outcome, of: member)
        }
        return parcel
    }

    /// Binds a parcel to the first key that its receiver proves.
    package func bind(_ id: StateID, to fingerprint: String?) throws {
        guard let fingerprint else { return }
        try database.execute(sql: "INSERT OR IGNORE INTO receiver VALUES (?, ?)", arguments: [id, fingerprint])
    }

    /// Returns outcomes at all receivers, by receiver and item.
    package func settlements(of id: StateID) throws -> [StoredSettlement] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM settlement WHERE parcel = ? ORDER BY member, item", arguments: [id]
        ).map { row in
            StoredSettlement(
                member: row["member"], item: row["item"], outcome: try known(row["outcome"]),
                reason: row["reason"], receipt: row.bytesIfPresent("receipt"))
        }
    }

    /// Removes parcels that ended before `date`, with their outcomes; waiting and running ones stay.
    ///
    /// - Parameter receiptDate: the same for parcels with a receipt; nil if they end with the others.
    /// - Returns: the number of removed parcels, at most `limit`.
    @discardableResult
    package func prune(before date: Date, receiptsBefore receiptDate: Date? = nil, limit: Int = 500) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM parcel WHERE place IN (
                    SELECT place FROM parcel WHERE changed < ? AND state NOT IN ('waiting', 'running', 'sending')
                        AND (changed < ? OR NOT EXISTS (
                            SELECT 1 FROM settlement WHERE settlement.parcel = parcel.id AND receipt IS NOT NULL))
                    ORDER BY changed LIMIT ?)
                """, arguments: [date.milliseconds, (receiptDate ?? date).milliseconds, limit])
        return database.changesCount
    }

    package func state(of id: StateID) throws -> ParcelState? {
        try String.fetchOne(
            database, sql: "SELECT state FROM parcel WHERE id = ? AND \(Self.isAgents)", arguments: [id]
        ).map { try known($0) }
    }
}

extension Row {
    func titles() throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data((self["titles"] as String).utf8))
    }
}

extension OutboxParcel {
    init(_ row: Row) throws {
        self.init(
            id: row["id"], order: row["place"], created: row.date("created"), expires: row.dateIfPresent("expires"),
            target: row["target"], fingerprint: row["fingerprint"],
            titles: try row.titles(), state: try known(row["state"]), reason: row["reason"], attempts: row["attempts"],
            nextDue: row.dateIfPresent("due"), changed: row.date("changed"))
    }
}
