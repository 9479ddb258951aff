import PortolanProtocol

extension NodeEvent {
    /// Ready for peers.
    public struct Listening: EventFields {
        public let name: String
        public let fingerprint: Fingerprint
        public let port: UInt16
        /// Discovery in use: avahi, embedded or off.
        public let discovery: String
        /// Folder that receives items; `-` for standard output, null if nothing is received.
        public let inbox: OrNull<String>

        public static let fields: [Field] = [
            Field("name", .text, "text"), Field("fingerprint", .fingerprint, "text"), Field("port", .count, "number"),
            Field("discovery", .text, "how others find this peer: avahi, embedded or off"),
            Field("inbox", .orNull(.text), "path; - for standard output; null where nothing is received"),
        ]

        package init(name: String, fingerprint: Fingerprint, port: UInt16, discovery: String, inbox: String?) {
            self.name = name
            self.fingerprint = fingerprint
            self.port = port
            self.discovery = discovery
            self.inbox = OrNull(inbox)
        }
    }

    /// Another peer had the name, so this one is advertised under another.
    public struct Renamed: EventFields {
        public let name: String

        public static let fields: [Field] = [Field("name", .text, "the new name")]

        package init(name: String) { self.name = String(peerText: name) }
    }

    /// Items that a peer offers, and the chosen form of each.
    public struct Offer: EventFields {
        public let peer: ProvenPeer
        public let items: [OfferedItem]
        /// Titles of the items of which no form can be imported.
        public let notImportable: [String]
        /// Sender's identifier of the parcel, the first part of its transfer identifiers; null for requested items.
        public let parcel: OrNull<RandomID>

        public static let fields: [Field] = [
            .peer,
            Field(
                "items", .list(.offeredItem),
                "transfer (as in the events that follow), title, type, description, name, representation, representations, bytes (the most that are accepted, or null), apparentBytes (with holes, or null), mostBytes (of this form or another that comes in its place, or null), estimatedBytes (about, of a folder whose size is not known, or null), sizeKnown, folder, visibility, audience, message, image and icon (type, data in base64; or null) of each"
            ),
            Field("notImportable", .list(.text), "titles of which nothing can be taken"), .parcelOfSender,
        ]
    }

    public struct OfferedItem: Codable, Hashable, Sendable {
        /// Its identifier in the events that follow, if it is taken.
        public let transfer: TransferID
        public let title: String
        public let type: String
        public let description: OrNull<String>
        public let name: OrNull<String>
        /// Number of the form that would be taken, from 0.
        public let representation: Int
        /// Number of forms.
        public let representations: Int
        /// The most that are accepted.
        public let bytes: OrNull<UInt64>
        /// With holes.
        public let apparentBytes: OrNull<UInt64>
        /// Largest size of this form and of those that may come in its place.
        public let mostBytes: OrNull<UInt64>
        /// About how many, of a folder whose size is not known.
        public let estimatedBytes: OrNull<UInt64>
        public let sizeKnown: Bool
        public let folder: Bool
        public let visibility: String
        public let audience: OrNull<NamedAudience>
        public let message: String
        public let image: OrNull<Picture>
        public let icon: OrNull<Picture>
    }

    public struct Picture: Codable, Hashable, Sendable {
        public let type: String
        public let data: Data
    }

    /// Offer, or one item of an offer, that this device declined.
    public struct Declined: EventFields {
        /// null for the whole offer.
        public let transfer: OrNull<TransferID>
        public let peer: ProvenPeer
        /// null for the whole offer.
        public let title: OrNull<String>
        public let reason: String

        public static let fields: [Field] = [
            Field("transfer", .orNull(.transferID), "the item, as in offer; null for the whole offer"), .peer,
            Field("title", .orNull(.text), "the item's; null for the whole offer"), Field("reason", .text, "text"),
        ]

        package init(_ peer: RemotePeer, reason: String) {
            transfer = nil
            self.peer = ProvenPeer(peer)
            title = nil
            self.reason = String(peerText: reason)
        }

        package init(_ transfer: IncomingTransfer, reason: String) {
            self.transfer = OrNull(transfer.id)
            peer = ProvenPeer(transfer.peer)
            title = OrNull(String(peerText: transfer.title))
            self.reason = String(peerText: reason)
        }
    }

    /// A session that ended before its time.
    public struct Disconnected: EventFields {
        public let peer: ProvenPeer
        public let reason: String

        public static let fields: [Field] = [.peer, Field("reason", .text, "text")]

        package init(_ peer: RemotePeer, reason: String) {
            self.peer = ProvenPeer(peer)
            self.reason = String(peerText: reason)
        }
    }

    /// A connection that did not become a session.
    public struct Refused: EventFields {
        public let address: String
        public let reason: String

        public static let fields: [Field] = [Field("address", .text, "text"), Field("reason", .text, "text")]

        package init(address: String, reason: String) {
            self.address = String(peerText: address)
            self.reason = String(peerText: reason)
        }
    }

    /// Item that was not received; nothing of it is visible.
    public struct Failed: EventFields {
        public let transfer: TransferID
        public let peer: ProvenPeer
        public let title: String
        public let reason: String
        /// Parcel, as in ``Offer``.
        public let parcel: OrNull<RandomID>

        public static let fields: [Field] = [
            .transfer, .peer, Field("title", .text, "text"), Field("reason", .text, "text"), .parcelOfSender,
        ]

        package init(_ transfer: IncomingTransfer, reason: String) {
            self.transfer = transfer.id
            peer = ProvenPeer(transfer.peer)
            title = String(peerText: transfer.title)
            self.reason = String(peerText: reason)
            parcel = OrNull(transfer.parcelPlace?.parcel)
        }
    }

    /// Item that is durably stored, in the inbox or in quarantine.
    public struct Stored: EventFields {
        public let transfer: TransferID
        public let peer: ProvenPeer
        public let title: String
        /// Name under which it is stored.
        public let name: String
        /// Absolute; `-` for standard output.
        public let path: String
        public let type: String
        public let bytes: UInt64
        /// For passing it on.
        public let visibility: String
        public let audience: OrNull<NamedAudience>
        /// Number of its parts that were there already.
        public let keptEntries: UInt32
        /// Number of bytes that were there already.
        public let keptBytes: UInt64
        /// True if an existing item was updated.
        public let updated: Bool
        /// Files here that were part of the folder before and are not now.
        public let surplus: UInt32
        public let omissions: [OmittedPart]
        /// Number of parts that could not be carried, listed or not.
        public let omitted: UInt64
        /// Parcel, as in ``Offer``.
        public let parcel: OrNull<RandomID>

        public static let fields: [Field] = [
            .transfer, .peer, Field("title", .text, "text"), Field("name", .text, "as stored"),
            Field("path", .text, "absolute; - for standard output"), Field("type", .text, "identifier"),
            Field("bytes", .count, "number"), Field("visibility", .visibility, "for passing it on"), .audience,
            Field("keptEntries", .count, "how many of its parts were there already"),
            Field("keptBytes", .count, "how many of the bytes"),
            Field("updated", .truth, "whether an item that was there was brought up to date"),
            Field("surplus", .count, "files here that were part of the folder before and are not now"), .omissions,
            .omitted, .parcelOfSender,
        ]
    }

    /// Part of an item that could not be sent or stored.
    public struct OmittedPart: Codable, Hashable, Sendable {
        public let path: String
        public let reason: String
    }
}

extension NodeEvent.Offer {
    package init(_ offer: IncomingOffer) {
        self.init(
            peer: NodeEvent.ProvenPeer(offer.peer), items: offer.items.map(NodeEvent.OfferedItem.init),
            notImportable: offer.notImportable.map { String(peerText: $0) }, parcel: OrNull(offer.parcel))
    }
}

extension NodeEvent.OfferedItem {
    fileprivate init(_ item: IncomingOffer.Item) {
        self.init(
            transfer: item.transfer, title: String(peerText: item.title), type: String(peerText: item.contentType),
            description: OrNull(item.typeDescription.map { String(peerText: $0) }),
            name: OrNull(item.suggestedName.map { String(peerText: $0) }), representation: item.representation,
            representations: item.representationCount, bytes: OrNull(item.size),
            apparentBytes: OrNull(item.apparentSize), mostBytes: OrNull(item.mostBytes),
            estimatedBytes: OrNull(item.estimatedSize), sizeKnown: item.size != nil, folder: item.isFolder,
            visibility: item.restriction.visibility.description,
            audience: OrNull(NodeEvent.NamedAudience(item.restriction)),
            message: String(peerText: item.preview?.message ?? ""),
            image: OrNull(item.preview?.image.map(NodeEvent.Picture.init)),
            icon: OrNull(item.preview?.icon.map(NodeEvent.Picture.init)))
    }
}

extension NodeEvent.Picture {
    fileprivate init(_ picture: ItemPreview.Picture) {
        self.init(type: String(peerText: picture.type), data: picture.data)
    }
}

extension NodeEvent.Stored {
    package init(_ item: ReceivedItem) {
        self.init(
            transfer: item.transfer, peer: NodeEvent.ProvenPeer(item.peer), title: String(peerText: item.title),
            name: item.name, path: item.path, type: String(peerText: item.contentType), bytes: item.bytes,
            visibility: item.restriction.visibility.description,
            audience: OrNull(NodeEvent.NamedAudience(item.restriction)), keptEntries: item.keptEntries,
            keptBytes: item.keptBytes, updated: item.isUpdated, surplus: item.surplusEntries,
            omissions: item.omissions.partsOfEvent, omitted: item.omissions.count,
            parcel: OrNull(item.parcelPlace?.parcel))
    }
}

extension Omissions {
    var partsOfEvent: [NodeEvent.OmittedPart] {
        listed.map { omission in
            NodeEvent.OmittedPart(
                path: DisplayText(bytes: omission.path, limit: 1024).text, reason: omission.reason.rawValue)
        }
    }
}
