import Foundation
import GRDB
import PortolanClient

/// State of an item in the records of the inbox.
package typealias InboxState = AgentAPI.InboxItem.State

/// Decision that applies after the deadline of a waiting item.
package typealias InboxFallback = QuestionFallback

/// An item that a peer offered, as stored in the records.
package struct StoredInboxItem: Hashable, Sendable {
    package var peer: PeerKey
    /// Name of the sender, for display.
    package var sender: String
    /// Parcel of the item; nil for an item without one.
    package var parcel: StateID?
    /// Number of the item in the offer, from 0.
    package var item: Int
    /// The sender's identifier of the item in the parcel, equal in every offer.
    package var place: Int
    package var title: String
    /// Rule that decided, with its line.
    package var rule: String?

    /// - Parameter place: nil for the number in the offer.
    package init(
        peer: PeerKey, sender: String, parcel: StateID?, item: Int, place: Int? = nil, title: String,
        rule: String? = nil
    ) {
        self.peer = peer
        self.sender = sender
        self.parcel = parcel
        self.item = item
        self.place = place ?? item
        self.title = title
        self.rule = rule
    }

    /// Identity of an item of a parcel; nil for an item without one.
    package var delivered: DeliveredItem? {
        parcel.map { DeliveredItem(peer: peer, parcel: $0, item: place) }
    }
}

/// Data that is stored with a waiting item.
package struct InboxOffer: Hashable, Sendable {
    /// Description of the offer: JSON.
    package var description: String
    package var preview: [UInt8]?
    package var deadline: Date?
    package var fallback: InboxFallback
    /// Absolute path of the folder for an accepted item; nil for the inbox folder.
    package var folder: String?
}

/// A record of the inbox, without the offer's description and preview.
package struct InboxRecord: Hashable, Sendable, Identifiable {
    package let id: Int64
    package let at: Date
    /// Time of the last change of the state.
    package let changed: Date
    package let state: InboxState
    package let reason: String?
    package let item: StoredInboxItem
    package let deadline: Date?
    package let fallback: InboxFallback?
    /// Stored file; nil unless the item is received or quarantined.
    package let file: StoredItemFile?
    /// Absolute path of the folder for the accepted item; nil for the inbox folder.
    package let folder: String?
    /// True if the item is fetched into the quarantine.
    package let isForQuarantine: Bool
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
    /// Size of an offer's description and its preview, in bytes.
    package var offer = 512 << 10

    package init() {}
}

package enum InboxError: Error, Hashable, Sendable, CustomStringConvertible {
    case notFound(Int64)
    /// The state of the item does not allow the step.
    case notPossible(Int64, step: String, state: InboxState)
    /// Too many items wait, of this peer or in all.
    case full
    case tooLarge(bytes: Int)

    package var description: String {
        switch self {
        case .notFound(let id): "There is no item \(id) in the inbox."
        case .notPossible(let id, let step, let state): "Item \(id) cannot be \(step): it is \(state.rawValue)."
        case .full: "Too many items wait for a decision."
        case .tooLarge(let bytes): "An offer of \(bytes) bytes is too large to be kept."
        }
    }
}

extension InboxRecord {
    init(_ row: Row) throws {
        self.init(
            id: row["id"], at: row.date("at"), changed: row.date("changed"), state: try known(row["state"]),
            reason: row["reason"],
            item: StoredInboxItem(
                peer: row["peer"], sender: row["sender"], parcel: row["parcel"], item: row["item"],
                place: row["place"], title: row["title"], rule: row["rule"]),
            deadline: row.dateIfPresent("deadline"), fallback: try (row["fallback"] as String?).map { try known($0) },
            file: (row["path"] as String?) == nil ? nil : StoredItemFile(row), folder: row["folder"],
            isForQuarantine: row["quarantine"])
    }
}
