import PortolanSyncPlan
import PortolanValues

/// Fault of an index, or of a folder against its index.
package struct SyncFinding: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// The disk has an item without an entry.
        case untracked
        /// An entry has no item on the disk.
        case missing
        /// The item at the place of an entry is another one.
        case otherFile = "other-file"
        /// Content, permission bits or extended attributes differ from those of the entry.
        case content
        /// The time of the file, or the permission bits of the folder, differ from those of the entry.
        case metadata
        /// The entry differs from the item in the records, and nothing is planned.
        case version
        /// The records have no item for the entry, and nothing is planned.
        case unrecorded
        /// The item in the records has no entry, and nothing is planned.
        case unplaced
        /// Two entries have one place.
        case double
        /// Two nodes of one device have one place, although neither was ever moved or deleted.
        case phantom
        /// The entry is in no folder.
        case lost
        /// A row of the table of known files differs from the disk.
        case known
        /// The entry counts as held, and no deletion is held.
        case held
        /// The node is in an unknown folder, and nothing is planned.
        case unreachable
        /// The node leaves a ring of folders that does not exist.
        case ring
        /// A member has acknowledged changes that do not exist.
        case position
        /// The node waits without a reason.
        case waiting
        /// The index cannot be read.
        case index
    }

    package var kind: Kind
    /// Path in the folder; empty for none.
    package var path: DisplayText

    /// Sentence for people.
    package var sentence: String {
        switch kind {
        case .untracked: "It is on the disk, and the index does not have it."
        case .missing: "The index has it, and the disk does not."
        case .otherFile: "The index has another file or folder there than the disk."
        case .content: "Its content or permissions on the disk are not those in the index."
        case .metadata: "Its time or permissions on the disk are not those in the index."
        case .version: "The index and the records of the members differ about it."
        case .unrecorded: "The index has it, and the records of the members do not."
        case .unplaced: "The records of the members have it, and the index does not."
        case .double: "The index has it twice."
        case .phantom: "The records of the members have it twice, by one device."
        case .lost: "The index has it in a folder that is not there."
        case .known: "The index has its last state wrong."
        case .held: "It counts as deleted and held, although no such deletion is held."
        case .unreachable: "The records of the members have it in a folder that is not there."
        case .ring: "It counts as a part of a ring of folders that is not there."
        case .position: "A member counts as knowing changes that do not exist."
        case .waiting: "It waits, and there is no reason."
        case .index: "The index cannot be read."
        }
    }
}

/// Result of the comparison of a folder with its index.
package struct SyncCheck: Sendable {
    /// Faults, in the order of their paths.
    package var findings: [SyncFinding] = []
    /// Number of files and folders on the disk that were compared.
    package var compared = 0
    /// Paths of files that changed during the comparison, and are compared once they rest.
    package var unsettled: [DisplayText] = []
    /// Result of the synchronization before the comparison.
    package var report = SyncReport()

    /// True if nothing was found.
    package var isSilent: Bool { findings.isEmpty }
}

/// Extent of a check.
package enum SyncCheckManner: Hashable, Sendable {
    case comparing
    /// `startsOver` is true if a person has confirmed the state of a folder that is left alone.
    case repairing(startsOver: Bool)
}

/// Result of a repair.
package struct SyncRepair: Sendable {
    /// Findings before and after it.
    package var found: SyncCheck
    package var left: SyncCheck
    /// True if the index was begun anew.
    package var beganEpoch = false
}

/// Finding with the change of the index that ends it.
struct SyncFault: Sendable {
    var finding: SyncFinding
    var mending: SyncMending
}

/// Change of the index that makes it true. Files are read again by a complete scan after it.
enum SyncMending: Hashable, Sendable {
    /// The complete scan suffices.
    case scan
    /// The file is read again.
    case forget(FilePlace)
    case forgetFolder(UInt64)
    /// The entry is removed, with all in it, without being a deletion: it is missing for no reason that is known.
    case release(EntryID)
    /// The entry is removed, and its content gets to another one.
    case merge(EntryID, into: EntryID)
    /// The entry is held no more.
    case bring(EntryID)
    /// The nodes are planned again.
    case plan([NodeID])
    /// The node is deleted, and its content moves to another one.
    case join(NodeID, with: NodeID)
    case leaveRing(NodeID)
    case forgetPosition(DeviceID)
}
