import PortolanFiles
import PortolanSyncModel
import PortolanValues

/// Limits of one folder.
package struct SyncSettings: Hashable, Sendable {
    /// Deletions that need a person, where they are found and where they would be made.
    package var deletionGuard = DeletionGuard()
    /// Age, in seconds, after which what was replaced or deleted is given up.
    package var historySeconds: Int64 = 30 * 86_400
    /// Size, in bytes, that all of the history may have.
    package var historyBytes: UInt64 = 10 << 30

    package init() {}
}

/// Result of one synchronization of a folder with what was heard from the members.
package struct SyncReport: Sendable {
    /// Something that is not as the records want it, and why.
    package enum Wait: Hashable, Sendable {
        case model(Waiting)
        /// No name that a file gets here.
        case name(Name)
        /// Files that are not synchronized are in a folder that is to be removed.
        case folderInUse(EntryID)
        /// Something that is not synchronized has the name.
        case inTheWay(Name)
        /// Nobody who can be reached has the content.
        case content(ContentDigest)
        /// The disk has no room for content: no more is asked for before the next synchronization.
        case diskFull
        /// Content cannot be used, or the disk refuses it; safe to print.
        case failure(DisplayText)
    }

    /// A new epoch has begun, for this reason.
    package var newEpoch: Opening.Reason?
    /// Steps that were done on the disk.
    package var steps = 0
    /// Files whose content was asked for, and files whose content was here.
    package var fetched = 0
    package var copied = 0
    package var waiting: Set<Wait> = []
    /// A deletion by a person here, which waits for confirmation before others hear of it.
    package var heldHere: HeldDeletion?
    /// A deletion that others made, which waits for confirmation before it is made here.
    package var heldFromOthers: HeldDeletion?
    package var skipped: [SkippedFile] = []
    /// Steps that the ways of this device forbid.
    package var withheld = 0
    /// Paths of what persons changed here and nobody is told of; a folder stands for what is in it.
    package var untold: [String] = []
    /// Number of the synchronization in the history.
    let change = Int64.random(in: 1 ... .max)
    /// Files were changed so lately that one has to look again, after two seconds.
    package var looksAgain = false

    init() {}

    /// Nothing is left to be done, but what waits for a person.
    package var isSettled: Bool { waiting.isEmpty && !looksAgain }
}
