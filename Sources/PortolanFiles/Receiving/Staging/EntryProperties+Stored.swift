import Glibc
import PortolanTrust

/// Properties of files and folders that are in the inbox already.
extension EntryProperties {
    /// Reports permissions of what stays as it is that are not those of the sender.
    func checkPermissions(
        of entry: TreeEntry, name: FileName?, are mode: UInt16, in folder: ItemFolder?
    ) throws(FileError) {
        if mode & 0o777 != entry.permissions { try ledger.lose(.mode, of: name, in: folder) }
    }

    /// Gives a file that is there already the permissions that the sender has given it since, unless they were changed here.
    ///
    /// It happens at once and not with the publishing: an update that breaks off has then carried over a change of the
    /// sender's and no content, and the next one finds that done.
    ///
    /// - Parameters:
    ///   - status: the file as it was found.
    ///   - open: opens it, following no link.
    /// - Returns: its mode after that.
    func carryPermissions(
        of entry: TreeEntry, to status: FileStatus, opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) -> UInt16 {
        guard status.mode & 0o777 != entry.permissions, status.owner == geteuid(), let umask = umaskBits
        else { return status.mode }
        let wanted = entry.permissions & ~umask & place.permitted
        // One that its owner may not read shows no mark, and stays.
        guard status.mode != wanted, let file = try? open(), let found = try? file.status(),
            found.identity == status.identity, found.mode == status.mode,
            ReceivedMark.permissions(found.size, found.modified, on: file) == found.mode
        else { return status.mode }
        let storage = place.storage
        do throws(SystemFailure) {
            // Only what its owner may write to takes a mark. Whoever dies before that is written has left what the sender wants;
            // before the last step, something that looks like a change made here, which stays and is reported.
            try storage.setPermissions(wanted | 0o200, of: file)
            _ = try ReceivedMark.set(found.size, found.modified, wanted, on: file, by: storage)
            if wanted & 0o200 == 0 { try storage.setPermissions(wanted, of: file) }
            ledger.noteUnsynced(file)
            return try file.status().mode
        } catch {
            // What may not be changed (chattr(1)) stays.
            guard error.isOfOneEntry(in: place.folder) else { throw .storing(DisplayText(entry.name.text), error) }
            return status.mode
        }
    }

    /// Restricts a file or folder that is there already as its sender has it now, at once; one that is restricted more strictly
    /// stays so. Reports it where that is not possible.
    ///
    /// Looked at only for an entry that is restricted otherwise than the item, as in ``ItemPlace/isKept(_:on:in:)``.
    ///
    /// - Parameters:
    ///   - name: nil for `folder` itself.
    ///   - open: opens it, following no link.
    func restrict(
        _ name: FileName?, in folder: ItemFolder?, to restriction: Restriction,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        guard restriction != place.restriction else { return }
        let storage = place.storage
        do throws(SystemFailure) {
            let file = try open()
            let kept = try StoredVisibility.read(file)
            guard kept != .nobody, !restriction.allows(kept) else { return }
            let mode = try file.status().mode
            // Only what its owner may write to takes an attribute.
            if mode & 0o200 == 0 { try storage.setPermissions(mode | 0o200, of: file) }
            defer { if mode & 0o200 == 0 { try? storage.setPermissions(mode, of: file) } }
            try StoredVisibility.keep(restriction, on: file, by: storage)
            ledger.noteUnsynced(file)
        } catch {
            if error.isTrouble(in: place.folder) || error.reason == .noSpace {
                throw .storing(name.map { DisplayText($0.text) } ?? DisplayText("a folder"), error)
            }
            try ledger.lose(.visibility, of: name, in: folder)
        }
    }
}
