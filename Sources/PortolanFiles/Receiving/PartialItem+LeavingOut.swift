import PortolanTrust

/// Entries that are not stored, while the item goes on.
extension PartialItem {
    /// Leaves an entry out that has a name or a link target which is not stored.
    package func add(_ entry: RefusedEntry) throws(FileError) {
        try change { state throws(FileError) in
            guard let folder = try enterFolder(of: entry.index, in: entry.parent, &state) else {
                throw .malformed("an item that may not be stored")
            }
            if let name = try? FileName(entry.name), !folder.isNew(name) { throw .twice(entry.name) }
            guard !entry.isFolder || state.stack.count < TreeEntry.maximumFolders else {
                throw .malformed("more than \(TreeEntry.maximumFolders) folders inside one another")
            }
            state.nextIndex += 1
            if !folder.isLeftOut {
                try lose(
                    entry.reason, of: DisplayText(bytes: entry.name, limit: 80).text,
                    at: ItemFolder.path(of: entry.name, in: folder), &state)
            }
            try leaveOut(
                entry.index, entry.name, isFolder: entry.isFolder, isLinkTarget: entry.isLinkTarget,
                because: folder.omission ?? entry.reason, in: folder, &state)
        }
    }

    /// Leaves an entry out that may not be stored where it is, with everything in it and all its names.
    ///
    /// - Returns: whether it is left out. The sender is to be asked for nothing of it.
    func leavesOut(_ entry: TreeEntry, in folder: ItemFolder?, _ state: inout State) throws(FileError) -> Bool {
        guard let folder, let reason = try reason(toLeaveOut: entry, in: folder, &state) else { return false }
        if !folder.isLeftOut { try lose(reason, of: entry.name, in: folder, &state) }
        try leaveOut(entry, because: reason, in: folder, &state)
        return true
    }

    /// Leaves an entry out with everything in it and all its names; the caller reports it.
    func leaveOut(
        _ entry: TreeEntry, because reason: Omission.Reason, in folder: ItemFolder, _ state: inout State
    ) throws(FileError) {
        try leaveOut(
            entry.index, Array(entry.name.text.utf8), isFolder: entry.kind == .folder, isLinkTarget: entry.isLinkTarget,
            because: reason, in: folder, &state)
    }

    private func leaveOut(
        _ index: UInt32, _ name: [UInt8], isFolder: Bool, isLinkTarget: Bool, because reason: Omission.Reason,
        in folder: ItemFolder, _ state: inout State
    ) throws(FileError) {
        try checkIsNew(name, in: folder, &state)
        noteLeftOut(name, in: folder, &state)
        if isFolder { state.stack.append(ItemFolder(leftOut: index, because: reason, in: folder)) }
        guard isLinkTarget else { return }
        guard state.leftOut.addTarget(index, because: reason) else {
            throw .malformed("more than \(Self.maximumLinkTargets) files that hard links may name")
        }
    }

    private func reason(
        toLeaveOut entry: TreeEntry, in folder: ItemFolder, _ state: inout State
    ) throws(FileError) -> Omission.Reason? {
        if let reason = folder.omission { return reason }
        return switch entry.kind {
        case .hardLink(let target): state.leftOut.reason(of: target)
        case .symbolicLink(let target): target.staysInside(fromDepth: folder.depth) ? nil : .linkLeavesItem
        case .file, .folder: try keepsRestriction(of: entry, in: folder, &state) ? nil : .visibility
        }
    }

    private func keepsRestriction(
        of entry: TreeEntry, in folder: ItemFolder, _ state: inout State
    ) throws(FileError) -> Bool {
        let restriction = restriction(of: entry, in: folder)
        // The folder's is kept with the folder already.
        guard restriction != folder.restriction else { return true }
        if let isKept = state.leftOut.keeps(restriction) { return isKept }
        let workspace = try workspace(&state)
        let isKept = try making(entry, in: nil) { () throws(SystemFailure) in try workspace.keeps(restriction) }
        state.leftOut.note(restriction, isKept: isKept)
        return isKept
    }

    // MARK: - Names that come twice

    /// Remembers the name of an entry that is not stored: the disk does not tell that it comes again.
    func noteLeftOut(_ name: [UInt8], in folder: ItemFolder, _ state: inout State) {
        // Nothing is stored in a folder that is left out itself.
        if !folder.isLeftOut, state.leftOut.addName() { folder.leaveOut(name) }
    }

    /// Fails if an entry with the name of a file that is about to be made was left out.
    func checkIsNew(_ file: WaitingFile) throws(FileError) {
        guard let folder = file.folder, folder.hasLeftOut(file.entry.name.text.utf8) else { return }
        throw .twice(file.entry.name.text.utf8)
    }

    /// Fails if an entry with the name of one that is to be left out was left out or made.
    private func checkIsNew(_ name: [UInt8], in folder: ItemFolder, _ state: inout State) throws(FileError) {
        guard !folder.hasLeftOut(name) else { throw .twice(name) }
        guard let made = folder.made, let text = try? FileName(name).text else { return }
        let directory = try state.folders.descriptor(of: made)
        if (try? directory.status(of: text)) != nil { throw .twice(name) }
    }

    // MARK: - Names that the file system refuses

    /// Makes something under the name of an entry in `folder`.
    ///
    /// - Returns: nil if the file system refuses the name.
    func unlessNameIsRefused<Result>(
        in folder: ItemFolder?, _ make: () throws(FileError) -> Result
    ) throws(FileError) -> Result? {
        do throws(FileError) {
            return try make()
        } catch {
            guard folder != nil, error.kind == .nameRefused else { throw error }
            return nil
        }
    }

    /// Leaves out a file that waited for its content, because the file system refuses its name.
    func leaveOut(nameRefused file: WaitingFile, _ state: inout State) throws(FileError) {
        guard let folder = file.folder else { preconditionFailure("the item itself has a name of ours") }
        try lose(.name, of: file.entry.name, in: folder, &state)
        if folder.finishOne() { try complete(folder, &state) }
    }
}

/// Entries of an item that are not stored.
struct LeftOutEntries: Sendable {
    /// Restrictions that are remembered; others are tried each time.
    private static let maximumKnown = 64

    /// Names that are remembered; of one more, no folder can tell that it comes twice.
    private static let maximumNames = 65_536

    private var targets: [UInt32: Omission.Reason] = [:]
    private var names = 0
    private var known: [Restriction: Bool] = [:]

    /// Remembers a file that hard links may name.
    ///
    /// - Returns: false if there are too many.
    mutating func addTarget(_ index: UInt32, because reason: Omission.Reason) -> Bool {
        guard targets.count < PartialItem.maximumLinkTargets else { return false }
        targets[index] = reason
        return true
    }

    /// Counts a name.
    ///
    /// - Returns: false if there are too many to remember it.
    mutating func addName() -> Bool {
        guard names < Self.maximumNames else { return false }
        names += 1
        return true
    }

    /// Why a file is not stored; nil if it is, or no hard link may name it.
    func reason(of target: UInt32) -> Omission.Reason? { targets[target] }

    /// Whether the destination keeps a restriction; nil if that was not tried.
    func keeps(_ restriction: Restriction) -> Bool? { known[restriction] }

    mutating func note(_ restriction: Restriction, isKept: Bool) {
        if known.count < Self.maximumKnown { known[restriction] = isKept }
    }
}

extension ItemFolder {
    /// The path of an entry with a name of any bytes.
    fileprivate static func path(of name: [UInt8], in folder: ItemFolder) -> [UInt8] {
        let above = path(of: nil, in: folder)
        return above.isEmpty ? name : Array(above.utf8) + [UInt8(ascii: "/")] + name
    }
}
