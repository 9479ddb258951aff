import Glibc
import PortolanTrust

/// What the receiver needs of an entry.
package enum Need: Hashable, Sendable {
    /// Nothing: it is no file, or it is there already.
    case nothing
    /// All its content.
    case content
    /// The blocks (``BlockDigest``) that are there, by their numbers, in order: what differs of these and all else.
    case compare(blocks: [Range<UInt64>])
}

extension PartialItem {
    /// The next entry: makes the folder or link, or says what is needed of the file.
    ///
    /// A file that is not there already needs its whole content (``content(_:_:)``), or ranges of it and its end
    /// (``finish(_:size:)``), an empty one too.
    @discardableResult
    package func add(_ entry: TreeEntry) throws(FileError) -> Need {
        try change { state throws(FileError) in
            let folder = try enterFolder(of: entry, &state)
            state.nextIndex += 1
            try space.use(SpaceWatch.entry, entry.name)
            if try leavesOut(entry, in: folder, &state) { return .nothing }
            let need = try unlessNameIsRefused(in: folder) { () throws(FileError) in
                switch entry.kind {
                case .file(let size): return try add(file: entry, size: size, in: folder, &state)
                case .folder: try add(folder: entry, in: folder, &state)
                case .symbolicLink(let target): try add(link: entry, to: target, in: folder, &state)
                case .hardLink(let target): try add(hardLink: entry, to: target, in: folder, &state)
                }
                return .nothing
            }
            if let need { return need }
            guard let folder else { preconditionFailure("the item itself has a name of ours") }
            try lose(.name, of: entry.name, in: folder, &state)
            try leaveOut(entry, because: .name, in: folder, &state)
            return .nothing
        }
    }

    /// The entry's folder, after those that it does not lie in were left; nil for the item itself.
    private func enterFolder(of entry: TreeEntry, _ state: inout State) throws(FileError) -> ItemFolder? {
        guard let folder = try enterFolder(of: entry.index, in: entry.parent, &state) else {
            switch entry.kind {
            case .file, .folder: return nil
            case .symbolicLink, .hardLink: throw .malformed("an item that is a link")
            }
        }
        guard folder.isNew(entry.name) else { throw .twice(entry.name.text.utf8) }
        switch entry.kind {
        case .folder where state.stack.count >= TreeEntry.maximumFolders:
            throw .malformed("more than \(TreeEntry.maximumFolders) folders inside one another")
        case .file where state.waiting.count >= Self.maximumWaitingFiles:
            throw .malformed("more than \(Self.maximumWaitingFiles) files without their content")
        default: return folder
        }
    }

    /// The folder that the next entry lies in, after those that it does not lie in were left; nil for the item itself.
    func enterFolder(of index: UInt32, in parent: UInt32, _ state: inout State) throws(FileError) -> ItemFolder? {
        guard index == state.nextIndex else { throw .malformed("entry \(index), where \(state.nextIndex) was next") }
        if index == 0 {
            guard parent == 0 else { throw .malformed("an item inside something") }
            return nil
        }
        while let folder = state.stack.last, folder.entry.index != parent {
            state.stack.removeLast()
            countSurplus(in: folder, &state)
            if folder.leave() { try complete(folder, &state) }
        }
        guard let folder = state.stack.last else {
            throw .malformed("entry \(index) inside entry \(parent), which is no folder that could get more")
        }
        return folder
    }

    // MARK: - Files

    private func add(
        file entry: TreeEntry, size: UInt64?, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) -> Need {
        try state.extend(by: size ?? 0, entry.name)
        if try isStored(entry, in: folder, &state) { return .nothing }
        var file = WaitingFile(entry: entry, folder: folder, restriction: restriction(of: entry, in: folder))
        file.claim = try claim(&file, &state)
        if file.claim == nil { file.claim = try claimStored(&file, &state) }
        // A file whose holes are to be kept takes less than its size, and for the item itself was looked when it began. A stored file
        // takes space once it is copied.
        let wasLooked = folder == nil && place.about?.size != nil
        if let size, file.stored == nil, !wasLooked, !place.required.contains(.sparse) {
            let missing = size - (file.claim?.held.total ?? 0)
            if missing >= 1 << 20 { try space.check(roomFor: missing, entry.name) }
        }
        if entry.isLinkTarget { try makeLinkTarget(&file, &state) }
        folder?.begin()
        state.waiting[entry.index] = file
        guard let claim = file.claim, let size else { return .content }
        return .compare(blocks: claim.held.blocks(ofFileOf: size))
    }

    /// Makes a file that is to be linked to before its content comes, and remembers it.
    private func makeLinkTarget(_ file: inout WaitingFile, _ state: inout State) throws(FileError) {
        let holder = try holder(of: file.folder, &state)
        let name = file.folder == nil ? Workspace.itemName : file.entry.name.text
        if file.made == nil {
            let directory = try state.folders.descriptor(of: holder)
            file.made = try making(file.entry, in: file.folder) { () throws(SystemFailure) in
                try make(file.entry, for: file.restriction, named: name, in: directory).status().identity
            }
            if file.folder == nil { state.root = file.made }
        }
        guard let identity = file.made else { preconditionFailure("a link's target was made") }
        remember(
            file.entry,
            LinkTargetFile(folder: holder, name: name, identity: identity, restriction: file.restriction), &state)
    }

    func remember(_ entry: TreeEntry, _ target: LinkTargetFile, _ state: inout State) {
        guard state.linkTargets.count < Self.maximumLinkTargets else { return }
        state.linkTargets[entry.index] = target
    }

    /// Makes a file that is restricted from the beginning.
    func make(
        _ entry: TreeEntry, for restriction: Restriction, named name: String, in directory: Descriptor
    ) throws(SystemFailure) -> Descriptor {
        let file = try SystemFailure.naming { () throws(SystemFailure) in
            try storage.makeFile(name, in: directory, mode: UInt32(entry.permissions | 0o600))
        }
        try StoredVisibility.keep(restriction, on: file, by: storage)
        return file
    }

    /// Says what it means that something could not be made.
    func making<Result>(
        _ entry: TreeEntry, in folder: ItemFolder?, _ make: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        do throws(SystemFailure) {
            return try make()
        } catch {
            if error.number == EEXIST, folder != nil { throw .twice(entry.name.text.utf8) }
            throw .storing(DisplayText(entry.name.text), error)
        }
    }

    // MARK: - Folders

    private func add(folder entry: TreeEntry, in parent: ItemFolder?, _ state: inout State) throws(FileError) {
        let name = entry.name.text
        var stored: HeldFolder?
        var earlier: HeldFolder?
        if let parent {
            stored = try state.folders.find(name, in: parent.stored, isOurs: false)
            earlier = try state.folders.find(name, in: parent.earlier, isOurs: true)
        } else {
            state.rootIsFolder = true
            stored = place.target?.folder
            earlier = try state.folders.find(Workspace.earlierName, in: state.workspace?.held, isOurs: true)
        }
        var status: FileStatus?
        if let stored {
            let descriptor = try state.folders.descriptor(of: stored)
            status = try making(entry, in: nil) { () throws(SystemFailure) in try descriptor.status() }
        }
        let folder = ItemFolder(
            entry, in: parent, for: restriction(of: entry, in: parent), earlier: earlier, stored: stored,
            isOutOfDate: status.map { $0.modified != entry.modified } ?? false)
        if stored == nil { _ = try holder(of: folder, &state) }
        state.stack.append(folder)
        if let status, let stored {
            let descriptor = try state.folders.descriptor(of: stored)
            try restrict(nil, in: folder, to: folder.restriction, &state) { () throws(SystemFailure) in descriptor }
            try checkPermissions(of: entry, name: nil, are: status.mode, in: folder, &state)
            state.tally.keptEntries += 1
        }
        state.tally.stored += 1
    }

    /// Where what comes into a folder of the item is put together; makes the folder where there is none.
    ///
    /// - Parameter folder: nil for the item itself.
    func holder(of folder: ItemFolder?, _ state: inout State) throws(FileError) -> HeldFolder {
        guard let folder else { return try workspace(&state).held }
        if let made = folder.made { return made }
        let above = try holder(of: folder.parent, &state)
        let directory = try state.folders.descriptor(of: above)
        let entry = folder.entry
        let name = folder.parent == nil ? Workspace.itemName : entry.name.text
        if let parent = folder.parent { try widen(directory, of: parent) }
        try making(entry, in: folder.parent) { () throws(SystemFailure) in
            try SystemFailure.naming { () throws(SystemFailure) in
                try storage.makeFolder(name, in: directory, mode: UInt32(entry.permissions | 0o700))
            }
        }
        let made = try state.folders.open(name, in: above)
        folder.made = made
        if folder.parent == nil { state.root = made.identity }
        let descriptor = try state.folders.descriptor(of: made)
        try making(entry, in: nil) { () throws(SystemFailure) in
            try StoredVisibility.keep(folder.restriction, on: descriptor, by: storage)
        }
        if folder.parent == nil { try markSource(descriptor, entry, &state) }
        try keepAttributes(of: entry, on: descriptor, in: folder, &state)
        if folder.stored == nil { try checkPermissions(of: entry, name: nil, in: folder, &state) }
        if let parent = folder.parent, parent.isComplete { try complete(parent, &state) }
        return made
    }

    /// Nothing comes into the folder any more: gives it the time that each new entry in it changed, and its permissions.
    func complete(_ folder: ItemFolder, _ state: inout State) throws(FileError) {
        // Nothing new in a folder that is there already: only its time may have to be brought up to date.
        guard folder.made != nil || folder.isOutOfDate else { return }
        let made = try holder(of: folder, &state)
        let descriptor = try state.folders.descriptor(of: made)
        // The item itself has to be ours to change until it is in its place.
        if folder.parent != nil { try narrow(descriptor, to: folder.entry, owner: 0o700) }
        try setModified(descriptor, folder.entry.modified, of: nil, in: folder, &state)
        state.unsynced.add(descriptor)
    }

    /// Takes from a file or folder the permissions that its owner was given for the time of the transfer.
    func narrow(_ descriptor: Descriptor, to entry: TreeEntry, owner: UInt16) throws(FileError) {
        guard entry.permissions & owner != owner else { return }
        do throws(SystemFailure) {
            let mode = try descriptor.status().mode & entry.permissions
            try storage.setPermissions(mode, of: descriptor)
        } catch {
            throw .storing(DisplayText(entry.name.text), error)
        }
    }

    /// Takes back what ``complete(_:_:)`` took from the owner of a folder: something in it changes all the same.
    func widen(_ descriptor: Descriptor, of folder: ItemFolder) throws(FileError) {
        let entry = folder.entry
        guard folder.isComplete, entry.permissions & 0o700 != 0o700 else { return }
        do throws(SystemFailure) {
            try storage.setPermissions(try descriptor.status().mode | 0o700, of: descriptor)
        } catch {
            throw .storing(DisplayText(entry.name.text), error)
        }
    }

    /// Gives a file or folder its modification time.
    ///
    /// A file system that cannot hold a time may keep another one and say nothing, so the time is looked at afterwards.
    ///
    /// - Returns: the time that it has; the one that it was to have where that cannot be told.
    @discardableResult
    func setModified(
        _ descriptor: Descriptor, _ time: FileTime, of name: FileName?, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) -> FileTime {
        var kept: FileTime?
        do throws(SystemFailure) {
            try storage.setModified(time, of: descriptor)
            kept = try descriptor.status().modified
            if kept == time { return time }
        } catch {
            if error.isTrouble { throw .storing(name.map { DisplayText($0.text) } ?? DisplayText("the item"), error) }
        }
        try lose(.modificationTime, of: name, in: folder, &state)
        return kept ?? time
    }

    /// Reports permissions that the umask or the file system takes away.
    func checkPermissions(
        of entry: TreeEntry, name: FileName?, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) {
        let kept = state.workspace?.keptPermissions ?? 0o777
        if entry.permissions & ~kept != 0 { try lose(.mode, of: name, in: folder, &state) }
    }

    // MARK: - Links

    private func add(
        link entry: TreeEntry, to target: LinkTarget, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) {
        if try isStored(link: entry, to: target, in: folder, &state) { return }
        let directory = try state.folders.descriptor(of: try holder(of: folder, &state))
        let isMade = try making(entry, in: folder) { () throws(SystemFailure) in
            do throws(SystemFailure) {
                try storage.makeLink(entry.name.text, to: target.text, in: directory)
                return true
            } catch {
                if error.number == EPERM || error.number == ENOTSUP || error.number == ENOSYS { return false }
                throw error.ofNaming
            }
        }
        guard isMade else { return try lose(.linksUnsupported, of: entry.name, in: folder, &state) }
        var isKept = false
        do throws(SystemFailure) {
            try storage.setModified(entry.modified, ofLink: entry.name.text, in: directory)
            isKept = try directory.status(of: entry.name.text).modified == entry.modified
        } catch {
            if error.isTrouble { throw .storing(DisplayText(entry.name.text), error) }
        }
        if !isKept { try lose(.modificationTime, of: entry.name, in: folder, &state) }
        state.unsynced.addLink()
        state.tally.stored += 1
    }

    private func add(
        hardLink entry: TreeEntry, to index: UInt32, in folder: ItemFolder?, _ state: inout State
    ) throws(FileError) {
        guard let target = state.linkTargets[index], let folder else {
            // The sender remembers as many as we do, and names no others.
            throw .malformed("a hard link “\(entry.name)” to entry \(index), which is no file that may have one")
        }
        if try isStored(hardLink: entry, to: target, in: folder, &state) { return }
        let directory = try state.folders.descriptor(of: try holder(of: folder, &state))
        let source = try state.folders.descriptor(of: target.folder)
        let isUnfinished = state.waiting[index] != nil || state.files[index] != nil
        let isLinked = try making(entry, in: folder) { () throws(SystemFailure) in
            do throws(SystemFailure) {
                try storage.link(target.name, in: source, as: entry.name.text, in: directory)
            } catch {
                if [EPERM, ENOTSUP, ENOSYS, EMLINK, EXDEV].contains(error.number) { return false }
                throw error.ofNaming
            }
            guard try directory.status(of: entry.name.text).identity == target.identity else {
                throw SystemFailure(ELOOP)
            }
            return true
        }
        if isUnfinished {
            guard state.links.count < Self.maximumUnfinishedLinks else {
                throw .malformed("more than \(Self.maximumUnfinishedLinks) links to files that are not complete")
            }
            if !isLinked { folder.begin() }
            state.links.add(UnfinishedLinks.Link(entry: entry, folder: folder, isCopy: !isLinked), to: index)
        } else if !isLinked {
            try copy(target, to: entry, in: folder, &state)
        }
        if !isLinked { try lose(.hardLink, of: entry.name, in: folder, &state) }
        state.tally.stored += 1
    }
}
