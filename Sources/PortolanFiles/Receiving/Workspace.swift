import Glibc
import PortolanTrust

/// The hidden folder in which one item is put together: `.portolan-partial-<random>` directly inside the inbox.
///
/// It is on the inbox's file system, so that publishing is one rename, and for its owner alone (0700), so that nobody sees
/// half an item whatever permissions its files have. The process that works in it holds an flock(2) on it; the kernel drops
/// the lock when that process dies, however it dies. Where a file system has no such locks, leftovers stay until they are
/// removed by hand: better than taking away what somebody is writing.
///
/// One that can be gone on with holds `about` (``PartialAbout``), `progress` (``PartialProgress``), and the item as far as it came:
/// `item` is what this transfer put together, `before` what one before it left, out of which a file moves into `item` when the
/// sender names it again. So nothing is published that the source has no more.
struct Workspace: Sendable {
    /// What the item is called while it is in here.
    static let itemName = "item"
    static let earlierName = "before"
    /// What is in here when somebody wants whoever works on it to stop.
    static let stopName = "stop"
    /// Mark of a partial that ran out of space: it gives way to what needs its space.
    static let fullName = "full"
    /// Name of a file that shows what the file system keeps.
    static let probeName = "probe"
    /// What a copy is called while it is being made.
    static let copyName = "copy"

    let inbox: Descriptor
    let folder: Descriptor
    let held: HeldFolder
    let name: String
    let features: KernelFeatures
    let storage: any Storage
    /// Which of the nine permission bits a file that is made here keeps.
    let keptPermissions: UInt16
    /// Whether it goes on with what an earlier transfer left.
    private(set) var isResumed = false
    /// What the progress record of an earlier transfer says, by path.
    private(set) var earlierFiles: [String: PartialProgress.File] = [:]
    /// Bytes that the earlier transfer had, by its own count.
    private(set) var earlierBytes: UInt64 = 0

    /// Makes one.
    init(in inbox: Descriptor, features: KernelFeatures, storage: any Storage) throws(SystemFailure) {
        // Another process may remove the folder as abandoned before it is locked, or own the name; both are rare.
        for _ in 0..<16 {
            let name = Inbox.partialPrefix + String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
            do throws(SystemFailure) {
                try storage.makeFolder(name, in: inbox, mode: 0o700)
            } catch {
                if error.number == EEXIST { continue }
                throw error
            }
            do throws(SystemFailure) {
                if let folder = try Self.lock(name, in: inbox, features: features) {
                    try self.init(inbox, folder, name, features, storage)
                    return
                }
            } catch {
                try? storage.remove(name, in: inbox, isFolder: true)
                throw error
            }
            try? storage.remove(name, in: inbox, isFolder: true)
        }
        throw SystemFailure(EBUSY)
    }

    private init(
        _ inbox: Descriptor, _ folder: Descriptor, _ name: String, _ features: KernelFeatures, _ storage: any Storage
    ) throws(SystemFailure) {
        self.inbox = inbox
        self.folder = folder
        self.name = name
        self.features = features
        self.storage = storage
        held = try HeldFolder(folder)
        keptPermissions = try Self.keptPermissions(folder, storage)
    }

    /// Tries with a file, for the umask cannot be asked for without setting it, and file systems have ideas of their own.
    private static func keptPermissions(_ folder: Descriptor, _ storage: any Storage) throws(SystemFailure) -> UInt16 {
        try storage.removeIfPresent(probeName, in: folder)
        let kept = try storage.makeFile(probeName, in: folder, mode: 0o777).status().mode & 0o777
        try storage.remove(probeName, in: folder)
        return kept
    }

    /// - Returns: the folder, locked; nil where another process works in it or was about to remove it.
    private static func lock(
        _ name: String, in inbox: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor? {
        guard let folder = try open(name, in: inbox, features: features) else { return nil }
        // A file system without locks has no one who could take this one either. Who lists the partials has it for a moment,
        // which may be long on a busy machine.
        var attempts = 0
        while flock(folder.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            guard attempts < 1000 else { return nil }
            attempts += 1
            usleep(1000)
        }
        // In an inbox that others may write to, the folder just made may have been exchanged for one that they can read.
        let status = try folder.status()
        return status.links > 0 && status.owner == geteuid() && status.mode & 0o077 == 0 ? folder : nil
    }

    /// - Returns: nil where it is gone already.
    static func open(
        _ name: String, in inbox: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor? {
        do throws(SystemFailure) {
            return try Beneath.open(name, in: inbox, O_RDONLY | O_DIRECTORY, features: features)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// Somebody else may go on with it.
    func unlock() { flock(folder.number, LOCK_UN) }

    /// Removes the folder with everything in it; what cannot be removed is left for
    /// ``Inbox/removeExpiredPartials(olderThan:leftoversOlderThan:)``.
    func remove() {
        // First what makes it one that can be gone on with: half of it is not to be.
        try? storage.remove(PartialAbout.fileName, in: folder)
        Removal.empty(folder, features: features, storage: storage)
        // The name may lead to something else by now: only an empty folder goes, and no link is followed.
        try? storage.remove(name, in: inbox, isFolder: true)
        // To close it is not enough: a program that is being started shares the lock until it runs.
        unlock()
    }
}

// MARK: - Going on with one

extension Workspace {
    /// Takes over the partial `name`, where it is one of `identity` that can be gone on with and nobody works on.
    ///
    /// - Returns: nil where it is none.
    static func resume(
        _ name: String, of identity: ItemIdentity, in inbox: Descriptor, features: KernelFeatures,
        storage: any Storage
    ) throws(SystemFailure) -> Workspace? {
        guard let folder = try lock(name, in: inbox, features: features) else { return nil }
        guard let about = PartialAbout.read(from: folder, features: features), about.identity == identity,
            let progress = PartialProgress.read(from: folder, features: features)
        else {
            flock(folder.number, LOCK_UN)
            return nil
        }
        var workspace = try Workspace(inbox, folder, name, features, storage)
        workspace.earlierFiles = Dictionary(progress.files.map { ($0.path, $0) }) { _, last in last }
        workspace.earlierBytes = progress.bytes
        workspace.isResumed = true
        try workspace.putAside()
        return workspace
    }

    /// Makes of what the transfer before left the item's past.
    private func putAside() throws(SystemFailure) {
        guard (try? folder.status(of: Self.itemName)) != nil else { return }
        do throws(SystemFailure) {
            try storage.moveWithoutReplacing(Self.itemName, in: folder, to: Self.earlierName, in: folder)
        } catch {
            guard error.number == EEXIST else { throw error }
            // That one was interrupted, too: what it had taken over goes back to the rest.
            try merge(Self.itemName, in: folder, into: Self.earlierName, in: folder)
        }
    }

    /// Moves a file or folder over another; folders become one.
    private func merge(
        _ name: String, in above: Descriptor, into other: String, in otherAbove: Descriptor, depth: Int = 0
    ) throws(SystemFailure) {
        // Deeper than an item can be, it is none of ours.
        guard depth <= TreeEntry.maximumFolders else { throw SystemFailure(ELOOP) }
        let kind = try above.status(of: name).kind
        let otherKind = (try? otherAbove.status(of: other))?.kind
        guard kind == .folder, otherKind == .folder else {
            if otherKind == .folder || kind == .folder, otherKind != nil {
                if otherKind == .folder {
                    let folder = try Beneath.openOwned(other, in: otherAbove, features: features)
                    Removal.empty(folder, features: features, storage: storage)
                }
                try storage.remove(other, in: otherAbove, isFolder: otherKind == .folder)
            }
            return try storage.moveReplacing(name, in: above, to: other, in: otherAbove)
        }
        let from = try Beneath.openOwned(name, in: above, features: features)
        let to = try Beneath.openOwned(other, in: otherAbove, features: features)
        for entry in try DirectoryListing(of: from) {
            let name = String(decoding: entry.name, as: UTF8.self)
            try merge(name, in: from, into: name, in: to, depth: depth + 1)
        }
        try storage.remove(name, in: above, isFolder: true)
    }
}

extension Storage {
    /// Moves a file over another. Where both are names of one file, rename(2) does nothing and leaves the old name; this takes it
    /// away.
    func moveReplacing(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        let identity = try folder.status(of: name).identity
        if let taken = try? otherFolder.status(of: other), taken.identity == identity {
            return try remove(name, in: folder)
        }
        try move(name, in: folder, to: other, in: otherFolder, .replacing)
    }

    /// As ``move(_:in:to:in:_:)``, also where the file system cannot promise not to replace: in a folder that is nobody else's.
    func moveWithoutReplacing(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        do throws(SystemFailure) {
            try move(name, in: folder, to: other, in: otherFolder, .withoutReplacing)
        } catch {
            guard error.number == EINVAL else { throw error }
            if (try? otherFolder.status(of: other)) != nil { throw SystemFailure(EEXIST) }
            try move(name, in: folder, to: other, in: otherFolder, .replacing)
        }
    }
}
