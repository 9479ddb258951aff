import Glibc

extension Workspace {
    /// Takes over the partial `name` if it is one of `identity`, resumable and unlocked.
    ///
    /// - Returns: nil if it is not.
    static func resume(
        _ name: String, of identity: ItemIdentity, in inbox: Descriptor, features: KernelFeatures,
        storage: any Storage
    ) throws(SystemFailure) -> Workspace? {
        guard let folder = try lock(name, in: inbox, features: features, storage: storage) else { return nil }
        var isTaken = false
        defer { if !isTaken { flock(folder.number, LOCK_UN) } }
        guard let about = PartialAbout.read(from: folder, features: features), about.identity == identity,
            let progress = PartialProgress.read(from: folder, features: features)
        else { return nil }
        var workspace = try Workspace(inbox, folder, name, features, storage)
        workspace.earlierFiles = Dictionary(progress.files.map { ($0.path, $0) }) { _, last in last }
        workspace.earlierBytes = progress.bytes
        workspace.isResumed = true
        try workspace.putAside()
        isTaken = true
        return workspace
    }

    /// Turns the remains of the transfer before into the earlier content of the item.
    private func putAside() throws(SystemFailure) {
        guard (try? folder.status(of: Self.itemName)) != nil else { return }
        do throws(SystemFailure) {
            try storage.moveWithoutReplacing(Self.itemName, in: folder, to: Self.earlierName, in: folder)
        } catch {
            guard error.number == EEXIST else { throw error }
            // The earlier transfer was interrupted during a merge: the entries it had taken over go back to the rest.
            try merge(Self.itemName, in: folder, into: Self.earlierName, in: folder)
        }
    }

    /// Moves a file or folder over another; folders become one.
    private func merge(
        _ name: String, in above: Descriptor, into other: String, in otherAbove: Descriptor, depth: Int = 0
    ) throws(SystemFailure) {
        // Deeper than an item can be, it is none of ours.
        guard depth <= TreeEntry.maximumFolders else { throw SystemFailure(ELOOP) }
        let kind = try above.status(of: name).kind
        let otherKind = (try? otherAbove.status(of: other))?.kind
        guard kind == .folder, otherKind == .folder else {
            if otherKind == .folder || kind == .folder, otherKind != nil {
                if otherKind == .folder {
                    let folder = try Beneath.openOwned(other, in: otherAbove, features: features)
                    Removal.empty(folder, features: features, storage: storage)
                }
                try storage.remove(other, in: otherAbove, isFolder: otherKind == .folder)
            }
            return try storage.moveReplacing(name, in: above, to: other, in: otherAbove)
        }
        let from = try Beneath.openOwned(name, in: above, features: features)
        let to = try Beneath.openOwned(other, in: otherAbove, features: features)
        for entry in try DirectoryListing(of: from) {
            let name = String(decoding: entry.name, as: UTF8.self)
            try merge(name, in: from, into: name, in: to, depth: depth + 1)
        }
        try storage.remove(name, in: above, isFolder: true)
    }
}

extension Storage {
    /// Moves a file over another. If both are names of one file, rename(2) does nothing and leaves the old name; it is
    /// then removed.
    func moveReplacing(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        let identity = try folder.status(of: name).identity
        if let taken = try? otherFolder.status(of: other), taken.identity == identity {
            return try remove(name, in: folder)
        }
        try move(name, in: folder, to: other, in: otherFolder, .replacing)
    }

    /// Moves a file to a free name, also on a file system without rename flags: no other process uses the folder.
    func moveWithoutReplacing(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        do throws(SystemFailure) {
            try move(name, in: folder, to: other, in: otherFolder, .withoutReplacing)
        } catch {
            guard error.number == EINVAL else { throw error }
            if (try? otherFolder.status(of: other)) != nil { throw SystemFailure(EEXIST) }
            try move(name, in: folder, to: other, in: otherFolder, .replacing)
        }
    }
}
