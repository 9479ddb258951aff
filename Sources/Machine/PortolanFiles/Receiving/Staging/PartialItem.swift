import Glibc
import PortolanCrypto
import PortolanValues
import Synchronization

/// Item that is being received: hidden in the inbox, checked entry by entry, and visible only as a whole.
///
/// It goes through three phases, each with types of its own: entries and their content are staged (``StagedEntries``,
/// ``StagedFiles``); after everything was received, a ``CompleteItem`` is published; the result is a ``PublishedItem``.
///
/// Every entry is checked against the rules of a tree before it is stored: entries are numbered without gaps and come
/// depth first, no name comes twice in a folder, links stay inside, ranges of bytes do not overlap and cover a file
/// from end to end. A broken rule throws ``FileError/Kind/malformedTree``, and no part of the item has been visible.
/// Files are made below held descriptors; a link is never followed.
///
/// ```swift
/// let partial = try inbox.receive(about, called: name, asking: false)
/// try partial.add(entry)
/// try partial.write(0, at: 0, bytes)
/// try partial.finish(0, size: UInt64(bytes.count))
/// let stored = try partial.publish(as: name)
/// ```
///
/// Calls block. Entries are added in their order; calls for their content may come from any thread, and ranges in any
/// order, before the end of their file. Only calls for the same file or folder, or for the next entry, wait for another
/// call's access to the disk. ``suspend()``, ``discard()`` and ``publish(as:)`` wait for running steps. Memory does not
/// grow with the number of entries. A partial that is released without publication is suspended if it can be resumed
/// (``suspend()``), and removed otherwise.
package final class PartialItem: Sendable {
    /// Most open files that have not ended: the limit of a transfer, and one for each connection, which may be ending a
    /// file that already counts as ended.
    package static let maximumOpenFiles = 64 + 16
    /// Largest number of files that wait for their content, counted likewise.
    package static let maximumWaitingFiles = 8192 + 16
    /// Most files in memory as possible targets of later hard links.
    package static let maximumLinkTargets = 65_536
    /// Largest number of links to files that are not complete.
    package static let maximumUnfinishedLinks = 65_536

    let area: StagingArea
    let files: StagedFiles
    let life = ItemLife()
    let keeper: ProgressKeeper
    /// True if the record of the item survives a loss of power.
    let isAboutKept = Atomic(false)
    private let entries: StagedEntries

    /// - Parameter workspace: nil if none is needed yet.
    init(_ place: ItemPlace, _ workspace: Workspace?) {
        area = StagingArea(place, workspace)
        files = StagedFiles(area, StoredVersion(area), LeftOutEntries(area))
        entries = StagedEntries(area, files)
        keeper = ProgressKeeper(inMemory: place.isInMemory)
    }

    deinit { suspend() }

    var place: ItemPlace { area.place }

    /// Restriction of the item; stored with each file and folder that has no stricter one.
    package var restriction: Restriction { place.restriction }

    /// Losses so far.
    package var report: FidelityReport { area.ledger.contents.report }

    /// True if the sender's permissions deny others rights that the inbox's default access control list grants.
    package var limitsAccessList: Bool { area.ledger.limitsAccessList }

    /// Number of partly received files that begin again, because they have changed at the sender since.
    package var changedFiles: UInt64 { files.earlier.changedFiles }

    /// True if another process has requested a stop (``Inbox/stopPartial(_:)``).
    package var isToStop: Bool {
        guard let folder = area.workspace.current?.folder else { return false }
        return faccessat(folder.number, Workspace.stopName, F_OK, 0) == 0
    }

    /// Ends a long copy with ``FileError/stopped``; called when the item must end. From any thread, at any time.
    package func interrupt() { place.interruption.request() }

    /// Removes everything that was received, after the running steps. A publication that still waits for the disk ends
    /// without making the item visible. Does nothing after ``publish(as:)`` and ``suspend()``.
    package func discard() {
        interrupt()
        guard life.end() else { return }
        letGo()
        area.workspace.current?.remove()
    }

    /// Closes open files, when the work on the item has ended.
    func letGo() {
        files.letGo()
        for target in place.targets { target.unlock() }
    }
}

// MARK: - Staging

extension PartialItem {
    /// Adds the next entry: creates the folder or link, or returns the missing content of the file.
    ///
    /// A new file needs its whole content (``content(_:_:)``), or ranges of it and its end (``finish(_:size:)``), even
    /// if it is empty.
    @discardableResult
    package func add(_ entry: TreeEntry) throws(FileError) -> ContentNeed {
        try life.step { () throws(FileError) in try entries.add(entry) }
    }

    /// Leaves an entry out that has a name or a link target which is not stored.
    package func add(_ entry: RefusedEntry) throws(FileError) {
        try life.step { () throws(FileError) in try entries.add(entry) }
    }

    /// Writes a range of a file's bytes; ranges come in any order and must not overlap.
    ///
    /// - Parameter offset: offset in the file, in bytes.
    package func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try life.step { () throws(FileError) in
            try files.write(entry, at: offset, bytes)
            saveProgressIfDue(afterWriting: bytes.count)
        }
    }

    /// Adds a range that reads as zeros and takes no space if the file system supports that.
    package func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws(FileError) {
        try life.step { () throws(FileError) in try files.hole(entry, at: offset, length: length) }
    }

    /// Stores the whole content of a requested file, which completes it.
    package func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try life.step { () throws(FileError) in try files.content(entry, bytes) }
    }

    /// Returns the number of claimed bytes of a file (``ContentNeed/compare(blocks:)``) that are no holes; nil without
    /// a claim. From any thread.
    package func claimedContent(_ entry: UInt32) -> UInt64? { files.claimedContent(entry) }

    /// Returns the digest of a present block for the sender; nil if it cannot be read any more.
    package func digest(_ entry: UInt32, block: UInt64) throws(FileError) -> [UInt8]? {
        try life.step { () throws(FileError) in try files.digest(entry, block: block) }
    }

    /// Finishes a file after all its sent bytes have been written. The rest of a compared file is its held content.
    ///
    /// - Parameters:
    ///   - size: size of the file, in bytes.
    ///   - digest: the required `FileDigest` of the whole file, if it has copied parts.
    package func finish(_ entry: UInt32, size: UInt64, digest: FileDigest? = nil) throws(FileError) {
        try life.step { () throws(FileError) in try files.finish(entry, size: size, digest: digest) }
    }

    /// Allows files to come as differences (``ContentNeed/difference``). Called before the first entry.
    package func allowDifferences() { files.allowDifferences() }

    /// Returns the earlier version of a file that comes as a difference; nil if the file has ended. From any thread.
    package func base(of entry: UInt32) throws(FileError) -> BaseFile? {
        try life.step { () throws(FileError) in try files.base(of: entry) }
    }

    /// Copies a part of the earlier version to the file.
    ///
    /// - Parameters:
    ///   - start: offset in the earlier version, in bytes.
    ///   - offset: offset in the file, in bytes.
    package func copy(
        _ entry: UInt32, from start: UInt64, to offset: UInt64, length: UInt64
    ) throws(FileError) {
        try life.step { () throws(FileError) in
            try files.copy(entry, from: start, to: offset, length: length)
            saveProgressIfDue(afterWriting: Int(length))
        }
    }

    /// Leaves out a file of a folder that the sender could not read to its end: removes its content so far; no more
    /// will come.
    package func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws(FileError) {
        try life.step { () throws(FileError) in try files.leaveOut(entry, because: reason) }
    }
}

// MARK: - Publishing

extension PartialItem {
    /// Makes the item durable, then visible.
    ///
    /// When this returns, the item is on the disk under its name and survives a crash of the machine: its content,
    /// names and attributes were synced before the rename (each file and folder by fsync(2), or, in an item of more
    /// than ``UnsyncedFiles/limit`` of them, all by one syncfs(2)), the inbox after it. A new item appears in one step,
    /// and never replaces another entry: a name that is taken, even by a dangling link, becomes `name (2).ext`. A
    /// hidden name, or one with a special meaning, is changed (``FileName/ofItem``).
    ///
    /// An updated item keeps its name. Each of its files changes in one step, and only if it is unchanged since it was
    /// received; a file that was changed here stays, and the new version is stored beside it. Files that the source
    /// does not have any more stay.
    ///
    /// No lock is held while the disk syncs. If the item is discarded or suspended before it is visible, this ends with
    /// ``FileError/stopped``.
    ///
    /// When this throws, no part of a new item is visible, and the caller must discard or suspend it; only if the disk
    /// fails to confirm the rename itself, the item stays visible.
    ///
    /// - Returns: its name, and its losses.
    package func publish(as proposed: FileName) throws(FileError) -> PublishedItem {
        try life.publish { () throws(FileError) in
            let item = try complete(as: proposed)
            do throws(FileError) {
                try item.makeDurable()
            } catch {
                life.taint(error)
                throw error
            }
            try life.checkIsWanted()
            let stored = try item.place()
            life.becomePublished(as: stored)
            letGo()
            area.workspace.current?.remove()
            try item.confirm(stored)
            return stored
        }
    }

    /// Ends the staging after everything was received.
    private func complete(as proposed: FileName) throws(FileError) -> CompleteItem {
        let root = try entries.end()
        let kept = files.stored.kept
        let contents = area.ledger.contents
        let strategy: any PublishingStrategy
        var areAllNoted = true
        if let workspace = area.workspace.current, kept == nil {
            // The earlier transfer noted the entries that it brought.
            areAllNoted = place.target == nil && !workspace.isResumed
            strategy = try self.strategy(as: proposed, root, in: workspace)
        } else {
            guard let target = kept ?? place.target else { throw .malformed("an end of nothing") }
            strategy = InPlaceItem(inbox: place.folder, target: target, isUpdate: true)
        }
        try strategy.check()
        return CompleteItem(
            inbox: place.folder, storage: place.storage, strategy: strategy,
            unsynced: areAllNoted ? contents.unsynced.files : nil,
            outcome: StoredOutcome(tally: contents.tally, report: contents.report))
    }

    /// - Parameter root: the item, if it is a folder.
    private func strategy(
        as proposed: FileName, _ root: ItemFolder?, in workspace: Workspace
    ) throws(FileError) -> any PublishingStrategy {
        if let target = place.target {
            return FolderUpdate(
                target: target, workspace: workspace, root: area.workspace.root, required: place.required)
        }
        guard let identity = area.workspace.root else { throw .malformed("an end of nothing") }
        if root == nil, let twin = try twin(in: workspace, called: proposed) {
            return InPlaceItem(inbox: place.folder, target: twin, isUpdate: false)
        }
        var closedFolder: NewItem.ClosedFolder?
        if let root, let made = root.made, root.entry.permissions & 0o700 != 0o700 {
            closedFolder = NewItem.ClosedFolder(
                folder: try area.folders.opened.descriptor(of: made), permissions: root.entry.permissions)
        }
        return NewItem(
            name: proposed, workspace: workspace, identity: identity, isFolder: root != nil,
            closedFolder: closedFolder)
    }

    /// Returns the stored item of an earlier transfer with the same data, whose receipt was lost.
    private func twin(in workspace: Workspace, called name: FileName) throws(FileError) -> StoredTarget? {
        guard place.about == nil, place.identity != nil else { return nil }
        return try FileError.whileStoring(DisplayText(name.text)) { () throws(SystemFailure) in
            let staged = try Beneath.openToRead(
                Workspace.itemName, in: workspace.folder, features: place.features)
            return try place.twin(of: staged, called: name)
        }
    }
}
