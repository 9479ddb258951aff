import Glibc
import Synchronization

/// Socket of a connection, for writes that bypass its event loop: waking the loop's thread costs more than sending a
/// message.
///
/// The descriptor is a duplicate, since the loop may close the original at any moment. Only sessions that are sending
/// messages have a duplicate, and at most ``most`` at once: an idle session has one descriptor, and many busy ones do
/// not exhaust the process's limit.
struct DirectOutput: ~Copyable {
    /// Largest number of these in a process.
    private static let most = 16
    private static let count = Atomic(0)

    private let descriptor: CInt

    /// - Parameter socket: non-blocking; remains owned by the caller.
    /// - Returns: nil if there are too many, or no descriptor is left.
    init?(of socket: CInt) {
        guard Self.count.add(1, ordering: .relaxed).newValue <= Self.most else {
            Self.count.subtract(1, ordering: .relaxed)
            return nil
        }
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            Self.count.subtract(1, ordering: .relaxed)
            return nil
        }
        descriptor = copy
    }

    deinit {
        close(descriptor)
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// Writes as many bytes as the socket takes at once.
    ///
    /// - Returns: the number of these bytes; 0 also if the connection is closed, which its loop will notice.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        max(0, send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)))
    }
}
