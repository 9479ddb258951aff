import Glibc
import PortolanTrust
import Synchronization

/// The version of an item that the inbox holds already, as its entries come once more. From any thread.
final class StoredVersion: Sendable {
    /// A file that is there already.
    struct Found: Sendable {
        /// The file, if later entries may be links to it.
        let linkTarget: LinkTargetFile?
    }

    let area: StagingArea
    private let keptFile = Mutex<StoredTarget?>(nil)

    init(_ area: StagingArea) { self.area = area }

    /// The file in the inbox that came once more, for an item that is one file.
    var kept: StoredTarget? { keptFile.withLock(\.self) }

    func keepItem(_ target: StoredTarget) { keptFile.withLock { $0 = target } }

    private var opened: OpenFolders { area.folders.opened }

    // MARK: - Entries that are there

    /// A file that is there already: of the same size, with the same time. It gets the permissions and the restriction that it has now.
    func find(_ file: AnnouncedFile) throws(FileError) -> Found? {
        guard let size = file.size else { return nil }
        let entry = file.entry
        func isSame(_ status: FileStatus) -> Bool {
            status.kind == .file && status.size == size && status.modified == entry.modified
        }
        guard let folder = file.folder else {
            guard let target = area.place.targets.first(where: { $0.folder == nil && isSame($0.status) }) else {
                return nil
            }
            keepItem(target)
            try keep(file, size, target.status) { () throws(SystemFailure) in target.root }
            return Found(linkTarget: nil)
        }
        guard let stored = folder.stored else { return nil }
        let directory = try opened.descriptor(of: stored)
        guard let status = try? directory.status(of: entry.name.text) else { return nil }
        var found = status
        var name = entry.name
        if !isSame(status) {
            // What was changed here stays, and what came once lies beside it.
            guard !isUntouched(entry.name, in: directory),
                let (other, otherStatus) = variant(of: entry.name, in: directory, where: { isSame($1) })
            else { return nil }
            try area.ledger.lose(status.kind == .file ? .conflict : .taken, of: entry.name, in: folder)
            (name, found) = (other, otherStatus)
        }
        try keep(file, size, found) { () throws(SystemFailure) in
            try Beneath.openToRead(name.text, in: directory, features: area.features)
        }
        guard entry.isLinkTarget else { return Found(linkTarget: nil) }
        return Found(
            linkTarget: LinkTargetFile(
                folder: stored, name: name.text, identity: found.identity, restriction: file.restriction))
    }

    /// Whether a symbolic link is there already.
    func holds(
        link entry: TreeEntry, to target: LinkTarget, in folder: ItemFolder?
    ) throws(FileError) -> Bool {
        guard let stored = folder?.stored else { return false }
        let directory = try opened.descriptor(of: stored)
        func leads(_ name: FileName) -> Bool {
            (try? directory.linkTarget(of: name.text)).map { $0.elementsEqual(target.text.utf8) } ?? false
        }
        if !leads(entry.name) {
            guard (try? directory.status(of: entry.name.text)) != nil,
                variant(of: entry.name, in: directory, where: { $1.kind == .symbolicLink && leads($0) }) != nil
            else { return false }
            try area.ledger.lose(.taken, of: entry.name, in: folder)
        }
        area.ledger.count { $0.countKept(0) }
        return true
    }

    /// Whether another name of a file is there already, or a copy.
    func holds(
        hardLink entry: TreeEntry, to target: LinkTargetFile, in folder: ItemFolder
    ) throws(FileError) -> Bool {
        guard let stored = folder.stored else { return false }
        let directory = try opened.descriptor(of: stored)
        guard let status = try? directory.status(of: entry.name.text) else { return false }
        let original = (try? opened.descriptor(of: target.folder)).flatMap { try? $0.status(of: target.name) }
        func isCopy(_ status: FileStatus) -> Bool {
            guard let original, original.identity == target.identity else { return false }
            return status.kind == .file && status.size == original.size && status.modified == original.modified
        }
        func isSame(_ status: FileStatus) -> Bool { status.identity == target.identity || isCopy(status) }
        var (name, found) = (entry.name, status)
        if !isSame(status) {
            guard !isUntouched(name, in: directory),
                let (other, otherStatus) = variant(of: name, in: directory, where: { isSame($1) })
            else { return false }
            try area.ledger.lose(status.kind == .file ? .conflict : .taken, of: name, in: folder)
            (name, found) = (other, otherStatus)
        }
        // A copy, where the file system had no hard links.
        if found.identity != target.identity {
            try area.ledger.lose(.hardLink, of: entry.name, in: folder)
            let restriction = folder.restriction.and(target.restriction)
            try area.properties.restrict(entry.name, in: folder, to: restriction) { () throws(SystemFailure) in
                try Beneath.openToRead(name.text, in: directory, features: area.features)
            }
        }
        area.ledger.count { $0.countKept(0) }
        return true
    }

    /// Counts a file that stays, and gives it what it has at the sender's now.
    func keep(
        _ file: AnnouncedFile, _ size: UInt64, _ status: FileStatus,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        let (entry, properties) = (file.entry, area.properties)
        try properties.restrict(entry.name, in: file.folder, to: file.restriction, opening: open)
        let mode = try properties.carryPermissions(of: entry, to: status, opening: open)
        try properties.checkPermissions(of: entry, name: entry.name, are: mode, in: file.folder)
        area.ledger.count { $0.countKept(size) }
    }

    // MARK: - Files that were changed here

    /// Whether it is the file that came under this name, as it came. What lies beside something else is none.
    func isUntouched(_ name: FileName, in directory: Descriptor) -> Bool {
        guard let file = try? Beneath.openToRead(name.text, in: directory, features: area.features) else {
            return false
        }
        return ReceivedMark.isTrue(of: file) && !BesideMark.isThere(on: file)
    }

    /// What came once and found its name taken: under the numbered names, up to the first that is free.
    private func variant(
        of name: FileName, in directory: Descriptor, where isWanted: (FileName, FileStatus) -> Bool
    ) -> (FileName, FileStatus)? {
        for number in 2... {
            let candidate = name.numbered(number, isFolder: false)
            guard let status = try? directory.status(of: candidate.text) else { return nil }
            if isWanted(candidate, status) { return (candidate, status) }
        }
        return nil
    }
}
