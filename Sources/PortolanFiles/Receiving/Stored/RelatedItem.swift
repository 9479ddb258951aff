import Glibc
import PortolanValues

/// Another item in the inbox that came from the sender of the one that arrives.
struct RelatedItem: Sendable {
    let name: FileName
    let root: Descriptor
    let status: FileStatus

    /// - Parameter isFolder: its kind.
    init?(
        _ name: FileName, in inbox: Descriptor, of sender: SenderIdentity, isFolder: Bool, features: KernelFeatures
    ) {
        let flags = isFolder ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK
        guard let root = try? Beneath.open(name.text, in: inbox, flags, features: features),
            let status = try? root.status(), status.kind == (isFolder ? .folder : .file), status.owner == geteuid(),
            SenderMark.isSet(sender, on: root)
        else { return nil }
        self.name = name
        self.root = root
        self.status = status
    }
}

extension Inbox {
    /// Names of the inbox that are looked at for related items.
    private static let mostLookedAt = 4096
    /// Related items of one item; the latest ones.
    private static let mostRelated = 16
    /// A smaller single file is sent sooner than found, in bytes.
    private static let leastFile: UInt64 = 64 << 10

    /// Returns the names of items of the same sender whose content may be that of an item that is not there.
    ///
    /// - Parameter size: bytes of an item that is one file: only files of this size count.
    func related(to sender: SenderIdentity, isFolder: Bool, size: UInt64?, in folder: Descriptor) -> [FileName] {
        guard isFolder || size ?? 0 >= Self.leastFile, let listing = try? DirectoryListing(of: folder) else {
            return []
        }
        var found: [RelatedItem] = []
        for index in 0..<min(listing.count, Self.mostLookedAt) {
            guard let name = try? listing.fileName(index), !name.text.hasPrefix(FileName.partialPrefix),
                let status = try? folder.status(of: name.text), status.kind == (isFolder ? .folder : .file),
                isFolder || status.size == size,
                let item = RelatedItem(name, in: folder, of: sender, isFolder: isFolder, features: features)
            else { continue }
            found.append(item)
            guard found.count > Self.mostRelated else { continue }
            // Few descriptors are open at a time.
            found.sort { $1.status.changed < $0.status.changed }
            found.removeLast()
        }
        return found.sorted { $1.status.changed < $0.status.changed }.map(\.name)
    }
}
