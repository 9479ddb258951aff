import Glibc
import PortolanValues

/// Folders and symbolic links.
extension StagedEntries {
    /// Finds or creates an announced folder.
    ///
    /// - Parameter stored: the stored folder in the inbox.
    func makeFolder(
        _ entry: TreeEntry, in parent: ItemFolder?, over stored: HeldFolder?
    ) throws(FileError) -> ItemFolder {
        let (opened, place) = (area.folders.opened, area.place)
        let earlier =
            if let parent {
                try opened.find(entry.name.text, in: parent.earlier, isOurs: true)
            } else {
                try opened.find(Workspace.earlierName, in: area.workspace.current?.held, isOurs: true)
            }
        let restriction = place.restriction(of: entry, in: parent)
        guard let stored else {
            let folder = ItemFolder(
                entry, in: parent, for: restriction, earlier: earlier, stored: nil, isOutOfDate: false)
            _ = try area.folders.holder(of: folder)
            area.ledger.count { $0.stored += 1 }
            return folder
        }
        let directory = try opened.descriptor(of: stored)
        let status = try entry.storing { () throws(SystemFailure) in try directory.status() }
        let folder = ItemFolder(
            entry, in: parent, for: restriction, earlier: earlier, stored: stored,
            isOutOfDate: status.modified != entry.modified)
        try area.properties.restrict(nil, in: folder, to: restriction) { () throws(SystemFailure) in directory }
        try area.properties.checkPermissions(of: entry, name: nil, are: status.mode, in: folder)
        try area.properties.carryAttributes(of: entry, nil, in: folder, isUntouched: { _ in false }) {
            () throws(SystemFailure) in directory
        }
        area.ledger.count { $0.countKept(0) }
        return folder
    }

    /// Creates an announced symbolic link.
    ///
    /// - Returns: the reason for leaving it out; nil if it is stored.
    func makeLink(
        _ entry: TreeEntry, to target: LinkTarget, in folder: ItemFolder?
    ) throws(FileError) -> Loss.Reason? {
        if try stored.holds(link: entry, to: target, in: folder) { return nil }
        if let reason = try stored.refusal(of: entry, in: folder) { return reason }
        let storage = area.storage
        let directory = try area.folders.directory(for: folder)
        let isMade = try entry.making(in: folder) { () throws(SystemFailure) in
            do throws(SystemFailure) {
                try storage.makeLink(entry.name.text, to: target.text, in: directory)
                return true
            } catch {
                if error.number == EPERM || error.number == ENOTSUP || error.number == ENOSYS { return false }
                throw error.ofNaming
            }
        }
        guard isMade else {
            try area.ledger.lose(.linksUnsupported, of: entry.name, in: folder)
            return nil
        }
        var isKept = false
        do throws(SystemFailure) {
            try storage.setModified(entry.modified, ofLink: entry.name.text, in: directory)
            isKept = try directory.status(of: entry.name.text).modified == entry.modified
        } catch {
            if error.isTrouble(in: area.place.folder) { throw .storing(DisplayText(entry.name.text), error) }
        }
        if !isKept { try area.ledger.lose(.modificationTime, of: entry.name, in: folder) }
        area.ledger.noteUnsyncedLink()
        area.ledger.count { $0.stored += 1 }
        return nil
    }
}
