import Glibc
import PortolanValues

/// Item in the inbox that was stored from the same source before.
struct StoredTarget: Sendable {
    let name: FileName
    /// Locked while it is brought up to date.
    let root: Descriptor
    let status: FileStatus
    /// nil for an item that is one file.
    let folder: HeldFolder?

    /// - Parameter isFolder: true if the item is a folder now; the stored one must be of the same kind.
    init?(_ name: FileName, in inbox: Descriptor, of identity: ItemIdentity, isFolder: Bool, features: KernelFeatures) {
        guard let found = RelatedItem(name, in: inbox, isFolder: isFolder, features: features),
            SourceMark.isSet(identity, on: found.root)
        else { return nil }
        self.name = name
        root = found.root
        status = found.status
        folder = isFolder ? try? HeldFolder(root) : nil
    }

    /// - Returns: false where another process is at it.
    func lock() -> Bool { flock(root.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    func unlock() { flock(root.number, LOCK_UN) }

    /// Fails if the item was removed, or moved away, since it was looked up.
    func checkIsThere(in inbox: Descriptor) throws(FileError) {
        guard let found = try? inbox.status(of: name.text), found.identity == status.identity else {
            throw .changedHere(DisplayText(name.text))
        }
    }
}
