import Glibc
import PortolanValues
import Synchronization

/// Version of an item that the inbox already has, while a new version arrives. Usable from any thread.
final class StoredVersion: Sendable {
    /// File that is already stored.
    struct Found: Sendable {
        /// The file, if later entries may be links to it.
        let linkTarget: LinkTargetFile?
    }

    let area: StagingArea
    private let keptFile = Mutex<StoredTarget?>(nil)
    /// Held between the change of a stored file's time and of its mark.
    let renewal = Mutex(())

    init(_ area: StagingArea) { self.area = area }

    /// Stored file for an item that is a single file and was sent again unchanged.
    var kept: StoredTarget? { keptFile.withLock(\.self) }

    func keepItem(_ target: StoredTarget) { keptFile.withLock { $0 = target } }

    private var opened: OpenFolders { area.folders.opened }

    // MARK: - Entries that are there

    /// Finds a stored file of the same size and time, and gives it its present permissions and restriction.
    func find(_ file: AnnouncedFile) throws(FileError) -> Found? {
        guard let size = file.size else { return nil }
        let entry = file.entry
        guard let folder = file.folder else {
            let found = area.place.targets.first { target in
                target.folder == nil && isSame(file, target.status) { () throws(SystemFailure) in target.root }
            }
            guard let target = found else { return nil }
            keepItem(target)
            try keep(found: file, size, target.status) { () throws(SystemFailure) in target.root }
            return Found(linkTarget: nil)
        }
        guard let stored = folder.stored else { return nil }
        let directory = try opened.descriptor(of: stored)
        func isWanted(_ name: FileName, _ status: FileStatus) -> Bool {
            isSame(file, status) { () throws(SystemFailure) in
                try Beneath.openToRead(name.text, in: directory, features: area.features)
            }
        }
        guard let status = try? directory.status(of: entry.name.text) else { return nil }
        var found = status
        var name = entry.name
        if !isWanted(name, status) {
            // A file that was changed here stays, and the later version is stored beside it.
            guard !isUntouched(entry.name, in: directory),
                let (other, otherStatus) = variant(of: entry.name, in: directory, where: isWanted)
            else { return nil }
            try area.ledger.lose(status.kind == .file ? .conflict : .taken, of: entry.name, in: folder)
            (name, found) = (other, otherStatus)
        }
        try keep(found: file, size, found) { () throws(SystemFailure) in
            try Beneath.openToRead(name.text, in: directory, features: area.features)
        }
        guard entry.isLinkTarget else { return Found(linkTarget: nil) }
        return Found(
            linkTarget: LinkTargetFile(
                folder: stored, name: name.text, identity: found.identity, restriction: file.restriction))
    }

    /// Returns true if the stored file is the announced one: of the same size, with the same time or the time that its
    /// file system made of it. A file with filled holes is not, if holes are required.
    private func isSame(
        _ file: AnnouncedFile, _ status: FileStatus, opening open: () throws(SystemFailure) -> Descriptor
    ) -> Bool {
        guard status.kind == .file, status.size == file.size else { return false }
        let hasTime = status.modified == file.entry.modified
        if hasTime, !area.place.required.contains(.sparse) { return true }
        let details = (try? open()).flatMap { ReceivedMark.details(status.size, status.modified, on: $0) }
        return (hasTime || details?.announced == file.entry.modified) && keepsHoles(status, details)
    }

    /// Returns true if a stored file takes no more space than at reception, as far as that is required.
    func keepsHoles(_ status: FileStatus, _ details: ReceivedMark.Details?) -> Bool {
        guard area.place.required.contains(.sparse), let holes = details?.holes else { return true }
        return status.allocated <= status.size - min(holes, status.size) + SparseSlack.of(status.size)
    }

    /// Keeps a stored file that equals the announced one; its properties are checked like those of a new file.
    private func keep(
        found file: AnnouncedFile, _ size: UInt64, _ status: FileStatus,
        opening open: () throws(SystemFailure) -> Descriptor
    ) throws(FileError) {
        try keep(file, size, status, opening: open)
        if status.modified != file.entry.modified {
            try area.ledger.lose(.modificationTime, of: file.name, in: file.folder)
        }
        try area.properties.carryAttributes(
            of: file.entry, file.name, in: file.folder, isUntouched: ReceivedMark.isTrue(of:), opening: open)
    }

    /// Returns true if the stored entry is this symbolic link already.
    func holds(
        link entry: TreeEntry, to target: LinkTarget, in folder: ItemFolder?
    ) throws(FileError) -> Bool {
        guard let stored = folder?.stored else { return false }
        let directory = try opened.descriptor(of: stored)
        func leads(_ name: FileName) -> Bool {
            (try? directory.linkTarget(of: name.text)).map { $0.elementsEqual(target.text.utf8) } ?? false
        }
        var name = entry.name
        if !leads(name) {
            guard (try? directory.status(of: name.text)) != nil,
                let (other, _) = variant(of: name, in: directory, where: { $1.kind == .symbolicLink && leads($0) })
            else { return false }
            try area.ledger.lose(.taken, of: name, in: folder)
            name = other
        }
        try carryTime(of: entry, toLink: name, directory, in: folder)
        area.ledger.count { $0.countKept(0) }
        return true
    }

    /// Sets the announced time of a stored symbolic link.
    private func carryTime(
        of entry: TreeEntry, toLink name: FileName, _ directory: Descriptor, in folder: ItemFolder?
    ) throws(FileError) {
        func hasTime() -> Bool { (try? directory.status(of: name.text).modified) == entry.modified }
        guard !hasTime() else { return }
        do throws(SystemFailure) {
            try area.storage.setModified(entry.modified, ofLink: name.text, in: directory)
            area.ledger.noteUnsyncedLink()
        } catch {
            if error.isTrouble(in: area.place.folder) { throw .storing(DisplayText(name.text), error) }
        }
        if !hasTime() { try area.ledger.lose(.modificationTime, of: entry.name, in: folder) }
    }

    /// Returns true if the stored entry is a hard link to the file already, or a copy.
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

    /// Counts an unchanged file, and gives it the sender's present properties.
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

    /// Returns true if the file was received under this name and is unchanged. A file that is stored beside another one
    /// is not.
    func isUntouched(_ name: FileName, in directory: Descriptor) -> Bool {
        guard let file = try? Beneath.openToRead(name.text, in: directory, features: area.features) else {
            return false
        }
        return ReceivedMark.isTrue(of: file) && !BesideMark.isThere(on: file)
    }

    /// Finds an earlier file that was received when its name was taken: tries numbered names up to the first free one.
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
