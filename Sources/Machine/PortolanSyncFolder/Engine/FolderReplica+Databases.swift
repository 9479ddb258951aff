import PortolanFiles
import PortolanSyncPlan

/// A database in its folder.
struct DatabasePlace: Sendable {
    let name: String
    let folder: Descriptor
    /// Content of its entry.
    let form: ContentForm?
}

/// Contents of databases, which are those of snapshots.
extension FolderReplica {
    /// Returns the place of an entry if a database is there.
    func database(
        _ name: String, _ entry: AgreedEntry, in folder: Descriptor, _ index: StoredIndex
    ) -> DatabasePlace? {
        guard entry.kind == .file, entry.parent != .parking, let inode = try? storage.status(of: folder).identity.inode,
            index.file(at: FilePlace(folder: inode, name: SyncName(name)))?.database != nil
        else { return nil }
        return DatabasePlace(name: name, folder: folder, form: entry.form)
    }

    /// Opens the snapshot of a database, and makes it if there is none. Blocks.
    ///
    /// - Returns: nil if the database has changed since.
    func snapshot(_ digest: ContentDigest, of place: DatabasePlace, _ folder: OpenFolder) -> Descriptor? {
        do throws(SystemFailure) {
            // The snapshot is for those who may see the file.
            let file = try storage.openFile(place.name, in: place.folder)
            guard try !folder.control.own.contains(storage.status(of: file).identity), isOpen(file, for: place.form)
            else { return nil }
            if let known = folder.control.snapshot(digest) { return known }
            let look = FileLook(storage: storage, now: now)
            _ = try folder.control.keepingSnapshot { (sink) throws(SystemFailure) in
                try look.readDatabase(place.name, in: place.folder, into: sink)
            }
            return folder.control.snapshot(digest)
        } catch { return nil }
    }

    /// Removes snapshots of earlier states.
    func forgetSnapshots(_ folder: OpenFolder) throws {
        let names = (try? storage.names(in: folder.control.databases)) ?? []
        guard !names.isEmpty else { return }
        try index.read { index in
            try folder.control.removeSnapshots { !index.entries(with: $0).isEmpty }
        }
    }
}
