import Glibc
import PortolanConcurrency

/// Reason for which an agent cannot write to a folder that is there.
enum FolderHold: Sendable, Hashable {
    /// The process is held in since its start, and the folder was not there, or not known, then.
    case untilRestart
    /// The service manager shows it to the service as read-only.
    case byManager
}

/// Folders that the process of an agent can write to.
struct FolderReach: Sendable {
    let host: AgentHost
    /// Whether the process is held in.
    let isConfined: Bool

    /// The obstacle to writing to a folder; nil if there is none, and for a folder that is away, which is told otherwise.
    func hold(on folder: String) async -> FolderHold? {
        guard isConfined, let confinement = host.confinement else { return nil }
        let isManaged = host.manager != nil
        return await withLookupThread {
            // A file in its place is no folder that a restart would let this process write to.
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            if !confinement.outOfReach([folder]).isEmpty { return .untilRestart }
            return isManaged && access(folder, W_OK) != 0 && errno == EROFS ? .byManager : nil
        }
    }
}
