import Foundation

extension AgentAPI {
    /// An item to share. It has either a path, or a text, or a document.
    public struct NewSharedItem: Codable, Hashable, Sendable {
        /// Absolute path.
        public var path: String?
        public var text: String?
        /// Document of an item that the library made, with its title and audience.
        public var document: Data?
        public var title: String?
        /// Audience: `@team` or `@team/group`; nil for everybody.
        public var audience: String?
        /// Time at which the item is removed; nil for an item without a limit.
        public var expires: Date?

        public init(
            path: String? = nil, text: String? = nil, document: Data? = nil, title: String? = nil,
            audience: String? = nil, expires: Date? = nil
        ) {
            self.path = path
            self.text = text
            self.document = document
            self.title = title
            self.audience = audience
            self.expires = expires
        }
    }

    /// An item on the shelf.
    public struct SharedItem: Codable, Hashable, Sendable, Identifiable {
        public var id: ID
        public var title: String
        public var path: String?
        /// Text for people about the audience; nil for everybody.
        public var audience: String?
        public var created: Date
        public var expires: Date?
        /// Number of fetches by peers.
        public var fetches: Int

        public init(
            id: ID, title: String, path: String? = nil, audience: String? = nil, created: Date, expires: Date? = nil,
            fetches: Int = 0
        ) {
            self.id = id
            self.title = title
            self.path = path
            self.audience = audience
            self.created = created
            self.expires = expires
            self.fetches = fetches
        }
    }

    public struct Shelf: Codable, Hashable, Sendable {
        public var items: [SharedItem]

        public init(items: [SharedItem]) { self.items = items }
    }
}
