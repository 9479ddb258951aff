import Glibc
import PortolanTrust

/// Restrictions of single files and folders of an item.
extension PartialItem {
    /// The restriction of an entry: its own, combined with that of its folder, whatever the sender says.
    func restriction(of entry: TreeEntry, in folder: ItemFolder?) -> Restriction {
        guard let folder else { return restriction }
        return entry.restriction.map(folder.restriction.and) ?? folder.restriction
    }

    // MARK: - What is there already

    /// Whether a file of an earlier transfer is restricted as it would be if it came now.
    ///
    /// Looked at only for an entry that is restricted otherwise than the item: each file of the earlier transfer was restricted
    /// at least as the item is.
    func isKept(_ restriction: Restriction, on name: String, in folder: Descriptor) -> Bool {
        guard restriction != self.restriction else { return true }
        guard let file = try? Beneath.openToRead(name, in: folder, features: features) else { return false }
        return isKept(restriction, on: file)
    }

    func isKept(_ restriction: Restriction, on file: Descriptor) -> Bool {
        restriction == self.restriction || (try? StoredVisibility.read(file)) == restriction
    }

    /// Restricts a file or folder that is there already as its sender has it now, at once; one that is restricted more strictly
    /// stays so. Reports it where that is not possible.
    ///
    /// Looked at only for an entry that is restricted otherwise than the item, as in ``isKept(_:on:in:)``.
    ///
    /// - Parameters:
    ///   - name: nil for `folder` itself.
    ///   - open: opens it, following no link.
    func restrict(
        _ name: FileName?, in folder: ItemFolder?, to restriction: Restriction, _ state: inout State,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        guard restriction != self.restriction else { return }
        do throws(SystemFailure) {
            let file = try open()
            let kept = try StoredVisibility.read(file)
            guard kept != .nobody, !restriction.allows(kept) else { return }
            let mode = try file.status().mode
            // Only what its owner may write to takes an attribute.
            if mode & 0o200 == 0 { try storage.setPermissions(mode | 0o200, of: file) }
            defer { if mode & 0o200 == 0 { try? storage.setPermissions(mode, of: file) } }
            try StoredVisibility.keep(restriction, on: file, by: storage)
            state.unsynced.add(file)
        } catch {
            if error.isTrouble || error.reason == .noSpace {
                throw .storing(name.map { DisplayText($0.text) } ?? DisplayText("a folder"), error)
            }
            try lose(.visibility, of: name, in: folder, &state)
        }
    }
}

extension Workspace {
    /// Tries whether a file in here keeps a restriction.
    func keeps(_ restriction: Restriction) throws(SystemFailure) -> Bool {
        try storage.removeIfPresent(Self.probeName, in: folder)
        let probe = try storage.makeFile(Self.probeName, in: folder, mode: 0o600)
        defer { try? storage.remove(Self.probeName, in: folder) }
        do throws(SystemFailure) {
            try StoredVisibility.keep(restriction, on: probe, by: storage)
            return true
        } catch {
            guard error.isRestrictionRefused else { throw error }
            return false
        }
    }
}
