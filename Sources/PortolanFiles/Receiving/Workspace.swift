import Glibc
import PortolanTrust

/// The hidden folder in which one item is put together: `.portolan-partial-<random>` directly inside the inbox.
///
/// It is on the inbox's file system, so that publishing is one rename, and for its owner alone (0700), so that nobody sees
/// half an item whatever permissions its files have. The process that works in it holds an flock(2) on it; the kernel drops
/// the lock when that process dies, however it dies. Where a file system has no such locks, leftovers stay until they are
/// removed by hand: better than taking away what somebody is writing.
struct Workspace: Sendable {
    /// What the item is called while it is in here.
    static let itemName = "item"

    let inbox: Descriptor
    let folder: Descriptor
    let name: String
    let features: KernelFeatures

    init(in inbox: Descriptor, path: String, features: KernelFeatures) throws(FileError) {
        do throws(SystemFailure) {
            try self.init(in: inbox, features: features)
        } catch {
            throw .storing(DisplayText(path), error)
        }
    }

    private init(in inbox: Descriptor, features: KernelFeatures) throws(SystemFailure) {
        // Another process may remove the folder as abandoned before it is locked, or own the name; both are rare.
        for _ in 0..<16 {
            let name = Inbox.partialPrefix + String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
            if mkdirat(inbox.number, name, 0o700) != 0 {
                if errno == EEXIST { continue }
                throw .last
            }
            do throws(SystemFailure) {
                if let folder = try Self.lock(name, in: inbox, features: features) {
                    self.inbox = inbox
                    self.folder = folder
                    self.name = name
                    self.features = features
                    return
                }
            } catch {
                unlinkat(inbox.number, name, AT_REMOVEDIR)
                throw error
            }
            unlinkat(inbox.number, name, AT_REMOVEDIR)
        }
        throw SystemFailure(EBUSY)
    }

    /// - Returns: the folder, locked; nil where another process was about to remove it.
    private static func lock(
        _ name: String, in inbox: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor? {
        guard let folder = try open(name, in: inbox, features: features) else { return nil }
        // A file system without locks has no one who could take this one either.
        if flock(folder.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
        // In an inbox that others may write to, the folder just made may have been exchanged for one that they can read.
        let status = try folder.status()
        return status.links > 0 && status.owner == geteuid() && status.mode & 0o077 == 0 ? folder : nil
    }

    /// Removes the folder with everything in it; what cannot be removed is left for ``Inbox/removeAbandonedPartials``.
    func remove() {
        Removal.empty(folder, features: features)
        // The name may lead to something else by now: only an empty folder goes, and no link is followed.
        unlinkat(inbox.number, name, AT_REMOVEDIR)
    }

    /// Removes a leftover, if it is one.
    static func removeAbandoned(
        _ name: ArraySlice<UInt8>, in inbox: Descriptor, olderThan age: Duration, features: KernelFeatures
    ) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        guard let folder = try? open(name, in: inbox, features: features), let status = try? folder.status(),
            status.owner == geteuid(), flock(folder.number, LOCK_EX | LOCK_NB) == 0
        else { return false }
        let item = try? folder.status(of: itemName)
        let lastChange = max(status.changed, item?.changed ?? status.changed)
        guard lastChange.age() >= age else { return false }
        Removal.empty(folder, features: features)
        return unlinkat(inbox.number, name, AT_REMOVEDIR) == 0
    }

    /// - Returns: nil where it is gone already.
    private static func open(
        _ name: String, in inbox: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor? {
        do throws(SystemFailure) {
            return try Beneath.open(name, in: inbox, O_RDONLY | O_DIRECTORY, features: features)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }
}

extension FileTime {
    /// How long ago this was by the system's clock; less than nothing for a time to come.
    fileprivate func age() -> Duration {
        var now = Glibc.timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .seconds(Int64(now.tv_sec) - seconds) + .nanoseconds(Int64(now.tv_nsec) - Int64(nanoseconds))
    }
}
