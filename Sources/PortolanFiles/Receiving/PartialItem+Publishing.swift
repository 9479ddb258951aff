import CPortolanLinux
import Glibc
import PortolanTrust

/// What became of an item in the inbox.
package struct StoredItem: Hashable, Sendable {
    /// Its name in the inbox, which need not be the one that was proposed.
    package let name: FileName
    /// Files, folders and links stored.
    package let entries: UInt64
    package let bytes: UInt64
    /// What could not be kept.
    package let report: FidelityReport
}

extension PartialItem {
    /// Makes the item durable, then visible, in one step.
    ///
    /// When this returns, the item is on the disk under its name and survives a crash of the machine: its content and folders
    /// were synced before the rename (each by fsync(2), or, in an item of more than ``UnsyncedFiles/limit`` files or folders,
    /// by one syncfs(2)), the inbox after it. Nothing is ever replaced: a name that is taken, be it by a link that leads
    /// nowhere, becomes `name (2).ext`. A name that begins with a dot is stored with `_` before it. When this throws, nothing is
    /// visible and the item is still to be discarded; only a disk that fails to confirm the rename itself leaves it in sight.
    ///
    /// - Returns: the name it was given, and what could not be kept of it.
    package func publish(as proposed: FileName) throws(FileError) -> StoredItem {
        let stored = try change { state throws(FileError) in
            guard let identity = state.rootIdentity, state.files.isEmpty else {
                throw .malformed("an end before the last file was complete")
            }
            try completeFolders(&state)
            try sync(&state, called: proposed)
            do throws(SystemFailure) {
                guard try workspace.folder.status(of: Workspace.itemName).identity == identity else {
                    throw SystemFailure(EEXIST)
                }
            } catch {
                throw .storing(DisplayText(proposed.text), error)
            }
            let name = try rename(to: proposed.visible, isFolder: state.rootIsFolder)
            state.isOpen = false
            return StoredItem(name: name, entries: state.stored, bytes: state.bytes, report: state.report)
        }
        workspace.remove()
        do throws(SystemFailure) {
            try inbox.sync()
        } catch {
            throw FileError(
                .inputOutput,
                "“\(stored.name)” was stored, but the disk failed to confirm it (\(error.text)); check the disk and the file."
            )
        }
        return stored
    }

    /// Sets the folders' times, which each new entry in them changed; the innermost first, as they came last.
    private func completeFolders(_ state: inout State) throws(FileError) {
        for position in state.folders.folders.indices.reversed() {
            let folder = try state.folders.folder(at: position)
            setModified(folder, state.folders.folders[position].modified, of: position, nil, &state)
            state.unsynced.add(folder)
        }
    }

    private func sync(_ state: inout State, called name: FileName) throws(FileError) {
        do throws(SystemFailure) {
            if let files = state.unsynced.files {
                for file in files { try file.sync() }
            } else if portolan_sync_file_system(workspace.folder.number) != 0 {
                throw .last
            }
        } catch {
            // The kernel reports a lost page once; another sync would find nothing wrong. What we have is not what came.
            throw .storing(DisplayText(name.text), error)
        }
        state.unsynced = UnsyncedFiles()
    }

    /// Gives the item the first free of its names.
    private func rename(to name: FileName, isFolder: Bool) throws(FileError) -> FileName {
        if try rename(to: name.text, isFolder: isFolder) { return name }
        // Somebody may take each name that was free a moment ago; at some point that is not by chance.
        for _ in 0..<100 {
            let candidate = name.numbered(firstFree(name, isFolder: isFolder), isFolder: isFolder)
            if try rename(to: candidate.text, isFolder: isFolder) { return candidate }
        }
        throw FileError(.nameTaken, "There are too many files called “\(name)” in the inbox; move some away.")
    }

    /// A number that is free: doubles until one is, then halves the gap, so that a thousand of one name cost ten looks each.
    private func firstFree(_ name: FileName, isFolder: Bool) -> Int {
        func isTaken(_ number: Int) -> Bool {
            (try? inbox.status(of: name.numbered(number, isFolder: isFolder).text)) != nil
        }
        var taken = 1
        var free = 2
        while isTaken(free), free < 1 << 40 { (taken, free) = (free, free * 2) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if isTaken(middle) { taken = middle } else { free = middle }
        }
        return free
    }

    /// - Returns: whether the name was free and is now the item's.
    private func rename(to name: String, isFolder: Bool) throws(FileError) -> Bool {
        do throws(SystemFailure) {
            if workspace.features.renameWithoutReplacing {
                let item = Workspace.itemName
                if portolan_rename_without_replacing(workspace.folder.number, item, inbox.number, name) == 0 {
                    return true
                }
                if errno == EEXIST { return false }
                guard errno == EINVAL || errno == ENOSYS else { throw .last }
            }
            return try isFolder ? renameFolderByClaim(to: name) : linkFile(to: name)
        } catch {
            throw .storing(DisplayText(name), error)
        }
    }

    /// Where the file system cannot rename without replacing: link(2) never replaces.
    private func linkFile(to name: String) throws(SystemFailure) -> Bool {
        if workspace.features.hardLinks {
            if linkat(workspace.folder.number, Workspace.itemName, inbox.number, name, 0) == 0 { return true }
            if errno == EEXIST { return false }
            guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw .last }
        }
        return try renameFileByClaim(to: name)
    }

    /// Where there are no hard links either: an empty file claims the name and is replaced while it is that empty file.
    private func renameFileByClaim(to name: String) throws(SystemFailure) -> Bool {
        let claim: FileIdentity
        do throws(SystemFailure) {
            let flags = O_WRONLY | O_CREAT | O_EXCL
            claim = try Beneath.open(name, in: inbox, flags, mode: 0o600, features: workspace.features).status()
                .identity
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        guard let found = try? inbox.status(of: name), found.identity == claim, found.size == 0 else { return false }
        if renameat(workspace.folder.number, Workspace.itemName, inbox.number, name) == 0 { return true }
        let failure = SystemFailure.last
        unlinkat(inbox.number, name, 0)
        throw failure
    }

    /// Where the file system cannot rename without replacing: an empty folder claims the name, and rename(2) replaces a
    /// folder only while it is empty.
    private func renameFolderByClaim(to name: String) throws(SystemFailure) -> Bool {
        guard mkdirat(inbox.number, name, 0o700) == 0 else {
            if errno == EEXIST { return false }
            throw .last
        }
        if renameat(workspace.folder.number, Workspace.itemName, inbox.number, name) == 0 { return true }
        let failure = SystemFailure.last
        unlinkat(inbox.number, name, AT_REMOVEDIR)
        if failure.number == ENOTEMPTY || failure.number == EEXIST || failure.number == ENOTDIR { return false }
        throw failure
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

    mutating func add(_ file: Descriptor) {
        guard var files else { return }
        self.files = nil
        guard files.count < Self.limit else { return }
        files.append(file)
        self.files = files
    }
}
