import Glibc
import PortolanValues

/// Hidden folder in which one item is staged: `.portolan-partial-<random>` directly inside the inbox.
///
/// It is on the inbox's file system, so that publishing is one rename, and has permissions 0700, so that other users
/// cannot see an incomplete item, even if its files' permissions allow it. The process that works in it holds an
/// flock(2) on it; the kernel drops the lock when that process dies. On a file system without such locks, leftovers
/// stay until the user removes them, since an automatic removal could remove a partial in use.
///
/// A resumable workspace holds `about` (``PartialAbout``), `progress` (``PartialProgress``), and the received part of
/// the item: `item` is the result of this transfer, `before` that of an earlier one, from which a file moves into
/// `item` when the sender announces it again. So a file that the source does not have any more is not published.
struct Workspace: Sendable {
    /// Name of the item in the workspace.
    static let itemName = "item"
    static let earlierName = "before"
    /// Stop request: set by another process, polled by the owner of the partial.
    static let stopName = "stop"
    /// Mark of a partial that ran out of space: it is removed if another item needs its space.
    static let fullName = "full"
    /// Mark of a partial in which a file began as a copy of a stored one, so that file sizes do not show the received
    /// amount.
    static let copiedName = "copied"
    /// Name of a file that tests the features of the file system.
    static let probeName = "probe"
    /// Name of a copy while it is being made.
    static let copyName = "copy"

    let inbox: Descriptor
    let folder: Descriptor
    let held: HeldFolder
    let name: String
    let features: KernelFeatures
    let storage: any Storage
    /// Permission bits, of the nine, that a new file here keeps.
    let keptPermissions: UInt16
    /// Permissions that the inbox's default access control list grants to others, from ``AccessList/granted(in:)``.
    let grantedByList: UInt16
    /// True if it resumes an earlier transfer.
    var isResumed = false
    /// Files in the progress record of an earlier transfer, by path.
    var earlierFiles: [String: PartialProgress.File] = [:]
    /// Bytes received by the earlier transfer, by its own count.
    var earlierBytes: UInt64 = 0

    /// Identifier for ``Inbox/forgetPartial(_:)``.
    var id: String { String(name.dropFirst(FileName.partialPrefix.count)) }

    /// Creates a workspace.
    init(in inbox: Descriptor, features: KernelFeatures, storage: any Storage) throws(SystemFailure) {
        // Another process may remove the folder as abandoned before it is locked, or own the name; both are rare.
        for _ in 0..<16 {
            let name = Self.randomName()
            do throws(SystemFailure) {
                try storage.makeFolder(name, in: inbox, mode: 0o700)
            } catch {
                if error.number == EEXIST { continue }
                throw error
            }
            do throws(SystemFailure) {
                if let folder = try Self.lock(name, in: inbox, features: features, storage: storage) {
                    try self.init(inbox, folder, name, features, storage)
                    return
                }
            } catch {
                try? storage.remove(name, in: inbox, isFolder: true)
                throw error
            }
            try? storage.remove(name, in: inbox, isFolder: true)
        }
        throw SystemFailure(EEXIST)
    }

    init(
        _ inbox: Descriptor, _ folder: Descriptor, _ name: String, _ features: KernelFeatures, _ storage: any Storage
    ) throws(SystemFailure) {
        self.inbox = inbox
        self.folder = folder
        self.name = name
        self.features = features
        self.storage = storage
        held = try HeldFolder(folder)
        keptPermissions = try Self.keptPermissions(folder, storage)
        grantedByList = AccessList.granted(in: inbox)
    }

    /// Tries with a file, for the umask cannot be asked for without setting it, and file systems have ideas of their
    /// own.
    private static func keptPermissions(_ folder: Descriptor, _ storage: any Storage) throws(SystemFailure) -> UInt16 {
        try storage.removeIfPresent(probeName, in: folder)
        let kept = try storage.makeFile(probeName, in: folder, mode: 0o777).status().mode & 0o777
        try storage.remove(probeName, in: folder)
        return kept
    }

    /// - Returns: the locked folder; nil if another process works in it or was about to remove it.
    static func lock(
        _ name: String, in inbox: Descriptor, features: KernelFeatures, storage: any Storage
    ) throws(SystemFailure) -> Descriptor? {
        guard let folder = try open(name, in: inbox, features: features) else { return nil }
        // On a file system without locks, no other process can lock it either. A process that lists partials holds the
        // lock for a moment, which may be long on a busy machine.
        var attempts = 0
        while flock(folder.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            guard attempts < 1000 else { return nil }
            attempts += 1
            usleep(1000)
        }
        return try isOurs(folder, in: inbox, by: storage) ? folder : nil
    }

    private static func randomName() -> String {
        FileName.partialPrefix + String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
    }

    /// Returns false where the folder may have been exchanged, in an inbox that others may write, for one that they can
    /// read. A file system that forces an owner or a mode on everything has no other: a new file in the inbox tells.
    private static func isOurs(
        _ folder: Descriptor, in inbox: Descriptor, by storage: any Storage
    ) throws(SystemFailure) -> Bool {
        let status = try folder.status()
        guard status.links > 0 else { return false }
        let (isOwn, isPrivate) = (status.owner == geteuid(), status.mode & 0o077 == 0)
        if isOwn, isPrivate { return true }
        guard status.identity.device == (try inbox.status().identity.device) else { return false }
        let probe = randomName()
        let made = try storage.makeFile(probe, in: inbox, mode: 0o600).status()
        try? storage.remove(probe, in: inbox)
        let isOwnerForced = made.owner != geteuid() && made.owner == status.owner
        return (isOwn || isOwnerForced) && (isPrivate || made.mode & 0o077 != 0)
    }

    /// - Returns: nil if it is gone already.
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

    /// Releases the lock, so that another process may resume the partial.
    func unlock() { flock(folder.number, LOCK_UN) }

    /// Removes the folder with its content; what cannot be removed is left for
    /// ``Inbox/removeExpiredPartials(olderThan:leftoversOlderThan:)``.
    func remove() {
        // The metadata is removed first, since an incomplete partial must not be resumable.
        try? storage.remove(PartialAbout.fileName, in: folder)
        Removal.empty(folder, features: features, storage: storage)
        // The name may belong to another entry by now, so only an empty folder is removed, and no link is followed.
        try? storage.remove(name, in: inbox, isFolder: true)
        // To close it is not enough: a program that is being started shares the lock until it runs.
        unlock()
    }
}

extension Workspace {
    /// Tries whether a file in here keeps a restriction.
    func keeps(_ restriction: Restriction) throws(SystemFailure) -> Bool {
        try probing { probe throws(SystemFailure) in
            do throws(SystemFailure) {
                try StoredVisibility.keep(restriction, on: probe, by: storage)
                return true
            } catch {
                guard error.isRestrictionRefused else { throw error }
                return false
            }
        }
    }

    /// Checks whether a file in the workspace may have this many bytes, as far as known before they are written.
    func takes(fileOf size: UInt64) throws(SystemFailure) -> Bool {
        try probing { LargestFile.takes(size, $0) }
    }

    /// Calls a function with an empty file, which is removed afterwards.
    private func probing(_ body: (Descriptor) throws(SystemFailure) -> Bool) throws(SystemFailure) -> Bool {
        try storage.removeIfPresent(Self.probeName, in: folder)
        let probe = try storage.makeFile(Self.probeName, in: folder, mode: 0o600)
        defer { try? storage.remove(Self.probeName, in: folder) }
        return try body(probe)
    }
}
