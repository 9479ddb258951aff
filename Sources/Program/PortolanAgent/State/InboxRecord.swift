import Foundation
import GRDB
import PortolanClient

/// State of an item in the records of the inbox.
package typealias InboxState = AgentAPI.InboxItem.State

/// Decision that applies after the deadline of a waiting item.
package typealias InboxFallback = QuestionFallback

/// A record of the inbox, without the offer's description: an item that a peer offered.
package struct InboxRecord: Hashable, Sendable, Identifiable {
    /// Number of the record; 0 until it is stored.
    package var id: Int64 = 0
    package var at = Date.distantPast
    /// Time of the last change of the state.
    package var changed = Date.distantPast
    package var state = InboxState.waiting
    package var reason: String?
    package var peer: PeerKey
    /// Name of the sender, for display.
    package var sender: String
    /// Parcel of the item; nil for an item without one.
    package var parcel: StateID?
    /// Number of the item in the offer, from 0.
    package var item: Int
    /// The sender's identifier of the item in the parcel, equal in every offer; without a parcel, ``item``.
    package var place: Int
    package var title: String
    /// Rule that decided, with its line.
    package var rule: String?
    package var deadline: Date?
    package var fallback: InboxFallback?
    /// Stored file; nil unless the item is received or quarantined.
    package var file: StoredItemFile?
    /// Absolute path of the folder for the accepted item; nil for the inbox folder.
    package var folder: String?
    /// Owners of the last components of that path (`ReceivingPlace`).
    package var owners: [String?] = []
    /// True if the item is fetched into the quarantine.
    package var isForQuarantine = false

    /// Identity of an item of a parcel; nil for an item without one.
    package var delivered: DeliveredItem? {
        parcel.map { DeliveredItem(peer: peer, parcel: $0, item: place) }
    }
}

package struct InboxFilter: Hashable, Sendable {
    /// States to include; empty for all.
    package var states: Set<InboxState> = []
    package var peer: PeerKey?
    /// Number behind which the page begins.
    package var after: Int64 = 0
    package var limit: Int = 1000
}

/// Limits on the waiting items of peers.
package struct InboxLimits: Hashable, Sendable {
    package var perPeer = 256
    package var total = 4096
    /// Size of an offer's description, in bytes.
    package var offer = 512 << 10

    package init() {}
}

extension StateRefusal {
    static func noItem(_ id: Int64) -> Self { Self(.notFound, "There is no item \(id) in the inbox.") }

    static func item(_ id: Int64, cannotBe step: String, _ state: InboxState) -> Self {
        Self(.conflict, "Item \(id) cannot be \(step): it is \(state.rawValue).")
    }

    /// Too many items wait, of this peer or in all.
    static let inboxIsFull = Self(.limit, "Too many items wait for a decision.")

    static func tooLarge(bytes: Int) -> Self { Self(.limit, "An offer of \(bytes) bytes is too large to be kept.") }
}

extension InboxRecord {
    init(_ row: Row) throws {
        self.init(
            id: row["id"], at: row.date("at"), changed: row.date("changed"), state: try known(row["state"]),
            reason: row["reason"], peer: row["peer"], sender: row["sender"], parcel: row["parcel"], item: row["item"],
            place: row["place"], title: row["title"], rule: row["rule"],
            deadline: row.dateIfPresent("deadline"), fallback: try (row["fallback"] as String?).map { try known($0) },
            file: (row["path"] as String?) == nil ? nil : StoredItemFile(row), folder: row["folder"],
            owners: (row["owners"] as String?)?.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? nil : String($0) } ?? [],
            isForQuarantine: row["quarantine"])
    }
}
