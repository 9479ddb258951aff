import Glibc
import PortolanConcurrency

/// Reason why an agent cannot write to an existing folder.
enum WriteObstacle: Sendable, Hashable {
    /// The process is confined since its start, when the folder did not exist or was not known.
    case untilRestart
    /// The service manager makes it read-only for the service.
    case byManager
}

/// Check for the folders to which an agent's process can write.
struct FolderReach: Sendable {
    let host: AgentHost
    /// True if the process is confined.
    let isConfined: Bool

    /// Returns the obstacle to writing to a folder; nil if there is none, and for a missing folder, which is reported
    /// otherwise.
    func hold(on folder: String) async -> WriteObstacle? {
        guard isConfined, let confinement = host.confinement else { return nil }
        let isManaged = host.manager != nil
        return await withLookupThread {
            // A restart would not make a file at the path writable.
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            if !confinement.outOfReach([folder]).isEmpty { return .untilRestart }
            return isManaged && access(folder, W_OK) != 0 && errno == EROFS ? .byManager : nil
        }
    }
}
