import PortolanCrypto
import PortolanProtocol

/// Outcome of one item that was sent.
public struct Delivery: Sendable {
    public let transfer: TransferID
    public let title: String
    public let outcome: Outcome
    /// Entries of a folder that the receiver may not see. It was told nothing of them.
    public let withheld: WithheldEntries

    init(_ transfer: TransferID, title: String, outcome: Outcome, withheld: WithheldEntries = WithheldEntries()) {
        self.transfer = transfer
        self.title = title
        self.outcome = outcome
        self.withheld = withheld
    }

    /// The item's place among those that were sent.
    public var item: Int { transfer.item }

    public enum Outcome: Sendable {
        /// The receiver holds it durably, made of the representation at this place of the item as it was given.
        case stored(StoredItem, representation: Int)
        /// The receiver did not want it. `trouble` says what could not be sent before, if it had wanted something.
        case declined(Decline, trouble: String?)
        /// The receiver wanted it and does not have it. `trouble` says what went wrong on this side, if anything did.
        case failed(StoringFailure, trouble: String?)
        /// The connection broke, and the rest could not be sent again: it can be read only once. The sentence says why
        /// it broke.
        case brokenOff(String)
        /// This peer may see none of its representations: nothing of it was offered.
        case hidden
    }

    /// True if the receiver has stored the item.
    public var isStored: Bool {
        if case .stored = outcome { true } else { false }
    }

    /// The verified receipt of the receiver; nil where it signed none.
    public var receipt: DeliveryReceipt? {
        if case .stored(let stored, _) = outcome { stored.receipt } else { nil }
    }
}

/// Event while items are sent, in order.
public enum SendEvent: Sendable {
    /// A session is open to this peer, which proved its key.
    case connected(RemotePeer)
    /// A person is asked on the other side.
    case waitingForAnswer
    /// Items and representations are numbered as they were given.
    case started(TransferID, representation: Int, name: String, bytes: UInt64?)
    /// Bytes of the item that need no more attention, those that the receiver had before among them; and those that
    /// were sent.
    case progress(TransferID, done: UInt64, transferred: UInt64)
    /// A folder comes to so many bytes of content, as far as it was gone through while it is sent; `isAll` when it was
    /// to its end.
    case found(TransferID, bytes: UInt64, isAll: Bool)
    /// This representation could not be sent; the receiver may take another.
    case broke(TransferID, representation: Int, reason: String)
    case settled(Delivery)
    /// The receiver had kept so many bytes of this item from before; only what is missing is sent.
    case resumed(TransferID, kept: UInt64)
    /// The session broke, for a reason that is a sentence for people. The next one is tried after this time, for what
    /// is not settled.
    case retrying(reason: String, after: Duration)
    /// A member of a team that was seen lately is not found yet, and is looked for at most so long.
    case looking(for: Duration)
}
