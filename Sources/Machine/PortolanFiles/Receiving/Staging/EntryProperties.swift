import Glibc
import PortolanValues
import Synchronization

/// Properties of a file or folder besides its content: permissions, time, attributes, and the marks by which it is
/// recognised later.
final class EntryProperties: Sendable {
    let place: ItemPlace
    let ledger: ItemLedger
    private let workspace: ItemWorkspace
    private let umask = Mutex(Umask())

    init(_ place: ItemPlace, _ ledger: ItemLedger, _ workspace: ItemWorkspace) {
        self.place = place
        self.ledger = ledger
        self.workspace = workspace
    }

    /// Permission bits that this process's umask removes; nil if unknown.
    var umaskBits: UInt16? { umask.withLock { $0.bits() } }

    /// Sets the properties and marks of a file whose content is complete.
    ///
    /// - Parameter holes: number of its bytes that were received as holes.
    func settle(
        _ entry: TreeEntry, _ file: Descriptor, in folder: ItemFolder?, size: UInt64, holes: UInt64
    ) throws(FileError) {
        try checkPermissions(of: entry, name: entry.name, in: folder)
        try keepAttributes(of: entry, on: file, in: folder)
        if folder == nil { try markSource(file, entry) }
        try markReceived(file, entry, size, entry.modified, holes)
        let kept = try setModified(file, entry.modified, of: entry.name, in: folder)
        // The file counts as unchanged with the time that the file system stored.
        if kept != entry.modified { try markReceived(file, entry, size, kept, holes) }
        try narrow(file, to: entry, owner: 0o600, of: entry.name, in: folder)
    }

    // MARK: - Marks

    /// Marks the top folder of an item, so that it is never taken for a sender's (``ReceivingPlace``).
    func markTop(_ root: Descriptor, _ entry: TreeEntry) throws(FileError) {
        guard place.identity == nil else { return try markSource(root, entry) }
        try entry.storing { () throws(SystemFailure) in try ReceivingPlace.markItem(root, by: place.storage) }
    }

    /// Marks the item with the identity of its source.
    func markSource(_ root: Descriptor, _ entry: TreeEntry) throws(FileError) {
        guard let identity = place.identity, ledger.keepsMarks else { return }
        let isKept = try entry.storing { () throws(SystemFailure) in
            if let sender = place.sender { try SenderMark.set(sender, on: root, by: place.storage) }
            return try SourceMark.set(identity, on: root, by: place.storage)
        }
        if !isKept { ledger.loseMarks() }
    }

    private func markReceived(
        _ file: Descriptor, _ entry: TreeEntry, _ size: UInt64, _ modified: FileTime, _ holes: UInt64
    ) throws(FileError) {
        guard place.identity != nil, ledger.keepsMarks else { return }
        let details = ReceivedMark.Details(
            // Final mode, after the umask.
            permissions: entry.permissions & workspace.keptPermissions,
            announced: modified == entry.modified ? nil : entry.modified, holes: holes, sender: place.senderTag)
        let isKept = try entry.storing { () throws(SystemFailure) in
            try ReceivedMark.set(size, modified, details, on: file, by: place.storage)
        }
        if !isKept { ledger.loseMarks() }
    }

    // MARK: - Attributes and time

    func keepAttributes(
        of entry: TreeEntry, on file: Descriptor, in folder: ItemFolder?
    ) throws(FileError) {
        var isLost = entry.lacksAttributes
        for attribute in entry.attributes {
            do throws(SystemFailure) {
                try place.storage.setAttribute(FileAttribute.namespace + attribute.name, attribute.value, of: file)
            } catch {
                if error.isTrouble(in: place.folder) { throw .storing(DisplayText(entry.name.text), error) }
                isLost = true
            }
        }
        let name = entry.kind == .folder ? nil : entry.name
        if isLost { try ledger.lose(.attributes, of: name, in: folder) }
    }

    /// Sets the modification time of a file or folder.
    ///
    /// A file system that cannot represent a time may silently store another one, so the time is read afterwards.
    ///
    /// - Returns: the stored time; the requested one if that cannot be read.
    @discardableResult
    func setModified(
        _ file: Descriptor, _ time: FileTime, of name: FileName?, in folder: ItemFolder?
    ) throws(FileError) -> FileTime {
        do throws(SystemFailure) {
            try place.storage.setModified(time, of: file)
        } catch {
            if error.isTrouble(in: place.folder) {
                throw .storing(name.map { DisplayText($0.text) } ?? DisplayText("the item"), error)
            }
        }
        // The mark uses the file's real time, even if setting the time was refused: it identifies the file later.
        let kept = (try? file.status().modified) ?? time
        if kept != time { try ledger.lose(.modificationTime, of: name, in: folder) }
        return kept
    }

    // MARK: - Permissions

    /// Reports permissions that the umask or the file system takes away.
    func checkPermissions(of entry: TreeEntry, name: FileName?, in folder: ItemFolder?) throws(FileError) {
        if entry.permissions & ~workspace.keptPermissions != 0 { try ledger.lose(.mode, of: name, in: folder) }
        // The permissions of the group are the list's mask. The list must not make a file executable.
        let granted = workspace.grantedByList & (entry.kind == .folder ? 0o7 : 0o6)
        if granted & ~(entry.permissions >> 3) != 0 { ledger.limitAccessList() }
    }

    /// Takes from a file or folder the permissions that its owner was given for the time of the transfer.
    /// Reports a refusal.
    ///
    /// - Parameter name: nil for `folder` itself.
    func narrow(
        _ file: Descriptor, to entry: TreeEntry, owner: UInt16, of name: FileName?, in folder: ItemFolder?
    ) throws(FileError) {
        let isNarrow = try entry.storing { () throws(SystemFailure) in
            try place.storage.narrow(file, to: entry.permissions, owner: owner)
        }
        if !isNarrow { try ledger.lose(.mode, of: name, in: folder) }
    }

    /// Restores the owner's permissions that ``narrow(_:to:owner:)`` removed: entries of the folder must change.
    func widen(_ directory: Descriptor, of entry: TreeEntry) throws(FileError) {
        guard entry.permissions & 0o700 != 0o700 else { return }
        try entry.storing { () throws(SystemFailure) in
            _ = try place.storage.adoptPermissions(try directory.status().mode | 0o700, of: directory)
        }
    }
}
