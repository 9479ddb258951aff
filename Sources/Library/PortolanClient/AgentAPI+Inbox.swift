import Foundation

extension AgentAPI {
    /// An item that a peer offered.
    public struct InboxItem: Codable, Hashable, Sendable, Identifiable {
        public enum State: String, Codable, Hashable, Sendable, CaseIterable {
            case waiting, accepted, received, quarantined, declined, failed
        }

        public var id: ID
        public var state: State
        public var reason: String?
        public var at: Date
        public var changed: Date
        /// Device key of the sender, hexadecimal.
        public var peer: String
        /// Name of the sender.
        public var sender: String
        public var parcel: ID?
        /// Number of the item in the offer, from 0.
        public var item: Int
        public var title: String
        /// Rule that decided, with its line.
        public var rule: String?
        /// Time at which `fallback` takes effect unless a person decides before.
        public var deadline: Date?
        /// `accept`, `quarantine` or `decline`.
        public var fallback: String?
        /// Path of the stored item.
        public var path: String?
        public var size: UInt64?
        /// Digest of the content, hexadecimal.
        public var digest: String?
        /// Description of the offer with its preview; nil in a list.
        public var offer: JSONValue?

        public init(
            id: ID, state: State, reason: String? = nil, at: Date, changed: Date, peer: String, sender: String,
            parcel: ID? = nil, item: Int = 0, title: String, rule: String? = nil, deadline: Date? = nil,
            fallback: String? = nil, path: String? = nil, size: UInt64? = nil, digest: String? = nil,
            offer: JSONValue? = nil
        ) {
            self.id = id
            self.state = state
            self.reason = reason
            self.at = at
            self.changed = changed
            self.peer = peer
            self.sender = sender
            self.parcel = parcel
            self.item = item
            self.title = title
            self.rule = rule
            self.deadline = deadline
            self.fallback = fallback
            self.path = path
            self.size = size
            self.digest = digest
            self.offer = offer
        }
    }

    public struct InboxPage: Codable, Hashable, Sendable {
        public var items: [InboxItem]
        /// Value of `after` for the next page; nil for the last page.
        public var next: ID?

        public init(items: [InboxItem], next: ID? = nil) {
            self.items = items
            self.next = next
        }
    }

    /// Decision to take an item.
    public struct Acceptance: Codable, Hashable, Sendable {
        /// Absolute path of a folder; nil for the one of the policy.
        public var into: String?

        public init(into: String? = nil) { self.into = into }
    }

    /// Decision to decline an item.
    public struct Refusal: Codable, Hashable, Sendable {
        /// A sentence for the sender.
        public var detail: String?

        public init(detail: String? = nil) { self.detail = detail }
    }
}
