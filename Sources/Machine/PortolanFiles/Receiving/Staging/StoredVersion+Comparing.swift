import Glibc
import PortolanValues
import Synchronization

/// Files whose time has changed, and perhaps nothing else: their content is compared before it is sent or stored again.
extension StoredVersion {
    /// Stored file that may be equal to an announced one.
    struct Compared: Sendable {
        let claim: Claim
        let stored: StoredFile

        init(claim: Claim, stored: StoredFile) {
            self.claim = claim
            self.stored = stored
        }

        /// Claims all blocks in which a stored file has data.
        init(_ stored: StoredFile, _ descriptor: Descriptor) {
            let size = stored.status.size
            let data = descriptor.data.clamped(to: size)
            let held = ByteRanges(data.touchedBlocks, ofFileOf: size)
            self.init(claim: Claim(held: held, came: 0, content: data.total, isComplete: false), stored: stored)
        }
    }

    /// To send a smaller file of a folder costs less than comparing. An item that is one file would be stored a second
    /// time.
    private static let leastCompared: UInt64 = 64 << 10

    /// Keeps a stored empty file for an announced empty one.
    ///
    /// - Returns: true if there is one.
    func keepsEmpty(_ file: AnnouncedFile) throws(FileError) -> Bool {
        guard file.size == 0, !file.entry.isLinkTarget, let stored = try storedFile(for: file, of: 0),
            let descriptor = try? open(stored, file.name), ReceivedMark.isTrue(of: descriptor),
            file.folder == nil || !BesideMark.isThere(on: descriptor),
            area.place.isKept(file.restriction, on: descriptor)
        else { return false }
        try keep(stored, as: file, size: 0)
        return true
    }

    /// Claims the content of a stored file for an announced one: all blocks in which it has data. Holes are announced
    /// as such.
    func claim(_ file: AnnouncedFile) throws(FileError) -> Compared? {
        guard let size = file.size, size > (file.folder == nil ? 0 : Self.leastCompared), !file.entry.isLinkTarget,
            let stored = try storedFile(for: file, of: size), let descriptor = try? open(stored, file.name),
            let details = ReceivedMark.details(size, stored.status.modified, on: descriptor),
            details.sender == area.place.senderTag, keepsHoles(stored.status, details),
            file.folder == nil || !BesideMark.isThere(on: descriptor),
            area.place.isKept(file.restriction, on: descriptor)
        else { return nil }
        return Compared(stored, descriptor)
    }

    /// Returns the stored file that may be the base of an announced one. It has no holes, since differences cannot have
    /// any.
    func base(of file: AnnouncedFile) throws(FileError) -> Compared? {
        guard let size = file.size, DifferenceSizes.range ~= size, !file.entry.isLinkTarget,
            let stored = try storedFile(for: file, of: nil), DifferenceSizes.range ~= stored.status.size,
            let descriptor = try? open(stored, file.name),
            !stored.status.mayHaveHoles || descriptor.data.contains(0..<stored.status.size),
            let details = ReceivedMark.details(stored.status.size, stored.status.modified, on: descriptor),
            details.sender == area.place.senderTag,
            file.folder == nil || !BesideMark.isThere(on: descriptor),
            area.place.isKept(file.restriction, on: descriptor)
        else { return nil }
        let claim = Claim(held: ByteRanges(), content: size, isComplete: false)
        return Compared(claim: claim, stored: stored)
    }

    /// - Parameter size: required size; nil for any.
    private func storedFile(for file: AnnouncedFile, of size: UInt64?) throws(FileError) -> StoredFile? {
        guard let folder = file.folder else {
            // Among several versions, the sender's latest.
            let target = area.place.targets.filter { $0.folder == nil && $0.status.size == size ?? $0.status.size }
                .max { $0.status.modified < $1.status.modified }
            return target.map { StoredFile(folder: nil, target: $0, status: $0.status) }
        }
        guard let held = folder.stored else { return nil }
        let directory = try area.folders.opened.descriptor(of: held)
        guard let status = try? directory.status(of: file.name.text), status.kind == .file,
            status.size == size ?? status.size, status.owner == geteuid(), status.links == 1
        else { return nil }
        return StoredFile(folder: held, target: nil, status: status)
    }

    /// Opens a stored file, which must still be the claimed one.
    func open(_ stored: StoredFile, _ announced: FileName) throws(FileError) -> Descriptor {
        let name = stored.otherName ?? announced
        var directory: Descriptor?
        if let folder = stored.folder { directory = try area.folders.opened.descriptor(of: folder) }
        let descriptor: Descriptor
        let status: FileStatus
        do throws(SystemFailure) {
            if let target = stored.target {
                descriptor = target.root
            } else if let directory {
                descriptor = try Beneath.openToRead(name.text, in: directory, features: area.features)
            } else {
                preconditionFailure("A stored file is the item or lies in a folder of it")
            }
            status = try descriptor.status()
        } catch {
            switch error.reason {
            case .missing, .inTheWay: throw .changedHere(DisplayText(name.text))
            default: throw .storing(DisplayText(name.text), error)
            }
        }
        guard status.identity == stored.status.identity, status.size == stored.status.size,
            status.modified == stored.status.modified || stored.otherName != nil && isRenewed(descriptor)
        else { throw .changedHere(DisplayText(name.text)) }
        return descriptor
    }

    /// Returns true if a base file has only got a new time from this transfer: the mark is renewed with the time, while
    /// a local change leaves the mark outdated.
    private func isRenewed(_ file: Descriptor) -> Bool { renewal.withLock { _ in ReceivedMark.isTrue(of: file) } }

    /// Keeps the stored file, which equals the announced one, and sets its time and its other properties.
    func keep(_ stored: StoredFile, as file: AnnouncedFile, size: UInt64) throws(FileError) {
        let (entry, folder) = (file.entry, file.folder)
        let descriptor = try open(stored, file.name)
        if let target = stored.target { keepItem(target) }
        try keep(file, size, stored.status) { () throws(SystemFailure) in descriptor }
        try area.properties.keepAttributes(of: entry, on: descriptor, in: folder)
        // The steps above leave the modification time alone, so another time means a change made here.
        _ = try open(stored, file.name)
        try renewal.withLock { _ throws(FileError) in try renew(stored, descriptor, as: file, size: size) }
        area.ledger.noteUnsynced(descriptor)
    }

    /// Gives a stored file the announced time, and a mark with that.
    private func renew(
        _ stored: StoredFile, _ descriptor: Descriptor, as file: AnnouncedFile, size: UInt64
    ) throws(FileError) {
        let (entry, storage) = (file.entry, area.storage)
        let kept = try area.properties.setModified(descriptor, entry.modified, of: entry.name, in: file.folder)
        try entry.storing { () throws(SystemFailure) in
            let mode = try descriptor.status().mode & 0o777
            // Permissions that were changed here stay.
            var details = ReceivedMark.details(size, stored.status.modified, on: descriptor) ?? .init()
            details.permissions = details.permissions ?? mode
            details.announced = kept == entry.modified ? nil : entry.modified
            // Only a file that its owner may write to takes a mark.
            do throws(SystemFailure) {
                if mode & 0o200 == 0 { try storage.setPermissions(mode | 0o200, of: descriptor) }
                defer { if mode & 0o200 == 0 { try? storage.setPermissions(mode, of: descriptor) } }
                _ = try ReceivedMark.set(size, kept, details, on: descriptor, by: storage)
            } catch {
                // An immutable file (chattr(1)) keeps the mark that it has.
                guard error.isOfOneEntry(in: area.place.folder) else { throw error }
            }
        }
    }
}
