import Glibc
import PortolanValues
import Synchronization

/// Further names of files.
extension StagedFiles {
    /// The file that is linked to, when the file system was asked for the link.
    private enum Target {
        case complete(isLinked: Bool)
        /// The state of the link is determined by that of the file.
        case unfinished(isLinked: Bool)
        case leftOut(Loss.Reason)
    }

    /// Creates a hard link to an earlier file.
    ///
    /// - Returns: the reason for leaving the link out; nil if it is stored.
    func link(
        _ entry: TreeEntry, to index: UInt32, in folder: ItemFolder
    ) throws(FileError) -> Loss.Reason? {
        guard let target = state.withLock({ $0.linkTargets[index] }) else {
            // Another lane may have left out the file since this look-up.
            if let reason = leftOut.reason(of: index) { return reason }
            // The sender keeps as many targets as this side, and names no others.
            throw .malformed("a hard link “\(entry.name)” to entry \(index), which is no file that may have one")
        }
        if try stored.holds(hardLink: entry, to: target, in: folder) { return nil }
        if let reason = try stored.refusal(of: entry, in: folder) { return reason }
        let directory = try area.folders.directory(for: folder)
        let source = try area.folders.opened.descriptor(of: target.folder)
        let found = try target.linking.withLock { _ throws(FileError) -> Target in
            // The file may have been left out meanwhile.
            if let reason = leftOut.reason(of: index) { return .leftOut(reason) }
            let isLinked = try link(entry, to: target, source, in: folder, directory)
            return try note(entry, to: index, in: folder, isLinked: isLinked)
        }
        switch found {
        case .leftOut(let reason): return reason
        case .unfinished(let isLinked):
            if !isLinked { try area.ledger.lose(.hardLink, of: entry.name, in: folder) }
        case .complete(let isLinked):
            if !isLinked {
                do throws(FileError) {
                    try copy(target, to: entry, in: folder)
                } catch {
                    // The existing file may belong to another user by now, who may not let it be read.
                    guard area.place.target != nil, error.kind == .notPermitted else { throw error }
                    return .notPermitted
                }
                try area.ledger.lose(.hardLink, of: entry.name, in: folder)
            }
            area.ledger.count { $0.stored += 1 }
        }
        return nil
    }

    /// - Returns: true if the file system has such links.
    private func link(
        _ entry: TreeEntry, to target: LinkTargetFile, _ source: Descriptor, in folder: ItemFolder,
        _ directory: Descriptor
    ) throws(FileError) -> Bool {
        try entry.making(in: folder) { () throws(SystemFailure) in
            do throws(SystemFailure) {
                try area.storage.link(target.name, in: source, as: entry.name.text, in: directory)
            } catch {
                if [EPERM, ENOTSUP, ENOSYS, EMLINK, EXDEV].contains(error.number) { return false }
                throw error.ofNaming
            }
            guard try directory.status(of: entry.name.text).identity == target.identity else {
                throw SystemFailure(ELOOP)
            }
            return true
        }
    }

    /// Remembers, and counts, a link to a file that is not complete.
    private func note(
        _ entry: TreeEntry, to index: UInt32, in folder: ItemFolder, isLinked: Bool
    ) throws(FileError) -> Target {
        try state.withLock { state throws(FileError) -> Target in
            guard state.isUnfinished(index) else { return .complete(isLinked: isLinked) }
            try FileError.checkForm(
                state.links.count < PartialItem.maximumUnfinishedLinks,
                "more than \(PartialItem.maximumUnfinishedLinks) links to files that are not complete")
            if !isLinked { folder.begin() }
            area.ledger.count { $0.stored += 1 }
            state.links.add(UnfinishedLinks.Link(entry: entry, folder: folder, isCopy: !isLinked), to: index)
            return .unfinished(isLinked: isLinked)
        }
    }

    /// Replaces a link that cannot be created by a copy, after its target is complete.
    func copy(_ target: LinkTargetFile, to link: UnfinishedLinks.Link) throws(FileError) {
        let copied: Void? = try unlessNameIsRefused(in: link.folder) { () throws(FileError) in
            try copy(target, to: link.entry, in: link.folder)
        }
        if copied == nil {
            area.ledger.count { $0.stored -= 1 }
            try area.ledger.lose(.name, of: link.entry.name, in: link.folder)
        }
        try area.folders.finishOne(in: link.folder)
    }

    private func copy(_ target: LinkTargetFile, to entry: TreeEntry, in folder: ItemFolder) throws(FileError) {
        let directory = try area.folders.directory(for: folder)
        let source = try area.folders.opened.descriptor(of: target.folder)
        let copy = try entry.making(in: folder) { () throws(SystemFailure) in
            try area.maker.copy(
                target.name, in: source, to: entry.name.text, in: directory, entry,
                for: folder.restriction.and(target.restriction))
        }
        area.ledger.noteUnsynced(copy)
    }
}
