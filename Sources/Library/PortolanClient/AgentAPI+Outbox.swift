import Foundation

extension AgentAPI {
    /// A parcel to queue. It has either paths, or a text, or a document.
    public struct NewParcel: Codable, Hashable, Sendable {
        /// Receiver: a name, the beginning of a fingerprint, `host:port`, `@team` or `@team/group`.
        public var target: String
        /// Absolute paths, one item each.
        public var paths: [String]?
        public var text: String?
        /// Document of a parcel that the library made, with its own target and options.
        public var document: Data?
        public var title: String?
        /// True to deliver a copy of the files in their present state, which the agent keeps until the parcel is
        /// settled. nil means no.
        public var copy: Bool?
        /// Time after which the parcel is no longer delivered.
        public var expires: Date?
        public var options: ParcelOptions?

        public init(
            target: String, paths: [String]? = nil, text: String? = nil, document: Data? = nil, title: String? = nil,
            copy: Bool? = nil, expires: Date? = nil, options: ParcelOptions? = nil
        ) {
            self.target = target
            self.paths = paths
            self.text = text
            self.document = document
            self.title = title
            self.copy = copy
            self.expires = expires
            self.options = options
        }
    }

    /// Options of a parcel; nil for those of the agent's configuration.
    public struct ParcelOptions: Codable, Hashable, Sendable {
        public enum Compression: String, Codable, Hashable, Sendable {
            case automatic, always, never
        }

        public var compression: Compression?
        /// Largest rate in bytes per second, at least 1.
        public var limitRate: UInt64?
        /// True to send extended attributes.
        public var attributes: Bool?
        /// True if an item counts as delivered although parts of it were omitted.
        public var allowOmissions: Bool?

        public init(
            compression: Compression? = nil, limitRate: UInt64? = nil, attributes: Bool? = nil,
            allowOmissions: Bool? = nil
        ) {
            self.compression = compression
            self.limitRate = limitRate
            self.attributes = attributes
            self.allowOmissions = allowOmissions
        }
    }

    /// A parcel of the outbox.
    public struct Parcel: Codable, Hashable, Sendable, Identifiable {
        public enum State: String, Codable, Hashable, Sendable, CaseIterable {
            case waiting, running, delivered, failed, expired, cancelled
        }

        public var id: ID
        public var target: String
        public var titles: [String]
        public var state: State
        /// Sentence about the last attempt.
        public var reason: String?
        public var created: Date
        public var changed: Date
        public var expires: Date?
        public var attempts: Int
        /// Time of the next attempt unless the peer appears before.
        public var due: Date?
        /// Outcomes of single items at single receivers; nil in a list.
        public var settlements: [Settlement]?

        public init(
            id: ID, target: String, titles: [String], state: State, reason: String? = nil, created: Date, changed: Date,
            expires: Date? = nil, attempts: Int = 0, due: Date? = nil, settlements: [Settlement]? = nil
        ) {
            self.id = id
            self.target = target
            self.titles = titles
            self.state = state
            self.reason = reason
            self.created = created
            self.changed = changed
            self.expires = expires
            self.attempts = attempts
            self.due = due
            self.settlements = settlements
        }
    }

    /// Outcome of one item of a parcel at one receiver.
    public struct Settlement: Codable, Hashable, Sendable {
        /// Device key of the receiver, hexadecimal.
        public var member: String
        /// Name of the receiver in the parcel's team.
        public var name: String?
        /// Number of the item in the parcel, from 0.
        public var item: Int
        /// `stored`, `incomplete`, `declined`, `nothing-in-common` or `failed`.
        public var outcome: String
        public var reason: String?
        public var at: Date?
        /// Receipt that the receiver signed.
        public var receipt: Data?
        /// True if the receipt is valid: signed by that receiver for that item of this device; nil without a receipt.
        public var receiptIsValid: Bool?

        public init(
            member: String, name: String? = nil, item: Int, outcome: String, reason: String? = nil, at: Date? = nil,
            receipt: Data? = nil, receiptIsValid: Bool? = nil
        ) {
            self.member = member
            self.name = name
            self.item = item
            self.outcome = outcome
            self.reason = reason
            self.at = at
            self.receipt = receipt
            self.receiptIsValid = receiptIsValid
        }
    }

    public struct ParcelPage: Codable, Hashable, Sendable {
        public var parcels: [Parcel]
        /// Value of `after` for the next page; nil for the last page.
        public var next: ID?

        public init(parcels: [Parcel], next: ID? = nil) {
            self.parcels = parcels
            self.next = next
        }
    }
}
