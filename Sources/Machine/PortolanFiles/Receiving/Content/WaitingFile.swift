import PortolanValues
import Synchronization

/// File of an item, as announced.
struct AnnouncedFile: Sendable {
    let entry: TreeEntry
    /// nil for an item that is one file.
    let folder: ItemFolder?
    let restriction: Restriction

    var name: FileName { entry.name }

    /// Size in bytes, if known.
    var size: UInt64? { entry.fileSize }

    /// Name of the file while the item is put together.
    var stagedName: String { folder == nil ? Workspace.itemName : entry.name.text }

    var path: String { ItemFolder.path(of: entry.name, in: folder) }
}

/// Announced file without received bytes.
final class WaitingFile: Sendable {
    let announced: AnnouncedFile
    /// Content of it from an earlier transfer.
    let claim: Claim?
    /// True if it comes as a difference from the stored file.
    let isDifference: Bool
    /// Held while its first bytes create the file; other lanes with bytes of the same file wait.
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

    /// Stored file of the same size for a difference; then nothing but its time may have changed.
    var equal: StoredFile? {
        guard let stored, stored.otherName == nil, !isDifference || stored.status.size == announced.size else {
            return nil
        }
        return stored
    }

    /// Stored file that it may be equal to; until bytes come, the claim is about that file.
    var stored: StoredFile? { origin.withLock(\.stored) }

    /// Identity of the file, if it was made already.
    var made: FileIdentity? { origin.withLock(\.made) }

    /// Notes that the stored file was copied, as the beginning of this one.
    func becomeCopy(_ made: FileIdentity) { origin.withLock { $0 = Origin(stored: nil, made: made) } }

    /// Notes that all of its content comes: the stored file is gone, and nothing was claimed of it.
    func becomeNew() { origin.withLock { $0 = Origin(stored: nil, made: nil) } }
}

extension TreeEntry {
    /// Size in bytes, if announced.
    var fileSize: UInt64? {
        if case .file(let size) = kind { return size }
        return nil
    }
}
