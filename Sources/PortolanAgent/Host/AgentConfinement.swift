import CPortolanLinux
import Glibc
import PortolanValues

/// Confinement of the agent's process: it reads what its owner may read, and writes to ``WritableFolders`` only.
///
/// ```swift
/// // Before there are threads, which would not be held in.
/// let confinement = AgentConfinement(to: folders, userHome: home.folderOfUser)
/// confinement.holds()
/// ```
package struct AgentConfinement: Sendable {
    /// Why the kernel does not hold the process in, one sentence; nil if it does. Something else may hold it, as a service manager does.
    package let shortcoming: String?
    /// Paths without symbolic links, with what was there when the kernel was told of them: a folder that takes the place of another one, as
    /// by a mount, is none of those that may be written to.
    private let writable: [(path: String, identity: FileIdentity?)]
    /// Places for an attempt to write, outside of those.
    private let forbidden: [String]

    /// Has the kernel hold the process in, by Landlock, for as long as it lives, and its children.
    ///
    /// Makes the folders that are missing: the kernel has to see them. To be called before there is a second thread.
    ///
    /// - Parameter isWanted: whether it does so.
    package init(to folders: WritableFolders, userHome: String, isWanted: Bool = true) {
        folders.make()
        let writable = folders.all.map { ResolvedPath.of($0) }
        self.writable = writable.map { ($0, FileIdentity(at: $0)) }
        forbidden = [userHome, "/", "/var/tmp"].map { ResolvedPath.of($0) }.filter { place in
            !writable.contains { ResolvedPath.lies(place, in: $0) }
        }
        shortcoming = isWanted ? Self.confine(to: writable + ["/dev/null"]) : "It was started without confinement."
    }

    /// - Returns: why that failed, one sentence; nil if it did not.
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

    /// Attempts what is forbidden: to make a file in the user's home, in `/` and in `/var/tmp`. One that could be made is removed. Blocks.
    ///
    /// - Returns: whether no attempt succeeded, and at least one failed for no other reason than that the process is held in.
    package func holds() -> Bool {
        let attempts = forbidden.map { ForbiddenWrite.attempt(in: $0) }
        return attempts.contains(.prevented) && !attempts.contains(.written)
    }

    /// Those of `folders` that nothing can be written to. Blocks.
    func outOfReach(_ folders: [String]) -> [String] {
        folders.filter { folder in
            let resolved = ResolvedPath.of(folder)
            let covering = writable.filter { ResolvedPath.lies(resolved, in: $0.path) }
            if covering.contains(where: { $0.identity == FileIdentity(at: $0.path) }) { return false }
            // Some file systems give a folder another number now and then: what counts is whether it can be done.
            return covering.isEmpty || ForbiddenWrite.attempt(in: resolved) == .prevented
        }
    }
}

/// A file or folder, told from one that takes its place.
private struct FileIdentity: Hashable, Sendable {
    let device: dev_t
    let number: ino_t

    /// - Returns: nil if there is nothing.
    init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}

/// An attempt to make a file where none may be made.
enum ForbiddenWrite: Hashable, Sendable {
    case written
    /// By what holds the process in.
    case prevented
    /// By permissions that anybody has to respect; says nothing.
    case notPermitted

    /// Makes a hidden file of a random name, and removes it again.
    static func attempt(in folder: String) -> ForbiddenWrite {
        // Permissions are checked as if nothing held the process in.
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
