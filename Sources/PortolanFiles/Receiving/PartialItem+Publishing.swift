import Glibc
import PortolanTrust

/// What became of an item in the inbox.
package struct StoredItem: Hashable, Sendable {
    /// Its name in the inbox, which need not be the one that was proposed.
    package let name: FileName
    /// Files, folders and links of the item, those that were there already among them.
    package let entries: UInt64
    package let bytes: UInt64
    /// What could not be kept.
    package let report: FidelityReport
    /// Of the entries, those that were there already.
    package let keptEntries: UInt64
    /// Of the bytes, those that were there already and were not sent.
    package let keptBytes: UInt64
    /// Whether an item that was there was brought up to date, or was found to be.
    package let updated: Bool
    /// Files of an item that was brought up to date that came from its source earlier and did not come this time. They stay.
    package let surplus: UInt64
}

extension PartialItem {
    /// Makes the item durable, then visible.
    ///
    /// When this returns, the item is on the disk under its name and survives a crash of the machine: its content, names and
    /// attributes were synced before the rename (each file and folder by fsync(2), or, in an item of more than
    /// ``UnsyncedFiles/limit`` of them, all by one syncfs(2)), the inbox after it. An item that was not there before
    /// appears in one step, and nothing is ever replaced: a name that is taken, be it by a link that leads nowhere, becomes
    /// `name (2).ext`. A name that would be hidden or mean something else is changed
    /// (``FileName/ofItem``).
    ///
    /// An item that is brought up to date keeps its name. Each file of it changes in one step, and only one that is as it was
    /// received; what was changed here stays, and what came lies beside it. What the source has no more stays.
    ///
    /// When this throws, nothing of a new item is visible and it is still to be discarded or suspended; only a disk that
    /// fails to confirm the rename itself leaves it in sight.
    ///
    /// - Returns: the name it was given, and what could not be kept of it.
    package func publish(as proposed: FileName) throws(FileError) -> StoredItem {
        let (stored, workspace) = try change { state throws(FileError) in
            guard let identity = state.root ?? state.kept?.status.identity ?? place.target?.status.identity,
                state.nextIndex > 0, state.files.isEmpty,
                state.waiting.isEmpty
            else { throw .malformed("an end before the last file was complete") }
            let root = state.stack.first
            while let folder = state.stack.popLast() {
                countSurplus(in: folder, &state)
                if folder.leave() { try complete(folder, &state) }
            }
            let name = try place(root, as: proposed, identity, &state)
            state.isOpen = false
            for target in place.targets { target.unlock() }
            let stored = StoredItem(
                name: name, entries: state.tally.stored, bytes: state.tally.bytes, report: state.report,
                keptEntries: state.tally.keptEntries, keptBytes: state.tally.keptBytes,
                updated: place.target != nil || state.kept != nil, surplus: state.tally.surplus)
            return (stored, state.workspace)
        }
        workspace?.remove()
        do throws(SystemFailure) {
            // Also where nothing had to be moved: a process that ended may have done that and not have come to this.
            try storage.sync(place.folder)
        } catch {
            throw FileError(
                .inputOutput,
                "“\(stored.name)” was stored, but the disk failed to confirm it (\(error.text)); check the disk and the file."
            )
        }
        return stored
    }

    /// Puts the item where it belongs.
    ///
    /// - Parameter root: the item, where it is a folder.
    private func place(
        _ root: ItemFolder?, as proposed: FileName, _ identity: FileIdentity, _ state: inout State
    ) throws(FileError) -> FileName {
        let target = state.kept ?? place.target
        if let target { try checkIsThere(target) }
        guard let workspace = state.workspace, state.kept == nil else {
            guard let target else { preconditionFailure("an item without a place") }
            // Permissions of what was there may have changed.
            try sync(nil, &state, called: target.name)
            return target.name
        }
        try sync(workspace, &state, called: proposed)
        if let target {
            try moveInto(target, from: workspace, &state)
            return target.name
        }
        do throws(SystemFailure) {
            guard try workspace.folder.status(of: Workspace.itemName).identity == identity else {
                throw SystemFailure(EEXIST)
            }
        } catch {
            throw .storing(DisplayText(proposed.text), error)
        }
        let folder: (Descriptor, TreeEntry)?
        if let root, let made = root.made, root.entry.permissions & 0o700 != 0o700 {
            folder = (try state.folders.descriptor(of: made), root.entry)
        } else {
            folder = nil
        }
        let name = try Placement(workspace).place(as: proposed.ofItem, isFolder: state.rootIsFolder)
        if let (folder, entry) = folder {
            // Before, it could not have been moved.
            try narrow(folder, to: entry, owner: 0o700)
            do throws(SystemFailure) {
                try storage.sync(folder)
            } catch {
                throw .storing(DisplayText(name.text), error)
            }
        }
        return name
    }

    /// Somebody may have removed the stored item, or moved it away, while it was compared.
    private func checkIsThere(_ target: StoredTarget) throws(FileError) {
        guard let found = try? place.folder.status(of: target.name.text), found.identity == target.status.identity
        else {
            throw .changedHere(DisplayText(target.name.text))
        }
    }

    /// - Parameter workspace: nil where nothing came that was not there.
    private func sync(_ workspace: Workspace?, _ state: inout State, called name: FileName) throws(FileError) {
        let isAllNoted = workspace.map { place.target == nil && !$0.isResumed } ?? true
        do throws(SystemFailure) {
            if let files = state.unsynced.files, isAllNoted {
                for file in files { try storage.sync(file) }
            } else {
                try storage.syncAll(place.folder)
            }
        } catch {
            // The kernel reports a lost page once; another sync would find nothing wrong. What we have is not what came.
            state.isTainted = true
            throw .storing(DisplayText(name.text), error)
        }
        state.unsynced = UnsyncedFiles()
    }
}

/// What must still reach the disk, while it is little enough to be synced one by one.
///
/// An fsync(2) for each of many files costs a disk's turn each; one syncfs(2) covers them all, but also whatever else is being
/// written to that file system, which a single item should not wait for.
struct UnsyncedFiles: Sendable {
    static let limit = 16

    /// nil when they became too many.
    private(set) var files: [Descriptor]? = []

    /// A symbolic link, which cannot be opened and so not be synced by itself.
    mutating func addLink() { files = nil }

    mutating func add(_ file: Descriptor) {
        guard var files else { return }
        self.files = nil
        guard files.count < Self.limit else { return }
        files.append(file)
        self.files = files
    }
}
