import Glibc
import PortolanValues
import Synchronization

/// Folder of this machine, identified by its handle rather than its path.
///
/// A closed folder is opened again from the folder above it, name by name, without following links, and must be the
/// same folder: a link or another folder in its place is detected.
final class HeldFolder: Sendable {
    /// Nil for the starting folder, which stays open.
    let parent: HeldFolder?
    let name: String
    let identity: FileIdentity
    let descriptor: Mutex<Descriptor?>

    init(_ descriptor: Descriptor) throws(SystemFailure) {
        parent = nil
        name = ""
        identity = try descriptor.status().identity
        self.descriptor = Mutex(descriptor)
    }

    init(_ descriptor: Descriptor, _ identity: FileIdentity, name: String, in parent: HeldFolder) {
        self.parent = parent
        self.name = name
        self.identity = identity
        self.descriptor = Mutex(descriptor)
    }
}

extension Beneath {
    /// Opens a folder of ours to list and change it, which its permissions may forbid: its owner can take them back.
    static func openOwned(
        _ name: UnsafePointer<CChar>, in folder: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor {
        let opened = try openOwned(name, in: folder, O_RDONLY | O_DIRECTORY, features: features)
        let mode = try opened.status().mode
        if mode & 0o700 != 0o700, fchmod(opened.number, mode_t(mode | 0o700)) != 0 { throw .last }
        return opened
    }

    /// Opens a file or folder of this user whose permissions may deny access; adds the owner's permissions if
    /// necessary.
    static func openOwned(
        _ name: UnsafePointer<CChar>, in folder: Descriptor, _ flags: Int32, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor {
        do throws(SystemFailure) {
            return try open(name, in: folder, flags, features: features)
        } catch {
            guard error.number == EACCES else { throw error }
            let closed = openat(folder.number, name, __O_PATH | O_NOFOLLOW | O_CLOEXEC)
            guard closed >= 0 else { throw .last }
            defer { close(closed) }
            // By its descriptor, so that a link in its place is not followed.
            guard chmod("/proc/self/fd/\(closed)", 0o700) == 0 else { throw .last }
            return try open(name, in: folder, flags, features: features)
        }
    }
}
