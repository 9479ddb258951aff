import PortolanProtocol

/// Outcome of one item that was sent.
public struct Delivery: Sendable {
    public let transfer: TransferID
    public let title: String
    public let outcome: Outcome
    /// Entries of a folder that the receiver may not see and was not told of.
    public internal(set) var withheld = WithheldEntries()

    /// True if a converter of this device failed to make the form that the receiver took.
    public internal(set) var isUnconverted = false

    /// Index of the item among the sent ones.
    public var item: Int { transfer.item }

    public enum Outcome: Sendable {
        /// The receiver has stored it durably. `representation` is the index of its form in the item as it was given.
        case stored(StoredItem, representation: Int)
        /// The receiver declined it. `trouble` is an earlier failure to send a form that the receiver wanted.
        case declined(Decline, trouble: String?)
        /// The receiver wanted it, but has not stored it. `trouble` is this side's failure, if any.
        case failed(StoringFailure, trouble: String?)
        /// The connection broke, and the content cannot be sent again, since it can be read only once. The sentence is
        /// the reason of the break.
        case brokenOff(String)
        /// This peer may see none of its representations, so nothing of it was offered.
        case hidden
    }

    /// True if the receiver has stored the item.
    public var isStored: Bool {
        if case .stored = outcome { true } else { false }
    }

    /// Verified receipt of the receiver; nil if the receiver signed none.
    public var receipt: DeliveryReceipt? {
        if case .stored(let stored, _) = outcome { stored.receipt } else { nil }
    }
}

/// Event of a sending, in order.
public enum SendEvent: Sendable {
    /// A session is open to this peer, which proved its key.
    case connected(RemotePeer)
    /// The receiver's user is being asked.
    case waitingForAnswer
    /// A transfer has begun. Items and representations are numbered as they were given.
    case started(TransferID, representation: Int, name: String, bytes: UInt64?)
    /// Bytes of the item that are finished, including those that the receiver had before, and bytes that were sent.
    case progress(TransferID, done: UInt64, transferred: UInt64)
    /// Bytes of content of a folder that were found so far; `isAll` when the whole folder was read.
    case found(TransferID, bytes: UInt64, isAll: Bool)
    /// This representation could not be sent; the receiver may take another.
    case broke(TransferID, representation: Int, reason: String)
    case settled(Delivery)
    /// The receiver has kept this many bytes of the item from an earlier transfer; only the missing ones are sent.
    case resumed(TransferID, kept: UInt64)
    /// The session broke; `reason` is a sentence for people. Unsettled items are sent in another session after this
    /// time.
    case retrying(reason: String, after: Duration)
    /// A recently seen member of a team was not found yet, and is searched for at most this time.
    case looking(for: Duration)
}
