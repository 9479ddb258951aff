/// A file or folder as a scan found it.
package struct ScannedFile: Hashable, Sendable {
    package var handle: FileHandleID
    package var parent: FileHandleID
    package var name: SyncName
    package var kind: NodeKind
    /// Nil for a folder.
    package var form: ContentForm?
    package var size: UInt64
    /// Nil if they were not read: they count as unchanged.
    package var metadata: ItemMetadata?
    /// Name in the records, for a file that was a second version before this epoch; nil for others.
    package var original: SyncName?

    package init(
        handle: FileHandleID, parent: FileHandleID, name: SyncName, kind: NodeKind, form: ContentForm?,
        size: UInt64 = 0, metadata: ItemMetadata? = nil
    ) {
        self.handle = handle
        self.parent = parent
        self.name = name
        self.kind = kind
        self.form = form
        self.size = size
        self.metadata = metadata
    }
}

/// Place of a file or folder: its folder, and its name.
package struct ObservedPlace: Hashable, Sendable {
    package var parent: FileHandleID
    package var name: SyncName

    package init(parent: FileHandleID, name: SyncName) {
        self.parent = parent
        self.name = name
    }
}

/// Result of a scan of the whole folder: all files, or only the differences from the agreed tree.
package struct Observation: Sendable {
    /// Files and folders below the root, and below parked folders: a folder before its content.
    package var found: [ScannedFile]
    /// Places of entries that are now empty, with their folders, if `found` has only differences. Other entries are
    /// unchanged. Nil if all files were found.
    package var gone: [ObservedPlace]?
    /// Files and folders in the parking place. Their `parent` has no meaning.
    package var parked: [ScannedFile]
    /// True if all folders were read completely, so that entries that were not found are missing. Otherwise only
    /// files count as deleted in whose places others of another kind are.
    package var isComplete: Bool
    /// Places of entries that a person keeps alike here no more, with all in them. They count as missing, also if not
    /// all folders were read, and the guard does not hold them.
    package var forgotten: [ObservedPlace] = []

    package init(
        found: [ScannedFile], gone: [ObservedPlace]? = nil, parked: [ScannedFile] = [], isComplete: Bool
    ) {
        self.found = found
        self.gone = gone
        self.parked = parked
        self.isComplete = isComplete
    }
}

/// Item in the parking place that belongs to no entry, left there by a crash.
package enum ParkedLeftover: Hashable, Sendable {
    /// Version that was replaced or deleted: goes to the history.
    case replaced(FileHandleID)
    /// Content that no scan has read: returns into the folder under a free name.
    case unseen(FileHandleID)
}

/// Consequences of an observation.
package struct ObservationResult: Hashable, Sendable {
    /// Entries that were not found by an incomplete scan.
    package var missing: [EntryID] = []
    /// Deletions that wait for confirmation, in order.
    package var held: [HeldDeletion] = []
    package var leftovers: [ParkedLeftover] = []
    /// Files and folders that persons made or changed on a replica that does not announce changes, or in the place of
    /// an entry whose deletion waits: a folder is listed in place of its contents.
    package var untold: [UnannouncedChange] = []
}
