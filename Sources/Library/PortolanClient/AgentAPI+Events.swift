import Foundation

extension AgentAPI {
    /// An entry of the journal.
    public struct Event: Codable, Hashable, Sendable {
        public var cursor: Int64
        /// Time by the clock of the machine, which may have been set back since the previous entry.
        public var at: Date
        /// Kind, for example `outbox.queued`. Later versions may add kinds.
        public var kind: String
        /// Identifier of a parcel, an offer or a shared item.
        public var transfer: String?
        /// Device key, hexadecimal.
        public var peer: String?
        public var body: JSONValue

        public init(
            cursor: Int64, at: Date, kind: String, transfer: String? = nil, peer: String? = nil,
            body: JSONValue = .object([:])
        ) {
            self.cursor = cursor
            self.at = at
            self.kind = kind
            self.transfer = transfer
            self.peer = peer
            self.body = body
        }
    }

    public struct EventPage: Codable, Hashable, Sendable {
        public var events: [Event]
        /// Cursor of the last event, or the requested one if there is none behind it.
        public var next: Int64

        public init(events: [Event], next: Int64) {
            self.events = events
            self.next = next
        }
    }
}
