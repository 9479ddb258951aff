import PortolanValues
import Synchronization

/// A file of an item, as it was announced.
struct AnnouncedFile: Sendable {
    let entry: TreeEntry
    /// nil for an item that is one file.
    let folder: ItemFolder?
    let restriction: Restriction

    var name: FileName { entry.name }

    /// Bytes, where they are known.
    var size: UInt64? { entry.fileSize }

    /// Name of the file while the item is put together.
    var stagedName: String { folder == nil ? Workspace.itemName : entry.name.text }

    var path: String { ItemFolder.path(of: entry.name, in: folder) }
}

/// A file that was announced and whose bytes have not begun to come.
final class WaitingFile: Sendable {
    let announced: AnnouncedFile
    /// Bytes of it from an earlier transfer.
    let claim: Claim?
    /// True if it comes as a difference from the stored file.
    let isDifference: Bool
    /// Held while its first bytes make the file; other lanes that bring bytes of the same file wait.
    let beginning = Mutex(())
    private let origin: Mutex<Origin>

    private struct Origin {
        var stored: StoredFile?
        var made: FileIdentity?
    }

    init(
        _ announced: AnnouncedFile, claim: Claim?, stored: StoredFile?, made: FileIdentity?, isDifference: Bool = false
    ) {
        self.announced = announced
        self.claim = claim
        self.isDifference = isDifference
        origin = Mutex(Origin(stored: stored, made: made))
    }

    /// The stored file of which it may be a difference, if it is as long: then nothing but its time may have changed.
    var equal: StoredFile? {
        guard let stored, stored.otherName == nil, !isDifference || stored.status.size == announced.size else {
            return nil
        }
        return stored
    }

    /// The stored file that it may be equal to; until bytes come, the claim is about that one.
    var stored: StoredFile? { origin.withLock(\.stored) }

    /// Identity of the file, if it was made already.
    var made: FileIdentity? { origin.withLock(\.made) }

    /// Notes that the stored file was copied, as the beginning of this one.
    func becomeCopy(_ made: FileIdentity) { origin.withLock { $0 = Origin(stored: nil, made: made) } }

    /// Notes that all of it comes: the stored file is gone, and nothing was said of it.
    func becomeNew() { origin.withLock { $0 = Origin(stored: nil, made: nil) } }
}

extension TreeEntry {
    /// Bytes, for a file whose size was announced.
    var fileSize: UInt64? {
        if case .file(let size) = kind { return size }
        return nil
    }
}
