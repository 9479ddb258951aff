import Glibc
import PortolanFiles
import Synchronization

/// Exclusive lock on an index and its folder, held until it is released or the process ends: a second process would
/// make the cached state stale.
final class IndexLock: Sendable {
    /// Open lock file; nil once it is released.
    private let file: Mutex<Descriptor?>

    /// - Parameter path: path of a file beside the index, which is created.
    init(path: String) throws(SyncError) {
        let number = retrying { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard number >= 0 else { throw .folder(.last, "lock the index of the folder") }
        file = Mutex(Descriptor(owning: number))
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .folder(.last, "lock the index of the folder") }
            throw SyncError(.inUse, "Another process keeps this folder alike.")
        }
    }

    deinit { release() }

    func release() {
        file.withLock { file in
            // A child between fork(2) and exec(2) shares the open file, so closing alone would not release the lock.
            if let file { flock(file.number, LOCK_UN) }
            file = nil
        }
    }
}
