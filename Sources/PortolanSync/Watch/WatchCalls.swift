import Glibc
import PortolanFiles

/// System calls of a ``FolderWatch`` that a test has fail.
package struct WatchCalls: Sendable {
    /// inotify_add_watch(2): the number of the watch.
    package var add: @Sendable (_ queue: CInt, _ path: String, _ events: UInt32) throws(SystemFailure) -> CInt
    /// Most events that are read at once, in bytes.
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

/// Reason for which a folder is watched no more.
package enum WatchEnding: Hashable, Sendable {
    /// The task was cancelled.
    case stopped
    /// The folder is not there, or another one is at its path.
    case gone
    /// Changes may be missed; a clause without a full stop, safe to print.
    case failed(String)
}
