import Foundation
import GRDB
import PortolanClient

/// Received, waiting and quarantined items, within one transaction. Each change adds its entry to the journal.
package struct InboxRecords {
    let transaction: AgentTransaction
    private var database: Database { transaction.database }
    private var now: Date { transaction.now }

    static let columns = """
        id, at, changed, state, reason, peer, sender, parcel, item, title, rule, deadline, fallback, name, path, size,
        digest, place, folder, owners, quarantine
        """

    // MARK: - Additions

    /// Stores an item for a decision. A repeated offer of the same item of a parcel keeps its record and deadline. If
    /// its title, types or size differ, a new record replaces the waiting or accepted one, so that a number always
    /// means one item.
    ///
    /// - Parameter isTold: returns false if a replacement gets no entries in the journal, of which a sender could cause
    ///   any number.
    /// - Returns: the number of the record.
    package func wait(
        _ item: InboxRecord, offer: String, limits: InboxLimits = InboxLimits(),
        isTold: () -> Bool = { true }
    ) throws -> Int64 {
        let bytes = offer.utf8.count
        guard bytes <= limits.offer else { throw StateRefusal.tooLarge(bytes: bytes) }
        let record = try item.delivered.flatMap { try latest(of: $0) }
        if let earlier = record, [.waiting, .accepted].contains(earlier.state) {
            guard try isOfSameItem(earlier.id, as: offer) else {
                let isTold = isTold()
                try remove(earlier, isTold: isTold, reason: "It was offered again, and is not the same.")
                return try add(item, offer, limits, isTold: isTold)
            }
            try database.execute(
                sql: "UPDATE inbox SET item = ?, title = ?, sender = ?, offer = ? WHERE id = ?",
                arguments: [item.item, item.title, item.sender, offer, earlier.id])
            return earlier.id
        }
        return try add(item, offer, limits)
    }

    private func add(
        _ item: InboxRecord, _ offer: String, _ limits: InboxLimits, isTold: Bool = true
    ) throws -> Int64 {
        let waiting = try Row.fetchOne(
            database,
            sql: "SELECT count(*) AS total, count(nullif(peer = ?, 0)) AS own FROM inbox WHERE state = 'waiting'",
            arguments: [item.peer])
        guard let waiting, waiting["total"] < limits.total, waiting["own"] < limits.perPeer else {
            throw StateRefusal.inboxIsFull
        }
        let id = try insert(item, .waiting)
        try database.execute(
            sql: "UPDATE inbox SET offer = ?, deadline = ?, fallback = ?, folder = ?, owners = ? WHERE id = ?",
            arguments: [
                offer, item.deadline?.milliseconds, item.fallback?.rawValue, item.folder,
                item.owners.isEmpty ? nil : item.owners.map { $0 ?? "" }.joined(separator: "\n"), id,
            ])
        if isTold { try note(.inboxWaiting, id, item, ["deadline": JournalValue(item.deadline)]) }
        return id
    }

    /// Records an item that was stored without a decision of the owner, in the inbox or in quarantine.
    ///
    /// - Returns: the number of the record.
    package func store(_ item: InboxRecord, _ file: StoredItemFile, isQuarantined: Bool = false) throws -> Int64 {
        let id = try insert(item, isQuarantined ? .quarantined : .received)
        try set(file, id)
        try note(isQuarantined ? .inboxQuarantined : .inboxReceived, id, item, values(of: file))
        return id
    }

    // MARK: - Decisions

    /// Accepts a waiting item: it is fetched when the sender is reachable. An item for the quarantine may be accepted
    /// for the inbox.
    ///
    /// - Parameters:
    ///   - folder: absolute path of the folder; nil for that of the record.
    ///   - toQuarantine: true for the quarantine instead.
    package func accept(
        _ id: Int64, into folder: String? = nil, toQuarantine: Bool = false, reason: String? = nil
    ) throws {
        let isForQuarantine = try show(id).isForQuarantine
        let states: Set<InboxState> = [.waiting, .failed]
        try change(
            id, from: isForQuarantine && !toQuarantine ? states.union([.accepted]) : states, to: .accepted,
            as: .inboxAccepted, step: "accepted", reason: reason,
            values: ["into": JournalValue(folder)])
        try database.execute(
            sql: """
                UPDATE inbox SET folder = coalesce(?1, folder), owners = iif(?1 IS NULL, owners, NULL), quarantine = ?2
                    WHERE id = ?3
                """,
            arguments: [folder, toQuarantine, id])
    }

    /// Accepts an item in quarantine, which the caller has moved to the inbox.
    package func release(_ id: Int64, to file: StoredItemFile) throws {
        try change(
            id, from: [.quarantined], to: .received, as: .inboxReceived, step: "released", values: values(of: file))
        try set(file, id)
    }

    /// Declines an item. The caller removes its files from quarantine.
    ///
    /// - Parameter isFinal: true if a person declines it, so that other parcels with it are declined, too.
    package func decline(_ id: Int64, reason: String? = nil, isFinal: Bool = false) throws {
        try change(
            id, from: [.waiting, .accepted, .quarantined, .failed], to: .declined, as: .inboxDeclined, step: "declined",
            reason: reason)
        try database.execute(
            sql: """
                UPDATE inbox SET name = NULL, path = NULL, size = NULL, digest = NULL, final = ? WHERE id = ?
                """, arguments: [isFinal, id])
    }

    /// Records that an accepted item was fetched and stored. An item with the fallback quarantine may be stored there
    /// while it waits.
    package func stored(_ id: Int64, _ file: StoredItemFile, isQuarantined: Bool = false) throws {
        try change(
            id, from: isQuarantined ? [.waiting, .accepted] : [.accepted], to: isQuarantined ? .quarantined : .received,
            as: isQuarantined ? .inboxQuarantined : .inboxReceived, step: "stored", values: values(of: file))
        try set(file, id)
    }

    /// Records that an accepted item cannot be fetched.
    package func fail(_ id: Int64, reason: String) throws {
        try change(id, from: [.accepted], to: .failed, as: .inboxFailed, step: "given up", reason: reason)
    }

    /// Removes the record. Files are not moved. A repeated offer of the item needs a new decision.
    package func forget(_ id: Int64, reason: String? = nil) throws {
        try remove(show(id), reason: reason)
    }

    private func remove(_ record: InboxRecord, isTold: Bool = true, reason: String?) throws {
        try database.execute(sql: "DELETE FROM inbox WHERE id = ?", arguments: [record.id])
        guard isTold else { return }
        try note(
            .inboxForgotten, record.id, record,
            ["state": .text(record.state.rawValue), "reason": JournalValue(reason)])
    }

    // MARK: - Queries

    /// Returns waiting items after their deadline: the caller applies their fallback.
    package func due(limit: Int = 500) throws -> [InboxRecord] {
        try find("state = 'waiting' AND deadline <= ? ORDER BY deadline LIMIT ?", [now.milliseconds, limit])
    }

    /// Returns the earliest deadline of a waiting item.
    package func nextDeadline() throws -> Date? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT deadline FROM inbox WHERE state = 'waiting' AND deadline IS NOT NULL ORDER BY deadline LIMIT 1
                """
        ).map { Date(milliseconds: $0) }
    }

    /// Returns records in the order of their numbers.
    package func list(_ filter: InboxFilter = InboxFilter()) throws -> [InboxRecord] {
        var conditions = ["id > ?"]
        var arguments: StatementArguments = [filter.after]
        if !filter.states.isEmpty {
            conditions.append("state IN (\(repeatElement("?", count: filter.states.count).joined(separator: ", ")))")
            arguments += StatementArguments(filter.states.map(\.rawValue))
        }
        if let peer = filter.peer {
            conditions.append("peer = ?")
            arguments += [peer]
        }
        return try find(conditions.joined(separator: " AND ") + " ORDER BY id LIMIT ?", arguments + [filter.limit])
    }

    package func show(_ id: Int64) throws -> InboxRecord {
        guard let record = try find("id = ?", [id]).first else { throw StateRefusal.noItem(id) }
        return record
    }

    /// Returns the description of a record's offer: JSON; nil if the item was stored at once.
    package func offer(of id: Int64) throws -> String? { try text("offer", of: id) }

    /// Removes records that ended before `date`: received, declined and failed ones, and accepted ones that were never
    /// fetched.
    ///
    /// - Returns: the number of removed records, at most `limit`.
    @discardableResult
    package func prune(before date: Date, limit: Int = 500) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM inbox WHERE id IN (
                    SELECT id FROM inbox WHERE changed < ? AND state IN ('accepted', 'received', 'declined', 'failed')
                    ORDER BY changed LIMIT ?)
                """, arguments: [date.milliseconds, limit])
        return database.changesCount
    }

    // MARK: - Rows

    /// - Parameter condition: with the order and the limit, if there are any.
    func find(_ condition: String, _ arguments: StatementArguments) throws -> [InboxRecord] {
        try Row.fetchAll(
            database, sql: "SELECT \(Self.columns) FROM inbox WHERE \(condition)", arguments: arguments
        ).map { try InboxRecord($0) }
    }

    /// Text in another column of a record.
    func text(_ column: String, of id: Int64) throws -> String? {
        let row = try Row.fetchOne(database, sql: "SELECT \(column) FROM inbox WHERE id = ?", arguments: [id])
        guard let row else { throw StateRefusal.noItem(id) }
        return row[column]
    }

    private func insert(_ item: InboxRecord, _ state: InboxState) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO inbox (at, changed, state, peer, sender, parcel, item, place, title, rule)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                now.milliseconds, now.milliseconds, state.rawValue, item.peer, item.sender, item.parcel, item.item,
                item.place, item.title, item.rule,
            ])
        return database.lastInsertedRowID
    }

    private func set(_ file: StoredItemFile, _ id: Int64) throws {
        try database.execute(
            sql: "UPDATE inbox SET name = ?, path = ?, size = ?, digest = ? WHERE id = ?",
            arguments: [file.name, file.path, file.size, file.digest.map { Data($0) }, id])
    }

    private func change(
        _ id: Int64, from states: Set<InboxState>, to state: InboxState, as kind: JournalKind, step: String,
        reason: String? = nil, values: [String: JournalValue] = [:]
    ) throws {
        let record = try show(id)
        guard states.contains(record.state) else {
            throw StateRefusal.item(id, cannotBe: step, record.state)
        }
        try database.execute(
            sql: "UPDATE inbox SET state = ?, reason = ?, changed = ? WHERE id = ?",
            arguments: [state.rawValue, reason, now.milliseconds, id])
        try note(kind, id, record, values.merging(["reason": JournalValue(reason)]) { value, _ in value })
    }

    private func values(of file: StoredItemFile) -> [String: JournalValue] {
        ["name": .text(file.name), "path": .text(file.path), "size": .number(file.size)]
    }

    private func note(
        _ kind: JournalKind, _ id: Int64, _ item: InboxRecord, _ values: [String: JournalValue]
    ) throws {
        let common: [String: JournalValue] = [
            "id": .number(id), "item": .number(Int64(item.item)), "sender": .text(item.sender),
            "title": .text(item.title),
            "rule": JournalValue(item.rule),
        ]
        try transaction.journal.append(
            kind, transfer: item.parcel?.description, peer: item.peer,
            values: common.merging(values) { _, value in value })
    }
}
