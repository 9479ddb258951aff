import Glibc
import PortolanTrust

/// Restrictions of single files and folders of an item.
extension PartialItem {
    /// The restriction of an entry: its own, combined with that of its folder, whatever the sender says.
    func restriction(of entry: TreeEntry, in folder: ItemFolder?) -> Restriction {
        guard let folder else { return restriction }
        return entry.restriction.map(folder.restriction.and) ?? folder.restriction
    }

    // MARK: - Leaving out

    /// Leaves an entry out that the destination cannot keep the restriction of, with everything in it and all its names.
    ///
    /// - Returns: whether it is left out. The sender is to be asked for nothing of it.
    func leavesOut(_ entry: TreeEntry, in folder: ItemFolder?, _ state: inout State) throws(FileError) -> Bool {
        guard let folder else { return false }
        if !folder.isLeftOut {
            guard try !canStore(entry, in: folder, &state) else { return false }
            try lose(.visibility, of: entry.name, in: folder, &state)
        }
        if entry.kind == .folder { state.stack.append(ItemFolder(leftOut: entry, in: folder)) }
        if entry.isLinkTarget, !state.leftOut.addTarget(entry.index) {
            throw .malformed("more than \(Self.maximumLinkTargets) files that hard links may name")
        }
        return true
    }

    private func canStore(_ entry: TreeEntry, in folder: ItemFolder, _ state: inout State) throws(FileError) -> Bool {
        if case .hardLink(let target) = entry.kind { return !state.leftOut.hasTarget(target) }
        let restriction = restriction(of: entry, in: folder)
        // The folder's is kept with the folder already.
        guard restriction != folder.restriction else { return true }
        if let isKept = state.leftOut.keeps(restriction) { return isKept }
        let workspace = try workspace(&state)
        let isKept = try making(entry, in: nil) { () throws(SystemFailure) in try workspace.keeps(restriction) }
        state.leftOut.note(restriction, isKept: isKept)
        return isKept
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

/// Entries of an item that are not stored because the destination cannot keep who may see them.
struct LeftOutEntries: Sendable {
    /// Restrictions that are remembered; others are tried each time.
    private static let maximumKnown = 64

    private var targets: Set<UInt32> = []
    private var known: [Restriction: Bool] = [:]

    /// Remembers a file that hard links may name.
    ///
    /// - Returns: false if there are too many.
    mutating func addTarget(_ index: UInt32) -> Bool {
        guard targets.count < PartialItem.maximumLinkTargets else { return false }
        targets.insert(index)
        return true
    }

    func hasTarget(_ index: UInt32) -> Bool { targets.contains(index) }

    /// Whether the destination keeps a restriction; nil if that was not tried.
    func keeps(_ restriction: Restriction) -> Bool? { known[restriction] }

    mutating func note(_ restriction: Restriction, isKept: Bool) {
        if known.count < Self.maximumKnown { known[restriction] = isKept }
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
