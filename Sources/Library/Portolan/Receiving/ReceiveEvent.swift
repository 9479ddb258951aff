import PortolanProtocol

/// Offer of a peer. All its texts are the peer's: show them through `DisplayText`.
public struct IncomingOffer: Sendable {
    public struct Item: Sendable {
        /// Its identifier in events, if it is taken.
        public let transfer: TransferID
        public let title: String
        /// The representation that would be taken: the first, in the sender's order, that can be imported.
        public let contentType: String
        public let typeDescription: String?
        public let suggestedName: String?
        /// Index of the form among the offered ones, and their number.
        public let representation: Int
        public let representationCount: Int
        /// Most bytes of content that are accepted; nil if the sender does not know, as for a folder or a stream. Then
        /// only ``ReceiveOptions/maximumSize`` and the free space limit it.
        public let size: UInt64?
        /// The size that it appears to have, in bytes, holes counted; nil where ``size`` is.
        public let apparentSize: UInt64?
        /// Largest apparent size of this representation and of those that may replace it, in bytes; nil if one of them
        /// is unknown.
        public let mostBytes: UInt64?
        /// About how many bytes of content it has, as the sender says of a folder without ``size``. It limits nothing:
        /// show it as an estimate.
        public internal(set) var estimatedSize: UInt64?
        public let isFolder: Bool
        /// Peers to which it may be passed on.
        public let restriction: Restriction
        /// All offered forms in the sender's order, including those that cannot be imported. A form's number is its
        /// index.
        public let preview: ItemPreview?
        /// All forms that are offered of it, in the sender's order, those included that cannot be imported. A form's
        /// number is its place.
        public let forms: [Form]
        /// Identity of the item in its sender's parcel; nil if it is part of none.
        public internal(set) var parcelPlace: ParcelPlace?
    }

    /// Form of an offered item.
    public struct Form: Sendable, Hashable {
        public let contentType: String
        public let typeDescription: String?
        public let suggestedName: String?
        /// Bytes of content; nil if the sender does not know.
        public let size: UInt64?
        /// Bytes with holes counted; nil where ``size`` is.
        public let apparentSize: UInt64?
        public let isFolder: Bool
        /// Peers to which it may be passed on.
        public let restriction: Restriction
        /// True for a folder of a type of folders, and for a file of any other type.
        package let fitsItsType: Bool
    }

    public let peer: RemotePeer
    /// Items with an importable form.
    public internal(set) var items: [Item]
    /// Titles of the items without an importable form.
    public let notImportable: [String]
    /// The sender's identifier of the parcel that the items are part of; nil if they are part of none.
    public internal(set) var parcel: RandomID?
}

/// Item from a peer, from the moment at which its transfer starts or fails.
public struct IncomingTransfer: Sendable, Hashable, Identifiable {
    public let id: TransferID
    public let peer: RemotePeer
    /// The peer's text: show it through `DisplayText`.
    public let title: String
    /// Identity of the item in its sender's parcel; nil if it is part of none.
    public internal(set) var parcelPlace: ParcelPlace?
}

/// An item that was received, in the inbox or another folder.
public struct ReceivedItem: Sendable {
    private let origin: IncomingTransfer
    private let stored: StoredItem
    public var transfer: TransferID { origin.id }
    public var peer: RemotePeer { origin.peer }
    public var title: String { origin.title }
    /// Name of the stored item; empty for output to a descriptor.
    public internal(set) var name: String
    /// Path of the item; ``output`` for an item that was written to a descriptor.
    public internal(set) var path: String
    public let contentType: String
    /// True if the item is text and no file: plain text that its sender gave no file name (``Item/text(_:title:)``).
    public let isText: Bool
    public var bytes: UInt64 { stored.bytes }
    /// Peers to which it may be passed on; stored with the files.
    public let restriction: Restriction
    /// Number of its files, folders and links.
    public var entries: UInt32 { stored.entries }
    /// Number of those entries that were present already.
    public var keptEntries: UInt32 { stored.keptEntries }
    /// Bytes that were present already and were not sent.
    public var keptBytes: UInt64 { stored.keptBytes }
    /// True if an existing item was updated.
    public var isUpdated: Bool { stored.isUpdated }
    /// Files of an updated folder that an earlier transfer stored and this one did not contain. They stay.
    public var surplusEntries: UInt32 { stored.surplusEntries }
    /// Parts that either side omitted.
    public var omissions: Omissions { stored.omissions }
    /// True if it is in quarantine (``Destination/isQuarantine``), so that it does not count as received.
    public let isQuarantined: Bool
    /// Identity of the item in its sender's parcel; nil if it is part of none.
    public var parcelPlace: ParcelPlace? { origin.parcelPlace }
    /// Receipt that this device signs for the sender; nil if it signs none.
    public var receipt: DeliveryReceipt? { stored.receipt }

    /// - Parameters:
    ///   - name: stored name; empty for output to a descriptor.
    ///   - path: path of the item.
    ///   - isNamed: true if its sender gave it a file name.
    init(
        _ stored: StoredItem, _ taken: OfferedRepresentation, by transfer: IncomingTransfer, name: String, path: String,
        isNamed: Bool = true, isQuarantined: Bool = false
    ) {
        origin = transfer
        self.stored = stored
        self.name = name
        self.path = path
        contentType = taken.type.identifier
        isText = !isNamed && taken.channel == .data && taken.type.localType?.conforms(to: .plainText) ?? false
        restriction = taken.restriction
        self.isQuarantined = isQuarantined
    }

    /// Stands for the path in the case of output to a descriptor.
    public static let output = "-"
}

/// Event of a receiving node, in order for each peer.
public enum ReceiveEvent: Sendable {
    case listening(port: UInt16, name: String, discovery: String)
    /// A peer has opened a session to this node, and may send offers.
    case connected(RemotePeer)
    /// Another peer has the same name: this one announces the given name instead.
    case renamed(String)
    case offered(IncomingOffer)
    /// All of an offer was declined on this side.
    case declined(RemotePeer, reason: String)
    /// Item of an offer that this side declined; others may have been taken.
    case declinedItem(IncomingTransfer, reason: String)
    case started(IncomingTransfer, bytes: UInt64?)
    /// Bytes of the item that were present already; only the missing ones are sent.
    case resumed(IncomingTransfer, kept: UInt64)
    /// Bytes of the item that are present, and bytes that were transferred in this session.
    case progress(IncomingTransfer, done: UInt64, transferred: UInt64)
    /// Bytes of content of a folder that its sender has found so far; `isAll` when it has read the whole folder.
    case found(IncomingTransfer, bytes: UInt64, isAll: Bool)
    case stored(ReceivedItem)
    /// Item in quarantine (``Destination/isQuarantine``), complete and durable. It does not count as received.
    case quarantined(ReceivedItem)
    /// An item was not received; nothing of it is visible.
    case failed(IncomingTransfer, reason: String)
    /// A session with this peer ended in order: everything that the peer sent was answered.
    case finished(RemotePeer)
    /// A session ended before its time.
    case disconnected(RemotePeer, reason: String)
    /// A connection that never became a session.
    case refused(address: String, reason: String)
    /// Warning for the user of this node, such as a reason why others cannot find it.
    case warning(String)
}
