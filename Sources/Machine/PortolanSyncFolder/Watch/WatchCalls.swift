import Glibc
import PortolanFiles

/// System calls of a ``FolderWatch``, replaced in tests of failures.
package struct WatchCalls: Sendable {
    /// inotify_add_watch(2), which returns the number of the watch.
    package var add: @Sendable (_ queue: CInt, _ path: String, _ events: UInt32) throws(SystemFailure) -> CInt
    /// read(2) on the event queue; returns the number of bytes.
    package var read: @Sendable (_ queue: CInt, _ buffer: UnsafeMutableRawBufferPointer) -> Int

    package init() {
        add = { (queue, path, events) throws(SystemFailure) in
            let number = inotify_add_watch(queue, path, events)
            guard number >= 0 else { throw SystemFailure(errno) }
            return number
        }
        read = { queue, buffer in Glibc.read(queue, buffer.baseAddress, buffer.count) }
    }
}

/// Reason why a watch has ended.
package enum WatchEnd: Hashable, Sendable {
    /// The task was cancelled.
    case stopped
    /// The folder is missing, or was replaced.
    case gone
    /// Changes may be missed; a clause without a full stop, safe to print.
    case failed(String)
}
