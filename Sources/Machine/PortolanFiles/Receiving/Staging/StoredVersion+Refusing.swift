import CPortolanLinux
import Glibc
import PortolanValues

/// Entries that the destination would refuse are found before their content is requested, so that it is not sent in
/// vain.
extension StoredVersion {
    /// Announced folder, as found in the inbox.
    enum FoundFolder {
        case there(HeldFolder)
        case nothing
        /// Neither the folder nor anything in it can be stored.
        case refused(Loss.Reason)
    }

    /// Finds the folder of an entry: the one of its name, or the one stored beside that.
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

    /// Returns the reason why a new entry cannot be put into a folder of an updated item; nil if it can, as far as
    /// known in advance.
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
        // Only an untouched file is replaced; beside any other entry, a numbered name is free.
        let isReplaced = present?.kind == .file && isUntouched(entry.name, in: directory)
        return directory.letsChange(isReplaced ? (entry.name.text, present) : nil) ? nil : .notPermitted
    }
}

extension Descriptor {
    /// Returns true if a name in this folder may be created or replaced, as far as known in advance. The folder's owner
    /// always may, since the owner can change its permissions.
    ///
    /// - Parameter replaced: present entry of the name; nil for a free name.
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
