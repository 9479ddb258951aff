import GRDB
import Portolan
import PortolanClient

/// End of an attempt to deliver a parcel.
package enum AttemptEnd: Hashable, Sendable {
    case delivered
    /// Another attempt follows when the peer appears, and at the latest at this time.
    case waiting(reason: String, due: Date?)
    /// No further attempt.
    case failed(reason: String)
}

extension Outbox {
    /// Starts an attempt: the parcel is running. After an agent that ends without ``endAttempt(_:_:)``, it waits again.
    package func beginAttempt(_ id: StateID, peer: PeerKey? = nil) throws {
        let parcel = try show(id)
        guard parcel.state == .waiting else {
            throw StateRefusal.parcel(id, cannotBe: "started", parcel.state)
        }
        try database.execute(
            sql: """
                UPDATE parcel SET state = 'running', attempts = attempts + 1, due = NULL, reason = NULL, changed = ?
                WHERE id = ?
                """, arguments: [now.milliseconds, id])
        try note(.outboxStarted, parcel, peer: peer, ["attempt": .number(Int64(parcel.attempts + 1))])
    }

    /// Records the outcome of an item at a receiver, in any state of the parcel.
    ///
    /// A stored item stays stored; any other outcome is replaced by a later one.
    ///
    /// - Returns: true if this was new.
    @discardableResult
    package func settle(_ id: StateID, _ settlement: StoredSettlement) throws -> Bool {
        let parcel = try show(id)
        let earlier = try String.fetchOne(
            database, sql: "SELECT outcome FROM settlement WHERE parcel = ? AND member = ? AND item = ?",
            arguments: [id, settlement.member, settlement.item]
        ).map { text -> SettlementOutcome in try known(text) }
        guard earlier?.isStored != true, earlier != settlement.outcome else { return false }
        try write(settlement, of: id)
        try note(
            .outboxSettled, parcel, peer: settlement.member,
            [
                "item": .number(Int64(settlement.item)), "outcome": .text(settlement.outcome.rawValue),
                "reason": JournalValue(settlement.reason),
            ])
        return true
    }

    func write(_ settlement: StoredSettlement, of id: StateID) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO settlement VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, settlement.member, settlement.item, settlement.outcome.rawValue, settlement.reason,
                now.milliseconds, settlement.receipt.map { Data($0) },
            ])
    }

    /// Ends an attempt.
    ///
    /// A parcel that was cancelled meanwhile stays cancelled unless it was delivered. A parcel past its expiry expires
    /// instead of waiting.
    ///
    /// - Returns: the state of the parcel from now on.
    @discardableResult
    package func endAttempt(_ id: StateID, _ end: AttemptEnd) throws -> ParcelState {
        let parcel = try show(id)
        guard parcel.state == .running || (parcel.state == .cancelled && end == .delivered) else { return parcel.state }
        switch end {
        case .delivered: try change(parcel, to: .delivered, as: .outboxDelivered)
        case .failed(let reason): try change(parcel, to: .failed, as: .outboxFailed, reason: reason)
        case .waiting(let reason, let due):
            if let expires = parcel.expires, expires <= now {
                try change(parcel, to: .expired, as: .outboxExpired, reason: reason)
            } else {
                try change(parcel, to: .waiting, as: .outboxWaiting, reason: reason, due: due)
            }
        }
        return try show(id).state
    }

    /// Records a failure at a receiver for each item without an outcome there.
    package func fail(_ id: StateID, at member: PeerKey, reason: String?) throws {
        let known = Set(try settlements(of: id).filter { $0.member == member }.map(\.item))
        for item in try show(id).titles.indices where !known.contains(item) {
            try settle(id, StoredSettlement(member: member, item: item, outcome: .failed, reason: reason))
        }
    }

    /// Ends an attempt to deliver a team's parcel to one of its members. The parcel ends when each member has an
    /// outcome for each item.
    ///
    /// - Parameters:
    ///   - members: keys of all receiving members.
    ///   - reason: sentence about the attempt; nil for none.
    ///   - due: time of the next attempt at that member.
    ///   - others: true if attempts at other members are running.
    /// - Returns: the state of the parcel from now on.
    @discardableResult
    package func endAttempt(
        _ id: StateID, members: Set<PeerKey>, reason: String?, due: Date?, others: Bool
    ) throws -> ParcelState {
        let parcel = try show(id)
        guard parcel.state == .running || parcel.state == .waiting else { return parcel.state }
        let outcomes = try settlements(of: id).filter { members.contains($0.member) }
        let lost = outcomes.first { !$0.outcome.isStored }
        if outcomes.count >= members.count * parcel.titles.count {
            try lost.map { try change(parcel, to: .failed, as: .outboxFailed, reason: $0.reason ?? "Not all have it.") }
                ?? change(parcel, to: .delivered, as: .outboxDelivered)
        } else if let expires = parcel.expires, expires <= now {
            try change(parcel, to: .expired, as: .outboxExpired, reason: reason)
        } else if !others {
            let done = Dictionary(grouping: outcomes, by: \.member).values.count { $0.count >= parcel.titles.count }
            let progress = "\(done) of \(members.count) members are done."
            try change(
                parcel, to: .waiting, as: .outboxWaiting, reason: reason.map { "\(progress) \($0)" } ?? progress,
                due: due)
        }
        return try show(id).state
    }

    /// Cancels a parcel that waits or runs. The caller ends its delivery.
    package func cancel(_ id: StateID) throws {
        let parcel = try show(id)
        guard parcel.state == .waiting || parcel.state == .running else {
            throw StateRefusal.parcel(id, cannotBe: "cancelled", parcel.state)
        }
        try change(parcel, to: .cancelled, as: .outboxCancelled)
    }

    /// Resets a parcel to waiting without attempts; stored items are not sent again.
    ///
    /// - Parameter expires: new time of expiry; nil keeps a future one, and removes a past one.
    package func retry(_ id: StateID, expires: Date? = nil) throws {
        let parcel = try show(id)
        guard parcel.state != .running, parcel.state != .delivered else {
            throw StateRefusal.parcel(id, cannotBe: "tried again", parcel.state)
        }
        let expires = expires ?? parcel.expires.flatMap { $0 > now ? $0 : nil }
        try database.execute(
            sql: "DELETE FROM settlement WHERE parcel = ? AND outcome NOT IN ('stored', 'incomplete')", arguments: [id])
        let earlier = try document(of: id)
        var document = earlier
        // Documents of earlier versions have outcomes, too.
        if var parcel = try? Parcel(document: earlier), parcel.isBegun {
            parcel.forgetRefusals()
            document = try parcel.document()
        }
        try database.execute(
            sql: "UPDATE parcel SET attempts = 0, expires = ?, document = ? WHERE id = ?",
            arguments: [expires?.milliseconds, Data(document), id])
        try change(parcel, to: .waiting, as: .outboxRetried, due: now)
    }

    /// Expires waiting parcels past their expiry, up to `limit` of them.
    ///
    /// - Returns: their identifiers, the earliest first.
    @discardableResult
    package func expire(limit: Int = 500) throws -> [StateID] {
        let parcels = try find(
            "state = 'waiting' AND expires <= ? ORDER BY expires LIMIT ?", [now.milliseconds, limit])
        for parcel in parcels { try change(parcel, to: .expired, as: .outboxExpired, reason: parcel.reason) }
        return parcels.map(\.id)
    }

    /// Resets parcels to waiting that were running when the agent ended.
    package func recover() throws {
        let reason = "The agent ended during the delivery."
        for parcel in try list(states: [.running], limit: .max) {
            try change(parcel, to: .waiting, as: .outboxWaiting, reason: reason, due: now)
        }
    }

    private func change(
        _ parcel: OutboxParcel, to state: ParcelState, as kind: JournalKind, reason: String? = nil, due: Date? = nil
    ) throws {
        try database.execute(
            sql: "UPDATE parcel SET state = ?, reason = ?, due = ?, changed = ? WHERE id = ?",
            arguments: [state.rawValue, reason, due?.milliseconds, now.milliseconds, parcel.id])
        try note(kind, parcel, ["reason": JournalValue(reason), "due": JournalValue(due)])
    }

    private func note(
        _ kind: JournalKind, _ parcel: OutboxParcel, peer: PeerKey? = nil, _ values: [String: JournalValue]
    ) throws {
        let values = values.merging(["target": .text(parcel.target)]) { value, _ in value }
        try append(kind, parcel.id.description, peer, values)
    }
}
