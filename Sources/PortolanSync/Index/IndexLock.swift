import Glibc
import PortolanFiles
import Synchronization

/// Exclusive right to an index and its folder, held until this is released or the process ends: what is in memory of an index must not
/// grow old.
final class IndexLock: Sendable {
    /// Nil once it is released.
    private let file: Mutex<Descriptor?>

    /// - Parameter path: of a file beside the index, which is made.
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
            // A child between fork(2) and exec(2) has the same open file: closing alone would leave the lock to it.
            if let file { flock(file.number, LOCK_UN) }
            file = nil
        }
    }
}
