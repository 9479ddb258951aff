import Glibc
import PortolanTrust
import Synchronization

/// A file in the inbox that came from the same source, has the size of the file that is announced and another time.
final class StoredFile: Sendable {
    /// nil for an item that is one file.
    let folder: HeldFolder?
    let target: StoredTarget?
    let status: FileStatus
    /// Held while it is copied.
    let copying = Mutex(())

    init(folder: HeldFolder?, target: StoredTarget?, status: FileStatus) {
        self.folder = folder
        self.target = target
        self.status = status
    }
}

/// Files whose time has changed, and perhaps nothing else: their content is compared before it is sent or stored again.
extension PartialItem {
    /// Smaller files come with their announcement, which costs less than comparing.
    private static let leastCompared: UInt64 = 64 << 10

    /// Claims the content of a stored file for one that is announced.
    func claimStored(_ file: inout WaitingFile, _ state: inout State) throws(FileError) -> Claim? {
        guard let size = file.size, size > Self.leastCompared, !file.entry.isLinkTarget,
            let stored = try storedFile(for: file, of: size, &state),
            let descriptor = try? open(stored, file.entry.name, &state), ReceivedMark.isTrue(of: descriptor),
            isKept(file.restriction, on: descriptor)
        else { return nil }
        let blocks = descriptor.data.clamped(to: size).blocks(ofFileOf: size)
        guard !blocks.isEmpty else { return nil }
        file.stored = stored
        return Claim(held: CoveredRanges(blocks, ofFileOf: size), isComplete: false)
    }

    private func storedFile(
        for file: WaitingFile, of size: UInt64, _ state: inout State
    ) throws(FileError) -> StoredFile? {
        guard let folder = file.folder else {
            // Of several versions, the one that the sender had last.
            let target = place.targets.filter { $0.folder == nil && $0.status.size == size }
                .max { $0.status.modified < $1.status.modified }
            return target.map { StoredFile(folder: nil, target: $0, status: $0.status) }
        }
        guard let held = folder.stored else { return nil }
        let directory = try state.folders.descriptor(of: held)
        guard let status = try? directory.status(of: file.entry.name.text), status.kind == .file, status.size == size,
            status.owner == geteuid(), status.links == 1
        else { return nil }
        return StoredFile(folder: held, target: nil, status: status)
    }

    /// Opens a stored file, which must be the one that was claimed.
    func open(_ stored: StoredFile, _ name: FileName, _ state: inout State) throws(FileError) -> Descriptor {
        var directory: Descriptor?
        if let folder = stored.folder { directory = try state.folders.descriptor(of: folder) }
        let descriptor: Descriptor
        let status: FileStatus
        do throws(SystemFailure) {
            if let target = stored.target {
                descriptor = target.root
            } else if let directory {
                descriptor = try Beneath.openToRead(name.text, in: directory, features: features)
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
            status.modified == stored.status.modified
        else { throw .changedHere(DisplayText(name.text)) }
        return descriptor
    }

    /// No bytes came: the stored file is what was announced, and gets its time and all else that belongs to it.
    ///
    /// - Returns: whether it was such a file.
    func keepStored(_ entry: UInt32, size: UInt64) throws(FileError) -> Bool {
        try change { state throws(FileError) in
            guard let file = state.waiting[entry], let stored = file.stored, let claim = file.claim else {
                return false
            }
            guard file.size == size, claim.settled.contains(0..<size) else {
                throw .malformed("an end of “\(file.entry.name)” with bytes missing")
            }
            let descriptor = try open(stored, file.entry.name, &state)
            state.waiting[entry] = nil
            if let target = stored.target { state.kept = target }
            try keep(file.entry, size, stored.status, in: file.folder, &state) { () throws(SystemFailure) in descriptor
            }
            try keepAttributes(of: file.entry, on: descriptor, in: file.folder, &state)
            // The steps above leave the modification time alone, so another time means a change made here.
            _ = try open(stored, file.entry.name, &state)
            let kept = try setModified(
                descriptor, file.entry.modified, of: file.entry.name, in: file.folder, &state)
            try making(file.entry, in: nil) { () throws(SystemFailure) in
                let mode = try descriptor.status().mode & 0o777
                // Permissions that were changed here stay a change of here.
                let received = ReceivedMark.permissions(size, stored.status.modified, on: descriptor) ?? mode
                // Only a file that its owner may write to takes a mark.
                if mode & 0o200 == 0 { try storage.setPermissions(mode | 0o200, of: descriptor) }
                defer { if mode & 0o200 == 0 { try? storage.setPermissions(mode, of: descriptor) } }
                _ = try ReceivedMark.set(size, kept, received, on: descriptor, by: storage)
            }
            state.unsynced.add(descriptor)
            if let folder = file.folder, folder.finishOne() { try complete(folder, &state) }
            return true
        }
    }
}
