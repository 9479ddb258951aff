import Glibc
import PortolanValues

/// Another item in the inbox from the sender of the arriving one.
struct RelatedItem: Sendable {
    let name: FileName
    let root: Descriptor
    let status: FileStatus

    /// - Parameter isFolder: its kind.
    init?(
        _ name: FileName, in inbox: Descriptor, of sender: SenderIdentity, isFolder: Bool, features: KernelFeatures
    ) {
        self.init(name, in: inbox, isFolder: isFolder, features: features)
        guard SenderMark.read(root) == sender else { return nil }
    }

    /// An item of any sender.
    init?(_ name: FileName, in inbox: Descriptor, isFolder: Bool, features: KernelFeatures) {
        let flags = isFolder ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK
        guard let root = try? Beneath.open(name.text, in: inbox, flags, features: features),
            let status = try? root.status(), status.kind == (isFolder ? .folder : .file), status.owner == geteuid()
        else { return nil }
        self.name = name
        self.root = root
        self.status = status
    }
}

/// Items of the inbox by their senders, for all items of one offer: the inbox is listed once, and each mark is read
/// once, if at all.
final class RelatedItems {
    /// Names of the inbox that are looked at.
    private static let mostLookedAt = 4096
    /// Most related items of one item; the latest ones are used.
    private static let mostRelated = 16
    /// A smaller single file is sent sooner than found, in bytes.
    private static let leastFile: UInt64 = 64 << 10
    /// Smallest folder in bytes; larger than for a file, since a receiver is asked about each entry.
    static let leastFolder: UInt64 = 1 << 20

    private typealias Senders = [SenderIdentity: [FileName]]

    /// Names, the most recently changed first.
    private struct Listing {
        var folders: [FileName] = []
        var files: [UInt64: [FileName]] = [:]
    }

    private let inbox: Descriptor
    private let features: KernelFeatures
    private lazy var listing = list()
    private lazy var folders = senders(of: listing.folders, isFolder: true)
    private var files: [UInt64: Senders] = [:]

    init(in inbox: Descriptor, features: KernelFeatures) {
        self.inbox = inbox
        self.features = features
    }

    /// Returns the names of items of a sender that may contain the content of a new item.
    ///
    /// - Parameter size: bytes of the item, if known: only single files of this size count.
    func find(of sender: SenderIdentity, isFolder: Bool, size: UInt64?) -> [FileName] {
        guard size ?? .max >= (isFolder ? Self.leastFolder : Self.leastFile) else { return [] }
        guard !isFolder else { return folders[sender] ?? [] }
        guard let size, let names = listing.files[size] else { return [] }
        let senders = files[size] ?? senders(of: names, isFolder: false)
        files[size] = senders
        return senders[sender] ?? []
    }

    private func list() -> Listing {
        var listing = Listing()
        guard let names = try? DirectoryListing(of: inbox) else { return listing }
        var found: [(name: FileName, status: FileStatus)] = []
        for index in 0..<min(names.count, Self.mostLookedAt) {
            guard let name = try? names.fileName(index), !name.text.hasPrefix(FileName.partialPrefix),
                let status = try? inbox.status(of: name.text)
            else { continue }
            found.append((name, status))
        }
        for (name, status) in found.sorted(by: { $1.status.changed < $0.status.changed }) {
            switch status.kind {
            case .folder: listing.folders.append(name)
            case .file where status.size >= Self.leastFile: listing.files[status.size, default: []].append(name)
            default: break
            }
        }
        return listing
    }

    private func senders(of names: [FileName], isFolder: Bool) -> Senders {
        var senders: Senders = [:]
        for name in names {
            guard let item = RelatedItem(name, in: inbox, isFolder: isFolder, features: features),
                let sender = SenderMark.read(item.root), senders[sender]?.count ?? 0 < Self.mostRelated
            else { continue }
            senders[sender, default: []].append(name)
        }
        return senders
    }
}
