/// State of an entry at planning time. A step that changes the entry runs only if the state still holds, and compares
/// it again afterwards.
package struct Expectation: Hashable, Sendable {
    package var entry: EntryID
    package var handle: FileHandleID
    package var parent: EntryID
    package var name: SyncName
    /// Nil for a folder.
    package var form: ContentForm?
    /// Of a removal: device to whose sum of deletions it adds; nil for none.
    var deleter: DeviceID?
    /// Metadata that the disk has.
    package var metadata: ItemMetadata?

    package init(_ entry: AgreedEntry) {
        self.entry = entry.id
        handle = entry.handle
        parent = entry.parent
        name = entry.name
        form = entry.form
        metadata = entry.onDisk
    }
}

/// A free name in a folder of the agreed tree. A step runs only if it still is free.
package struct StepTarget: Hashable, Sendable {
    package var parent: EntryID
    package var name: SyncName
}

/// Change of the disk, small enough that a crash leaves it done or not done.
package enum SyncStep: Hashable, Sendable {
    case makeFolder(TreeItem, StepTarget)
    /// Fetches content and puts it under a name that is free.
    case place(TreeItem, StepTarget)
    /// Fetches content and exchanges it with a file; the old file goes to the history.
    case replace(Expectation, TreeItem)
    case move(Expectation, StepTarget, isDisplaced: Bool)
    /// Moves an entry temporarily into the staging folder.
    case park(Expectation)
    /// Sets the time of a file or link, or the permissions of a folder.
    case set(Expectation, TreeItem)
    /// Moves a file to the history, or removes a folder that is empty.
    case remove(Expectation)
    /// Records that an entry represents other nodes or versions. The disk is not changed.
    case bind(EntryID, TreeItem)

    /// Content that must be fetched before the step runs.
    package var content: FileVersion? {
        switch self {
        case .place(let item, _), .replace(_, let item): item.content
        case .makeFolder, .move, .park, .set, .remove, .bind: nil
        }
    }

    /// Folder that gets something by the step.
    var filledFolder: EntryID? {
        switch self {
        case .makeFolder(_, let target), .place(_, let target), .move(_, let target, _): target.parent
        case .replace(let seen, _): seen.parent
        case .park, .set, .remove, .bind: nil
        }
    }
}

/// Reason why a node differs from the records although no step helps.
package enum BlockedReason: Hashable, Sendable {
    /// The folder above the node is not known yet.
    case unknownFolder(NodeID)
    /// This file system cannot hold the name.
    case impossibleName(NodeID, SyncName)
    /// Another file has the name, or one that is equal on this file system.
    case nameTaken(NodeID, SyncName, by: EntryID)
    /// The deletion of this entry, whose name or place the node needs or which is the node's own, waits for
    /// confirmation.
    case held(EntryID)
    /// A folder to be removed still contains entries.
    case folderInUse(EntryID)
}

package struct SyncPlan: Hashable, Sendable {
    /// Steps that can run now, in this order. They may make further ones possible, which are planned afterwards.
    package var steps: [SyncStep] = []
    package var waiting: [BlockedReason] = []
    /// Deletions by other members that wait for confirmation, in order.
    package var held: [HeldDeletion] = []
    /// Nodes that wait or are held.
    package var unsettled: Set<NodeID> = []
    /// Number of steps that were omitted because the replica does not make them.
    package var withheld = 0
    /// Judgement on the removals.
    var verdict = DeletionVerdict()
    /// Entries whose removal does not wait any more.
    var freed: [EntryID] = []

    package init() {}
}
