import PortolanProtocol

extension NodeEvent {
    /// An item that can be fetched.
    public struct Shared: EventFields {
        /// 32 hexadecimal digits.
        public let id: String
        public let title: String

        public static let fields: [Field] = [Field("id", .itemID, "the item's"), Field("title", .text, "text")]

        package init(_ id: ItemID, title: String) {
            self.id = id.description
            self.title = title
        }
    }

    /// Shared item that cannot be fetched any more.
    public struct Withdrawn: EventFields {
        /// 32 hexadecimal digits.
        public let id: String
        public let title: String
        public let reason: String

        public static let fields: [Field] = [
            Field("id", .itemID, "the item's"), Field("title", .text, "text"), Field("reason", .text, "text"),
        ]

        package init(_ id: ItemID, title: String, reason: String) {
            self.id = id.description
            self.title = title
            self.reason = reason
        }
    }

    /// Outcome of a peer's request for a shared item.
    public struct Fetched: EventFields {
        public let peer: ProvenPeer
        /// Identifier of the item.
        public let id: String
        public let title: String
        /// The exit status that it would be for a sending.
        public let code: Int32
        /// Word for the exit status.
        public let kind: String

        public static let fields: [Field] = [
            .peer, Field("id", .itemID, "the item's"), Field("title", .text, "text"),
            Field("code", .count, "the exit status that it would be for 'send'"),
            Field("kind", .text, "its word, see exit-codes"),
        ]

        package init(_ id: ItemID, by peer: RemotePeer, title: String, code: Int32, kind: String) {
            self.peer = ProvenPeer(peer)
            self.id = id.description
            self.title = title
            self.code = code
            self.kind = kind
        }
    }

    /// An item that a peer shares with this device.
    public struct SharedItemState: EventFields {
        /// Form of the item.
        public struct Form: Codable, Hashable, Sendable {
            public let type: String
            public let description: OrNull<String>
            /// Suggested file name.
            public let name: OrNull<String>
            public let bytes: OrNull<UInt64>
            public let folder: Bool
            /// For passing it on.
            public let visibility: String
            public let audience: OrNull<NamedAudience>
        }

        /// 32 hexadecimal digits.
        public let id: String
        public let title: String
        public let message: OrNull<String>
        /// The best first.
        public let forms: [Form]

        public static let fields: [Field] = [
            Field("id", .itemID, "32 hexadecimal digits"), Field("title", .text, "text"),
            Field("message", .orNull(.text), "text or null"),
            Field(
                "forms", .list(.sharedForm),
                "the best first; type, description, name, bytes, folder, visibility, audience of each"),
        ]
    }
}

extension NodeEvent.SharedItemState {
    package init(_ item: SharedItem) {
        self.init(
            id: item.id.description, title: String(peerText: item.title),
            message: OrNull(item.preview.map { String(peerText: $0.message) }), forms: item.forms.map(Form.init))
    }
}

extension NodeEvent.SharedItemState.Form {
    fileprivate init(_ form: SharedItem.Form) {
        self.init(
            type: String(peerText: form.type.identifier),
            description: OrNull(form.type.shownDescription.map { String(peerText: $0) }),
            name: OrNull(form.suggestedName.map { String(peerText: $0) }), bytes: OrNull(form.size),
            folder: form.isFolder, visibility: form.restriction.visibility.description,
            audience: OrNull(NodeEvent.NamedAudience(form.restriction)))
    }
}
