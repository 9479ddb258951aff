import PortolanValues
import Synchronization

/// Entries that are not stored while the rest of their item is. Usable from any thread.
final class LeftOutEntries: Sendable {
    /// Most restrictions in memory; others are tried each time.
    private static let maximumKnown = 64

    /// Most names in memory; a repetition of a further name is not noticed.
    private static let maximumNames = 65_536

    private struct State {
        /// Files that hard links may name.
        var targets: [UInt32: Loss.Reason] = [:]
        /// Names that are remembered.
        var names = 0
        /// True for each restriction that the destination keeps.
        var known: [Restriction: Bool] = [:]
    }

    private let area: StagingArea
    private let state = Mutex(State())

    init(_ area: StagingArea) { self.area = area }

    // MARK: - Omissions

    /// Returns the reason why an entry is not stored; nil if it may be.
    func reason(toLeaveOut entry: TreeEntry, in folder: ItemFolder) throws(FileError) -> Loss.Reason? {
        if let reason = folder.omission { return reason }
        // The item may be brought up to date where it is kept alike with others.
        if OwnFiles.isReserved(entry.name.text) { return .name }
        return switch entry.kind {
        case .hardLink(let target): reason(of: target)
        case .symbolicLink(let target): target.staysInside(fromDepth: folder.depth) ? nil : .linkLeavesItem
        case .file, .folder: try keepsRestriction(of: entry, in: folder) ? nil : .visibility
        }
    }

    /// Returns the reason why a file is not stored; nil if it is, or if no hard link may have it as target.
    func reason(of target: UInt32) -> Loss.Reason? { state.withLock { $0.targets[target] } }

    private func keepsRestriction(of entry: TreeEntry, in folder: ItemFolder) throws(FileError) -> Bool {
        let restriction = area.place.restriction(of: entry, in: folder)
        // The folder's restriction is already stored with the folder.
        guard restriction != folder.restriction else { return true }
        if let isKept = state.withLock({ $0.known[restriction] }) { return isKept }
        let workspace = try area.workspace.open()
        let isKept = try entry.storing { () throws(SystemFailure) in try workspace.keeps(restriction) }
        state.withLock { if $0.known.count < Self.maximumKnown { $0.known[restriction] = isKept } }
        return isKept
    }

    // MARK: - Leaving out

    /// Leaves an entry out with all its names; the caller reports it.
    func leaveOut(
        _ index: UInt32, _ name: [UInt8], isLinkTarget: Bool, because reason: Loss.Reason, in folder: ItemFolder
    ) throws(FileError) {
        guard !folder.hasLeftOut(name) else { throw .twice(name) }
        // The name is noted first and then searched on the disk; a thread that creates a file does so first and then
        // checks here.
        note(name, in: folder)
        if let made = folder.made, let text = try? FileName(name).text {
            let directory = try area.folders.opened.descriptor(of: made)
            if (try? directory.status(of: text)) != nil { throw .twice(name) }
        }
        guard isLinkTarget else { return }
        try state.withLock { state throws(FileError) in
            try FileError.checkForm(
                state.targets.count < PartialItem.maximumLinkTargets,
                "more than \(PartialItem.maximumLinkTargets) files that hard links may name")
            state.targets[index] = reason
        }
    }

    /// Notes the name of an entry that is not stored, since the disk would not show its repetition.
    func note(_ name: [UInt8], in folder: ItemFolder) {
        // An omitted folder has no stored entries.
        guard !folder.isLeftOut else { return }
        let isRemembered = state.withLock { state in
            guard state.names < Self.maximumNames else { return false }
            state.names += 1
            return true
        }
        if isRemembered { folder.leaveOut(name) }
    }

    /// Fails if an entry with the name of a new file was left out.
    func checkIsNew(_ file: AnnouncedFile) throws(FileError) {
        guard let folder = file.folder, folder.hasLeftOut(file.name.text.utf8) else { return }
        throw .twice(file.name.text.utf8)
    }
}
