import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Identity of the shared folder itself, by which another folder at its path is noticed. The number of a device is no
/// part of it: it changes with each mount.
struct RootIdentity: Hashable, Sendable {
    var handle: FileHandleID
    /// Time when the folder was made, in nanoseconds since 1970; nil where the file system does not tell, and in an
    /// index of an earlier version of the program.
    var birth: Int64?
    var owner: UInt32?

    init(handle: FileHandleID, birth: Int64?, owner: UInt32?) {
        (self.handle, self.birth, self.owner) = (handle, birth, owner)
    }

    init(of root: Descriptor, _ status: FileStatus, _ storage: any Storage) {
        handle = FileHandleID(status.identity.inode, generation: storage.generation(of: root))
        birth = storage.birth(of: root)
        owner = status.owner
    }

    /// - Returns: nil unless the text is that of an identity.
    init?(text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let number = UInt64(parts[0]), let generation = UInt64(parts[1]) else { return nil }
        self.init(handle: FileHandleID(number, generation: generation), birth: Int64(parts[2]), owner: UInt32(parts[3]))
    }

    var text: String {
        let parts = [birth.map(String.init), owner.map(String.init)].map { $0 ?? "-" }
        return "\(handle.number) \(handle.generation) \(parts.joined(separator: " "))"
    }

    /// True if both are one folder, as far as both are known.
    ///
    /// - Parameter hasNumbers: false on a file system that numbers its files anew at each mount.
    func isSame(as other: RootIdentity, hasNumbers: Bool) -> Bool {
        func differ<Part: Equatable>(_ one: Part?, _ other: Part?) -> Bool {
            if let one, let other { one != other } else { false }
        }
        return !differ(birth, other.birth) && !differ(owner, other.owner) && (!hasNumbers || handle == other.handle)
    }
}

/// The last step to a shared folder.
package enum SharedRoot {
    /// True if a link is in the place of the folder. It is not followed: any user who may write in the folder above can
    /// make it.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns the identity of the folder at a path, as a text for ``FolderReplica/open``; nil if there is none.
    package static func identity(of path: String) -> String? {
        let storage = KernelStorage()
        do throws(SystemFailure) {
            let root = try storage.openFolder(path: path)
            return RootIdentity(of: root, try storage.status(of: root), storage).text
        } catch { return nil }
    }
}
