import Glibc
import PortolanFiles
import PortolanValues

/// Error of copying content, with the reason in one sentence.
package enum CopyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part cannot be read or written.
    case system(action: String, path: String, code: Int32)
    /// The source is a pipe, a socket or a device.
    case special(path: String)
    /// The source is one of the program's own files.
    case own(path: String)
    /// The source was written to during the copy.
    case changed(path: String)
    /// The file system lacks the bytes that are needed, besides the reserve.
    case noSpace(path: String, bytes: UInt64)
    /// The client has disconnected, or the agent stops.
    case stopped

    package var description: String {
        switch self {
        case .system(let action, let path, let code):
            "Could not \(action) “\(DisplayText(path, limit: 1024))”: \(String(cString: strerror(code)))."
        case .special(let path):
            "“\(DisplayText(path, limit: 1024))” is no file, folder or link, so that no copy of it can be kept."
        case .own(let path): FileError.own(DisplayText(path, limit: 1024)).description
        case .changed(let path): "“\(DisplayText(path, limit: 1024))” was changed while it was copied; try again."
        case .noSpace(let path, let bytes):
            "There is no room for a copy of “\(DisplayText(path, limit: 1024))”: the next part takes \(bytes) bytes."
        case .stopped: "The copying was stopped."
        }
    }

    /// True if there is no room for the copy.
    var isLackOfRoom: Bool {
        switch self {
        case .noSpace: true
        case .system(_, _, let code): code == ENOSPC || code == EDQUOT
        case .special, .own, .changed, .stopped: false
        }
    }

    static func last(_ action: String, _ path: String) -> CopyError { .system(action: action, path: path, code: errno) }
}
