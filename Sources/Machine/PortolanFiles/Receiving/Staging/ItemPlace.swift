import PortolanValues

/// Source and destination of an item, constant while it arrives.
struct ItemPlace: Sendable {
    let inbox: Inbox
    /// The inbox, open.
    let folder: Descriptor
    /// Record with which another transfer can resume the item; nil if none can.
    let about: PartialAbout?
    /// Identity of the source, with which the stored item is marked; nil for an item that is not recognised later.
    let identity: ItemIdentity?
    /// Restriction of the item; stored with each file and folder that has no stricter one.
    let restriction: Restriction
    /// Properties that must not be lost.
    let required: Fidelity
    /// Allowed permission bits of files.
    let permitted: UInt16
    /// The stored folder that is brought up to date, or stored files that may equal the item.
    let targets: [StoredTarget]
    /// Identity of the sender, with which the stored item is marked; nil for an item that is not recognised later.
    let sender: SenderIdentity?
    /// Sender's mark on each file (``ReceivedMark/Details/sender``): digests are sent only for files with the sender's
    /// own mark.
    let senderTag: UInt64?
    /// Other items of the sender, in which files of a new item may be found.
    let related: [RelatedItem]
    let space: SpaceWatch
    let isInMemory: Bool
    /// Polled by long copies.
    let interruption = StopRequest()

    init(
        inbox: Inbox, folder: Descriptor, about: PartialAbout?, identity: ItemIdentity?, restriction: Restriction,
        required: Fidelity, permitted: UInt16, targets: [StoredTarget], reserve: UInt64, sender: SenderIdentity?,
        related: [RelatedItem]
    ) {
        self.inbox = inbox
        self.folder = folder
        self.about = about
        self.identity = identity
        self.restriction = restriction
        self.required = required
        self.permitted = permitted
        self.targets = targets
        self.sender = sender
        senderTag = sender?.tag
        self.related = related
        space = SpaceWatch(folder, reserve: reserve)
        isInMemory = inbox.storage.isInMemory(folder)
    }

    var storage: any Storage { inbox.storage }
    var features: KernelFeatures { inbox.features }

    /// The stored folder that is brought up to date.
    var target: StoredTarget? { targets.first { $0.folder != nil } }
}

// MARK: - Restrictions of single files and folders

extension ItemPlace {
    /// Returns the restriction of an entry: its own combined with that of its folder.
    func restriction(of entry: TreeEntry, in folder: ItemFolder?) -> Restriction {
        guard let folder else { return restriction }
        return entry.restriction.map(folder.restriction.and) ?? folder.restriction
    }

    /// Returns true if a file of an earlier transfer has the restriction that it would get now.
    ///
    /// Checked only for an entry whose restriction differs from the item's: each file of the earlier transfer has at
    /// least the item's restriction.
    func isKept(_ restriction: Restriction, on name: String, in folder: Descriptor) -> Bool {
        guard restriction != self.restriction else { return true }
        guard let file = try? Beneath.openToRead(name, in: folder, features: features) else { return false }
        return isKept(restriction, on: file)
    }

    func isKept(_ restriction: Restriction, on file: Descriptor) -> Bool {
        restriction == self.restriction || (try? StoredVisibility.read(file)) == restriction
    }
}
