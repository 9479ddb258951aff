import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Limits of one folder.
package struct SyncSettings: Hashable, Sendable {
    /// Limits above which deletions need a person, at their detection and before they are made.
    package var deletionGuard = DeletionGuard()
    /// Age, in seconds, after which replaced and deleted versions are removed.
    package var historySeconds: Int64 = 30 * 86_400
    /// Largest size of the history, in bytes.
    package var historyBytes: UInt64 = 10 << 30
    /// Most nodes of one plan, while more have changed: their records, items and steps are in memory together.
    package var maximumPart = 4096

    package init() {}
}

/// Result of one synchronization of a folder with the known changes of the members.
package struct SyncReport: Sendable {
    /// Difference from the records that remains, with its reason.
    package enum RemainingDifference: Hashable, Sendable {
        case model(BlockedReason)
        /// The name is not possible here.
        case name(SyncName)
        /// A folder to be removed contains files that are not synchronized.
        case folderInUse(EntryID)
        /// A database is to be moved, removed or replaced by another file, and a program has it open.
        case databaseInUse(EntryID)
        /// A file that is not synchronized has the name.
        case inTheWay(SyncName)
        /// No reachable member has the content.
        case content(ContentDigest)
        /// Contents are being fetched.
        case coming
        /// The disk has no room for content: no more is requested before the next synchronization.
        case diskFull
        /// A link that would lead out of the folder; the text is safe to print.
        case link(DisplayText)
        /// Content cannot be used, or the disk rejects it; safe to print.
        case failure(DisplayText)
        /// The node waits, and nothing is in its way.
        case unexplained(NodeID)
    }

    /// Reason of a new epoch, if one has begun.
    package var newEpoch: ReplicaStart.Reason?
    /// Number of steps that were done on the disk.
    package var steps = 0
    /// Contents that are not here, in the order in which they are of use.
    package var wanted: [WantedContent] = []
    /// Number of files whose content came from others, and of files whose content was here.
    package var fetched = 0
    package var copied = 0
    package var waiting: Set<RemainingDifference> = []
    /// Paths of what waits, in order, as far as they are known.
    package var places: [RemainingDifference: [String]] = [:]
    /// Steps that wait, a few of each reason.
    var waitingSteps: [RemainingDifference: [SyncStep]] = [:]
    /// Deletions by persons here, which wait for confirmation before they are announced.
    package var heldHere: [HeldDeletion] = []
    /// Deletions by other members, which wait for confirmation before they are made here.
    package var heldFromOthers: [HeldDeletion] = []
    package var skipped: [SkippedFile] = []
    /// States of the repositories in the folder.
    package var repositories: [RepositoryReport] = []
    /// Rules of others that exclude less, and wait for confirmation.
    package var heldRules: [HeldRules] = []
    /// Number of steps that the mode of this device forbids.
    package var withheld = 0
    /// Paths of changes by persons here that are not announced, because of the mode, or in the place of something whose
    /// deletion waits; a folder stands for its contents.
    package var untold: [String] = []
    /// Number of the synchronization in the history.
    let change = Int64.random(in: 1 ... .max)
    /// True if files changed so recently that another scan is needed, after two seconds.
    package var looksAgain = false

    /// Folders that must be read again after some time, even without a change in them.
    package var nextLook: (after: Duration, changes: FolderChanges)?

    init() {}

    /// True if the scan has read all folders, as far as they have anything to be kept alike.
    var isWhole: Bool {
        !skipped.contains { skipped in
            switch skipped.reason {
            case .attributes, .special, .name, .own, .rules, .forgotten, .repository: false
            default: true
            }
        }
    }

    /// True if changed nodes may wait for something that is known.
    var explainsWaiting: Bool {
        let reasons = waiting.contains { if case .unexplained = $0 { false } else { true } }
        return reasons || !heldHere.isEmpty || !heldFromOthers.isEmpty || withheld > 0 || !untold.isEmpty || looksAgain
            || !isWhole
    }

    /// All deletions that wait for a person, in order.
    package var held: [HeldDeletion] { (heldHere + heldFromOthers).sorted() }

    /// True if no work remains, except decisions of a person.
    package var isSettled: Bool { waiting.isEmpty && !looksAgain }
}
