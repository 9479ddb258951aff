import GRDB

/// Queries about earlier decisions, for a repeated offer.
extension InboxRecords {
    /// Returns the newest record of an item of a parcel; nil if there is none.
    package func latest(of item: DeliveredItem) throws -> InboxRecord? {
        try find(
            "peer = ? AND parcel = ? AND place = ? ORDER BY id DESC LIMIT 1", [item.peer, item.parcel, item.item]
        ).first
    }

    /// True if a record is of the same item: of equal title, types and size.
    ///
    /// - Parameter description: JSON.
    package func isOfSameItem(_ id: Int64, as description: String) throws -> Bool {
        guard let kept = try offer(of: id) else { return false }
        return InboxDescription.areOfSameItem(kept, description)
    }

    /// Returns the oldest accepted record of a peer's item of the same description. Other items of the parcel of
    /// `item` have records of their own.
    ///
    /// - Parameter description: JSON.
    package func accepted(like item: InboxRecord, describedBy description: String) throws -> InboxRecord? {
        try first("state = 'accepted'", "id", like: item, describedBy: description)
    }

    /// Returns the newest record of a peer's item of the same description that a person declined.
    ///
    /// - Parameter description: JSON.
    package func declined(like item: InboxRecord, describedBy description: String) throws -> InboxRecord? {
        try first("state = 'declined' AND final", "id DESC", like: item, describedBy: description)
    }

    /// - Parameters:
    ///   - condition: SQL condition.
    ///   - order: SQL order.
    private func first(
        _ condition: String, _ order: String, like item: InboxRecord, describedBy description: String
    ) throws -> InboxRecord? {
        let rows = try Row.fetchAll(
            transaction.database,
            sql: """
                SELECT \(Self.columns), offer FROM inbox
                WHERE \(condition) AND peer = ? AND (parcel IS NULL OR parcel IS NOT ?) ORDER BY \(order) LIMIT 256
                """, arguments: [item.peer, item.parcel])
        let row = rows.first { row in
            (row["offer"] as String?).map { InboxDescription.areOfSameItem($0, description) } ?? false
        }
        return try row.map { try InboxRecord($0) }
    }

    /// Makes an accepted record that of another parcel's item, so that it permits only this one.
    ///
    /// - Returns: the changed record.
    package func transfer(_ id: Int64, to item: InboxRecord) throws -> InboxRecord {
        try transaction.database.execute(
            sql: "UPDATE inbox SET parcel = ?, item = ?, place = ?, sender = ? WHERE id = ?",
            arguments: [item.parcel, item.item, item.place, item.sender, id])
        return try show(id)
    }

    // MARK: - Verdicts

    /// Stores the verdict of the policy for a record.
    ///
    /// - Parameter verdict: JSON.
    package func keep(verdict: String, of id: Int64) throws {
        try transaction.database.execute(sql: "UPDATE inbox SET verdict = ? WHERE id = ?", arguments: [verdict, id])
    }

    /// Returns the verdict of the policy for a record: JSON; nil if none was stored.
    ///
    /// - Throws: `StateRefusal`
    package func verdict(of id: Int64) throws -> String? { try text("verdict", of: id) }

    // MARK: - Deadlines

    /// Applies the fallback to waiting items after their deadline.
    ///
    /// - Returns: items that are accepted now.
    package func settleDue(limit: Int = 500) throws -> [InboxRecord] {
        let records = try due(limit: limit)
        for record in records {
            switch record.fallback ?? .decline {
            case .accept: try accept(record.id, reason: Self.undecided)
            case .quarantine: try accept(record.id, toQuarantine: true, reason: Self.undecided)
            case .decline: try decline(record.id, reason: Self.undecided)
            }
        }
        return records.filter { $0.fallback == .accept || $0.fallback == .quarantine }
    }

    /// Reason of a fallback.
    private static let undecided = "Nobody decided in time."
}
