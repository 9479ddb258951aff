import Glibc
import NIOCore
import NIOPosix
import PortolanClient
import Synchronization

/// Reason why the agent cannot listen at a path, in one sentence.
package enum APISocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An agent listens at the path.
    case agentRuns(path: String)
    case notASocket(path: String)
    /// - Parameter user: owner of the socket or of its folder.
    case notOwned(path: String, user: UInt32)
    /// Other users may enter the folder.
    case folderNotPrivate(path: String, mode: UInt32)
    /// - Parameter action: a verb.
    case system(action: String, path: String, reason: String)

    package var description: String {
        switch self {
        case .agentRuns(let path): "An agent runs already: it listens at \(path)."
        case .notASocket(let path): "The agent cannot listen at \(path): there is a file that is no socket. Remove it."
        case .notOwned(let path, let user):
            "The agent cannot use \(path): it belongs to another user (\(user))."
        case .folderNotPrivate(let path, let mode):
            "The folder of the agent's socket must be closed to other users: \(path) has the mode \(String(mode, radix: 8)). "
                + "Run: chmod 700 \(path)"
        case .system(let action, let path, let reason): "Cannot \(action) \(path): \(reason)."
        }
    }
}

/// Socket file in its folder, with a lock that is held until ``release()``.
final class APISocketFile: Sendable {
    private let path: SocketPath
    private let state: Mutex<State>

    private struct State {
        /// Open lock file; nil after the release.
        var lock: Int32?
        /// Identity of the socket that was made here.
        var own: SocketIdentity?
    }

    private struct SocketIdentity: Hashable, Sendable {
        let device: dev_t
        let number: ino_t
    }

    /// Creates the folder if it is missing, and takes the lock.
    init(path: SocketPath) throws(APISocketError) {
        self.path = path
        try Self.prepare(folder: path.folder)
        let name = path.text + ".lock"
        let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard lock >= 0 else { throw .system("open", name) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let error: APISocketError = errno == EWOULDBLOCK ? .agentRuns(path: path.text) : .system("lock", name)
            close(lock)
            throw error
        }
        state = Mutex(State(lock: lock))
    }

    private static func prepare(folder: String) throws(APISocketError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("make", folder) }
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw .system("examine", folder) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .system(action: "use", path: folder, reason: "it is not a folder")
        }
        guard status.st_uid == geteuid() else { throw .notOwned(path: folder, user: status.st_uid) }
        guard status.st_mode & 0o077 == 0 else {
            throw .folderNotPrivate(path: folder, mode: status.st_mode & 0o7777)
        }
    }

    /// Removes the socket of an agent that ended without removing it; throws for any other file at the path.
    func makeWay(group: any EventLoopGroup) async throws {
        var status = stat()
        guard lstat(path.text, &status) == 0 else {
            guard errno == ENOENT else { throw APISocketError.system("examine", path.text) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw APISocketError.notASocket(path: path.text) }
        guard status.st_uid == geteuid() else { throw APISocketError.notOwned(path: path.text, user: status.st_uid) }
        do {
            let channel = try await ClientBootstrap(group: group).connect(unixDomainSocketPath: path.text).get()
            try? await channel.close()
            throw APISocketError.agentRuns(path: path.text)
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            guard unlink(path.text) == 0 || errno == ENOENT else { throw APISocketError.system("remove", path.text) }
        } catch is IOError {
            // The queue of the other agent may be full.
            throw APISocketError.agentRuns(path: path.text)
        }
    }

    /// Sets the permissions of the listening socket so that other users cannot connect.
    func protect() throws(APISocketError) {
        var status = stat()
        guard chmod(path.text, 0o600) == 0, lstat(path.text, &status) == 0 else { throw .system("protect", path.text) }
        let identity = SocketIdentity(device: status.st_dev, number: status.st_ino)
        state.withLock { $0.own = identity }
    }

    /// Removes the socket unless another one has replaced it, and releases the lock.
    func release() {
        let held = state.withLock { state in
            defer { state = State() }
            return state
        }
        var status = stat()
        if let own = held.own, lstat(path.text, &status) == 0,
            own == SocketIdentity(device: status.st_dev, number: status.st_ino)
        {
            unlink(path.text)
        }
        guard let lock = held.lock else { return }
        // A child between fork(2) and exec(2) shares the open file, so closing alone would not release the lock.
        flock(lock, LOCK_UN)
        close(lock)
    }
}

extension APISocketError {
    fileprivate static func system(_ action: String, _ path: String) -> APISocketError {
        .system(action: action, path: path, reason: String(cString: strerror(errno)))
    }
}
