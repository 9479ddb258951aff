import Glibc
import PortolanTrust

/// An item in the inbox that was stored from the same source before.
struct StoredTarget: Sendable {
    let name: FileName
    /// Locked while it is brought up to date.
    let root: Descriptor
    let status: FileStatus
    /// nil for an item that is one file.
    let folder: HeldFolder?

    /// - Parameter isFolder: whether the item is one now; what was stored must be the same.
    init?(_ name: FileName, in inbox: Descriptor, of identity: ItemIdentity, isFolder: Bool, features: KernelFeatures) {
        let flags = isFolder ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK
        guard let root = try? Beneath.open(name.text, in: inbox, flags, features: features),
            let status = try? root.status(), status.kind == (isFolder ? .folder : .file), status.owner == geteuid(),
            SourceMark.isSet(identity, on: root)
        else { return nil }
        self.name = name
        self.root = root
        self.status = status
        folder = isFolder ? try? HeldFolder(root) : nil
    }

    /// - Returns: false where another process is at it.
    func lock() -> Bool { flock(root.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    func unlock() { flock(root.number, LOCK_UN) }
}

extension PartialItem {
    /// Whether a file is in the item already: of the same size, with the same time.
    func isStored(_ entry: TreeEntry, in folder: ItemFolder?, _ state: inout State) throws(FileError) -> Bool {
        guard let size = entry.fileSize else { return false }
        func isSame(_ status: FileStatus) -> Bool {
            status.kind == .file && status.size == size && status.modified == entry.modified
        }
        guard let folder else {
            guard let target = place.targets.first(where: { $0.folder == nil && isSame($0.status) }) else {
                return false
            }
            state.kept = target
            try keep(entry, size, target.status, in: nil, &state) { () throws(SystemFailure) in target.root }
            return true
        }
        guard let stored = folder.stored else { return false }
        let directory = try state.folders.descriptor(of: stored)
        guard let status = try? directory.status(of: entry.name.text) else { return false }
        var found = status
        var name = entry.name
        if !isSame(status) {
            // What was changed here stays, and what came once lies beside it.
            guard !isUntouched(entry.name, in: directory),
                let (other, otherStatus) = variant(of: entry.name, in: directory, where: isSame)
            else { return false }
            try lose(.conflict, of: entry.name, in: folder, &state)
            (name, found) = (other, otherStatus)
        }
        try keep(entry, size, found, in: folder, &state) { () throws(SystemFailure) in
            try Beneath.openToRead(name.text, in: directory, features: features)
        }
        if entry.isLinkTarget {
            let target = LinkTargetFile(
                folder: stored, name: name.text, identity: found.identity,
                restriction: restriction(of: entry, in: folder))
            remember(entry, target, &state)
        }
        return true
    }

    func isStored(
        link entry: TreeEntry, to target: LinkTarget, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) -> Bool {
        guard let stored = folder?.stored else { return false }
        let directory = try state.folders.descriptor(of: stored)
        func leads(_ name: FileName) -> Bool {
            (try? directory.linkTarget(of: name.text)).map { $0.elementsEqual(target.text.utf8) } ?? false
        }
        if !leads(entry.name) {
            guard (try? directory.status(of: entry.name.text)) != nil,
                variant(of: entry.name, in: directory, where: { $0.kind == .symbolicLink }).map({ leads($0.0) }) == true
            else { return false }
            try lose(.conflict, of: entry.name, in: folder, &state)
        }
        count(kept: 0, &state)
        return true
    }

    func isStored(
        hardLink entry: TreeEntry, to target: LinkTargetFile, in folderOfLink: ItemFolder, _ state: inout State
    ) throws(FileError) -> Bool {
        guard let stored = folderOfLink.stored else { return false }
        let directory = try state.folders.descriptor(of: stored)
        guard let status = try? directory.status(of: entry.name.text) else { return false }
        if status.identity != target.identity {
            // A copy, where the file system had no hard links.
            guard let folder = try? state.folders.descriptor(of: target.folder),
                let original = try? folder.status(of: target.name), original.identity == target.identity,
                status.kind == .file, status.size == original.size, status.modified == original.modified
            else { return false }
            try lose(.hardLink, of: entry.name, in: folderOfLink, &state)
            let restriction = folderOfLink.restriction.and(target.restriction)
            try restrict(entry.name, in: folderOfLink, to: restriction, &state) { () throws(SystemFailure) in
                try Beneath.openToRead(entry.name.text, in: directory, features: features)
            }
        }
        count(kept: 0, &state)
        return true
    }

    func keep(
        _ entry: TreeEntry, _ size: UInt64, _ status: FileStatus, in folder: ItemFolder?, _ state: inout State,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        try restrict(entry.name, in: folder, to: restriction(of: entry, in: folder), &state, opening: open)
        let mode = try carryPermissions(of: entry, to: status, &state, opening: open)
        try checkPermissions(of: entry, name: entry.name, are: mode, in: folder, &state)
        count(kept: size, &state)
    }

    private func count(kept size: UInt64, _ state: inout State) {
        state.tally.stored += 1
        state.tally.keptEntries += 1
        state.tally.bytes += size
        state.tally.keptBytes += size
    }

    private func isUntouched(_ name: FileName, in directory: Descriptor) -> Bool {
        guard
            let file = try? Beneath.open(name.text, in: directory, O_RDONLY | O_NONBLOCK, features: features)
        else { return false }
        return ReceivedMark.isTrue(of: file)
    }

    /// How many numbered names are looked at for what came once and found its name taken.
    private static let variants = 2...9

    private func variant(
        of name: FileName, in directory: Descriptor, where isWanted: (FileStatus) -> Bool
    ) -> (FileName, FileStatus)? {
        for number in Self.variants {
            let candidate = name.numbered(number, isFolder: false)
            guard let status = try? directory.status(of: candidate.text) else { return nil }
            if isWanted(status) { return (candidate, status) }
        }
        return nil
    }
}

// MARK: - Publishing

extension PartialItem {
    /// Moves what came, which is on the disk, into the stored item, file by file.
    ///
    /// Each step leaves every file whole, under its name, in its old or its present version; whoever dies in between has left
    /// the rest in the partial, and the next transfer finds it there.
    func moveInto(_ target: StoredTarget, from workspace: Workspace, _ state: inout State) throws(FileError) {
        guard (try? workspace.folder.status(of: Workspace.itemName)) != nil else { return }
        do throws(SystemFailure) {
            let made = try Beneath.openOwned(Workspace.itemName, in: workspace.folder, features: features)
            guard try made.status().identity == state.root else { throw SystemFailure(EEXIST) }
            var update = Update(storage: storage, features: features, report: state.report)
            try update.move(from: made, to: target.root, path: [])
            state.report = update.report
            // Names before the partial, which still has what the moves were made of, goes.
            try storage.syncAll(target.root)
        } catch {
            throw .storing(DisplayText(target.name.text), error)
        }
    }
}

/// What came, on its way into the item that is brought up to date.
private struct Update {
    let storage: any Storage
    let features: KernelFeatures
    var report: FidelityReport

    mutating func move(from folder: Descriptor, to stored: Descriptor, path: [FileName]) throws(SystemFailure) {
        guard path.count < TreeEntry.maximumFolders else { throw SystemFailure(ELOOP) }
        let modified = try folder.status().modified
        let mode = try stored.status().mode
        // One that its owner may not change is open for the moment.
        let isClosed = mode & 0o300 != 0o300
        if isClosed { try storage.setPermissions(mode | 0o300, of: stored) }
        do throws(SystemFailure) {
            for entry in try DirectoryListing(of: folder) {
                // All of them were put there by us, and under such names.
                guard let name = try? FileName(entry.name) else { throw SystemFailure(EEXIST) }
                try move(name, from: folder, to: stored, path: path + [name])
            }
        } catch {
            if isClosed { try? storage.setPermissions(mode, of: stored) }
            throw error
        }
        if isClosed { try storage.setPermissions(mode, of: stored) }
        try storage.setModified(modified, of: stored)
    }

    private mutating func move(
        _ name: FileName, from folder: Descriptor, to stored: Descriptor, path: [FileName]
    ) throws(SystemFailure) {
        let status = try folder.status(of: name.text)
        // Somebody may take or free the name meanwhile; at some point that is not by chance.
        for _ in 0..<100 {
            guard let present = try? stored.status(of: name.text) else {
                if try place(name, status, from: folder, in: stored, as: name) { return }
                continue
            }
            switch (status.kind, present.kind) {
            case (.folder, .folder):
                let inner = try Beneath.openOwned(name.text, in: folder, features: features)
                let storedInner = try Beneath.open(name.text, in: stored, O_RDONLY | O_DIRECTORY, features: features)
                try move(from: inner, to: storedInner, path: path)
                return try storage.remove(name.text, in: folder, isFolder: true)
            case (.file, .file):
                if try replace(name, from: folder, in: stored) { return }
            default: break
            }
            report.add(.conflict, at: Array(path.map(\.text).joined(separator: "/").utf8))
            for number in 2... {
                let other = name.numbered(number, isFolder: status.kind == .folder)
                if (try? stored.status(of: other.text)) == nil,
                    try place(name, status, from: folder, in: stored, as: other)
                {
                    return
                }
            }
        }
        throw SystemFailure(EEXIST)
    }

    /// - Returns: whether the name was free.
    private func place(
        _ name: FileName, _ status: FileStatus, from folder: Descriptor, in stored: Descriptor, as other: FileName
    ) throws(SystemFailure) -> Bool {
        // A folder that may not be written to cannot be moved: its entry “..” changes.
        var narrowed: Descriptor?
        if status.kind == .folder, status.mode & 0o200 == 0 {
            let inner = try Beneath.openOwned(name.text, in: folder, features: features)
            try storage.setPermissions(status.mode | 0o700, of: inner)
            narrowed = inner
        }
        do throws(SystemFailure) {
            try storage.moveWithoutReplacing(name.text, in: folder, to: other.text, in: stored)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        if let narrowed { try storage.setPermissions(status.mode & 0o777, of: narrowed) }
        return true
    }

    /// Replaces a file that nobody has changed since it was received.
    ///
    /// - Returns: whether it was one.
    private func replace(
        _ name: FileName, from folder: Descriptor, in stored: Descriptor
    ) throws(SystemFailure) -> Bool {
        guard let file = try? Beneath.open(name.text, in: stored, O_RDONLY | O_NONBLOCK, features: features),
            ReceivedMark.isTrue(of: file)
        else { return false }
        let present = try file.status()
        do throws(SystemFailure) {
            try storage.move(name.text, in: folder, to: name.text, in: stored, .exchanging)
        } catch {
            // Without an exchange, whoever changes the file in just this moment loses that change.
            guard error.number == EINVAL else { throw error }
            try storage.moveReplacing(name.text, in: folder, to: name.text, in: stored)
            return true
        }
        let replaced = try folder.status(of: name.text)
        guard replaced.identity == present.identity, ReceivedMark.isTrue(of: file) else {
            // It was changed at the last moment.
            try storage.move(name.text, in: folder, to: name.text, in: stored, .exchanging)
            return false
        }
        try storage.remove(name.text, in: folder)
        return true
    }
}
