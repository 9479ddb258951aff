import CPortolanLinux
import Glibc

/// Confinement of the agent's process: it has its owner's read access, and writes only to ``WritableFolders``.
///
/// ```swift
/// // Before there are threads, which would not be held in.
/// let confinement = AgentConfinement(to: folders, userHome: home.folderOfUser)
/// confinement.holds()
/// ```
package struct AgentConfinement: Sendable {
    /// Reason why the kernel does not confine the process, one sentence; nil if it does. A service manager may still do
    /// so.
    package let shortcoming: String?
    /// Paths without symbolic links, with the identity at the time of the confinement: a folder that replaces another
    /// one, for example by a mount, is not writable.
    private let writable: [(path: String, identity: HostFileIdentity?)]
    /// Folders outside of those, for attempts to write.
    private let forbidden: [String]

    /// Confines the process and its children by Landlock, for their lifetime.
    ///
    /// Creates missing folders, which Landlock must be able to open. Call this before there is a second thread.
    ///
    /// - Parameter isWanted: false for no confinement.
    package init(to folders: WritableFolders, userHome: String, isWanted: Bool = true) {
        folders.make()
        let writable = folders.all.map { ResolvedPath.of($0) }
        self.writable = writable.map { ($0, HostFileIdentity(at: $0)) }
        forbidden = [userHome, "/", "/var/tmp"].map { ResolvedPath.of($0) }.filter { place in
            !writable.contains { ResolvedPath.lies(place, in: $0) }
        }
        shortcoming = isWanted ? Self.confine(to: writable + ["/dev/null"]) : "It was started without confinement."
    }

    /// - Returns: the reason of a failure, one sentence; nil after success.
    private static func confine(to paths: [String]) -> String? {
        let copies = paths.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        switch portolan_confine_writing(copies) {
        case 0: return nil
        case ENOSYS: return "This kernel has no Landlock, or one that is too old (before Linux 5.19)."
        case EBUSY: return "The process had threads before it could be confined."
        case let reason: return "Landlock could not be used: \(String(cString: strerror(reason)))."
        }
    }

    /// Attempts to make a file in the user's home, in `/` and in `/var/tmp`. A file that could be made is removed.
    /// Blocks.
    ///
    /// - Returns: true if no attempt succeeded, and at least one failed only because of the confinement.
    package func holds() -> Bool {
        let attempts = forbidden.map { ForbiddenWrite.attempt(in: $0) }
        return attempts.contains(.prevented) && !attempts.contains(.written)
    }

    /// Returns the folders that are not writable. Blocks.
    func outOfReach(_ folders: [String]) -> [String] {
        folders.filter { folder in
            let resolved = ResolvedPath.of(folder)
            let covering = writable.filter { ResolvedPath.lies(resolved, in: $0.path) }
            if covering.contains(where: { $0.identity == HostFileIdentity(at: $0.path) }) { return false }
            // Some file systems change the inode of a folder, so an attempt to write decides.
            return covering.isEmpty || ForbiddenWrite.attempt(in: resolved) == .prevented
        }
    }
}

/// Identity of a file or folder, which a replacement does not share.
private struct HostFileIdentity: Hashable, Sendable {
    let device: dev_t
    let number: ino_t

    /// - Returns: nil if the path does not exist.
    init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}

/// Result of an attempt to make a file outside the permitted folders.
enum ForbiddenWrite: Hashable, Sendable {
    case written
    /// Prevented by the confinement.
    case prevented
    /// Prevented by ordinary permissions, so that the attempt is not conclusive.
    case notPermitted

    /// Makes a hidden file of a random name, and removes it again.
    static func attempt(in folder: String) -> ForbiddenWrite {
        // `access` checks the permissions without the confinement.
        let isPermitted = access(folder, W_OK | X_OK) == 0
        let name = "\(folder)/.portolan-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            switch errno {
            case EROFS: return .prevented
            case EACCES, EPERM: return isPermitted ? .prevented : .notPermitted
            default: return .notPermitted
            }
        }
        close(file)
        unlink(name)
        return .written
    }
}
