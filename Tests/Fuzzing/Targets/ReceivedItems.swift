import PortolanFiles
import PortolanProtocol

extension PartialAbout {
    /// - Returns: nil if the sender gave no source, so that the item has no identity.
    init?(_ offered: OfferedRepresentation, as begin: Message.Begin, called name: FileName) {
        guard let identity = ItemIdentity(bytes: offered.source + offered.source) else { return nil }
        self.init(
            identity: identity, peerName: "peer", peerFingerprint: "fingerprint", title: "title", name: name,
            typeIdentifier: offered.type.identifier, size: begin.size, acceptedSize: offered.apparentSize,
            isFolder: offered.isFolder)
    }
}

extension StoredItem {
    /// The receipt for an item that an inbox has stored.
    init(_ stored: PublishedItem, omissions: Omissions) throws {
        try self.init(
            name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(clamping: stored.entries),
            omissions: omissions, keptEntries: UInt32(clamping: stored.keptEntries), keptBytes: stored.keptBytes,
            isUpdated: stored.updated)
    }
}
