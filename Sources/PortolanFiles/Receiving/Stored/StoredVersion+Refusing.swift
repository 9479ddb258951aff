import CPortolanLinux
import Glibc
import PortolanValues

/// Entries that the destination refuses are found before their content is asked for, so that it is not sent each time
/// in vain.
extension StoredVersion {
    /// A folder that is announced, as it is found in the inbox.
    enum FoundFolder {
        case there(HeldFolder)
        case nothing
        /// Neither the folder nor anything in it can be stored.
        case refused(Loss.Reason)
    }

    /// Finds the folder of an entry: the one that has its name, or the one that lies beside it.
    func find(folder entry: TreeEntry, in parent: ItemFolder) throws(FileError) -> FoundFolder {
        if let stored = parent.stored {
            let opened = area.folders.opened
            let directory = try opened.descriptor(of: stored)
            if let status = try? directory.status(of: entry.name.text) {
                if status.kind == .folder {
                    // A folder that cannot be opened stays as it is.
                    guard let held = try opened.find(entry.name.text, in: stored, isOurs: false) else {
                        return .refused(.notPermitted)
                    }
                    if !BesideMark.isThere(on: try opened.descriptor(of: held)) { return .there(held) }
                }
                if let name = BesideMark.find(entry.name, .folder, in: directory, features: area.features),
                    let held = try opened.find(name.text, in: stored, isOurs: false)
                {
                    try area.ledger.lose(.taken, of: entry.name, in: parent)
                    return .there(held)
                }
            }
        }
        return try refusal(of: entry, in: parent).map { .refused($0) } ?? .nothing
    }

    /// Returns the reason for which a new entry cannot be put into a folder of an item that is brought up to date; nil
    /// if it can, as far as that is known beforehand.
    func refusal(of entry: TreeEntry, in folder: ItemFolder?) throws(FileError) -> Loss.Reason? {
        guard let folder, area.place.target != nil else { return nil }
        let space = area.place.space
        guard space.hasRoom(for: UInt64(SpaceWatch.entry)), !space.isOutOfEntries else { return .noSpace }
        guard let stored = folder.stored else { return nil }
        let directory = try area.folders.opened.descriptor(of: stored)
        var present: FileStatus?
        do throws(SystemFailure) {
            present = try directory.status(of: entry.name.text)
        } catch {
            switch error.reason {
            case .name: return .name
            case .notPermitted: return .notPermitted
            default: break
            }
        }
        // Only an untouched file gives way; beside anything else there is a free name.
        let isReplaced = present?.kind == .file && isUntouched(entry.name, in: directory)
        return directory.letsChange(isReplaced ? (entry.name.text, present) : nil) ? nil : .notPermitted
    }
}

extension Descriptor {
    /// Returns true if a name in this folder may be made or replaced, as far as that is known beforehand. The folder's
    /// owner is always allowed: its permissions are the owner's to change.
    ///
    /// - Parameter replaced: entry that has the name; nil for a free name.
    fileprivate func letsChange(_ replaced: (name: String, status: FileStatus?)?) -> Bool {
        guard let folder = try? status() else { return false }
        if faccessat(number, ".", W_OK | X_OK, AT_EACCESS) != 0 {
            guard errno == EACCES, folder.owner == geteuid() else { return false }
        }
        let protection = portolan_protection(number, "")
        guard protection & Int32(PORTOLAN_IMMUTABLE) == 0 else { return false }
        guard let (name, present) = replaced else { return true }
        guard protection == 0, portolan_protection(number, name) == 0 else { return false }
        // In a folder with the sticky bit only their owners take files away.
        let user = geteuid()
        return folder.mode & 0o1000 == 0 || [0, folder.owner, present?.owner].contains(user)
    }
}
