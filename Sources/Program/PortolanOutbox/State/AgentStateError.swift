import GRDB
import UniformTypeIdentifiers

/// Error of the agent's state file or of its folder.
package struct AgentStateError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The file is not a database, or parts of it cannot be read. Found while the agent runs; ``AgentDatabase``
        /// renames a damaged file when it opens one.
        case damaged(reason: String)
        /// A newer version of the program has changed its schema.
        case newer
        case readOnly
        /// The file system has no room.
        case full
        /// Another program holds SQLite's lock on the file.
        case busy
        /// Another agent runs with this folder; `process` is nil if it has not written its identifier yet.
        case inUse(process: Int32?)
        /// The folder is on a network file system, where locks and shared memory are not reliable.
        case networkFileSystem(name: String)
        case system(action: String, reason: String)
    }

    package let kind: Kind
    package let path: String

    package init(_ kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    package static func system(_ action: String, path: String, code: Int32 = errno) -> AgentStateError {
        switch code {
        case EROFS, EACCES, EPERM: AgentStateError(.readOnly, path: path)
        case ENOSPC, EDQUOT: AgentStateError(.full, path: path)
        default: AgentStateError(.system(action: action, reason: String(cString: strerror(code))), path: path)
        }
    }

    /// SQLite reports some failures of the file system as input and output errors, so the file system is asked as well.
    package init(_ error: DatabaseError, path: String) {
        self.path = path
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            kind = .damaged(reason: error.message ?? "it is not a database")
        case .SQLITE_READONLY: kind = .readOnly
        case .SQLITE_FULL: kind = .full
        case .SQLITE_BUSY, .SQLITE_LOCKED: kind = .busy
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PERM:
            var system = statvfs()
            let folder = PathCut.folder(of: path) ?? "."
            let isKnown = statvfs(folder, &system) == 0
            if isKnown, system.f_flag & UInt(ST_RDONLY) != 0 {
                kind = .readOnly
            } else if isKnown, UInt64(system.f_bavail) * UInt64(system.f_frsize) < 1 << 16 {
                kind = .full
            } else {
                fallthrough
            }
        default: kind = .system(action: "use", reason: error.message ?? "SQLite's error \(error.resultCode.rawValue)")
        }
    }

    package var description: String {
        switch kind {
        case .damaged(let reason):
            "The agent's state \(path) is damaged (\(reason)). Start the agent again: it sets the file aside."
        case .newer:
            "The agent's state \(path) was written by a newer version of this program. Install that version, "
                + "or use another home."
        case .readOnly: "The agent cannot write its state: \(path) is read-only."
        case .full: "The agent cannot write its state: there is no room for \(path)."
        case .busy: "Another program holds the agent's state \(path). End it, then try again."
        case .inUse(let process):
            if let process {
                "An agent with process ID \(process) runs already; it holds \(path)."
            } else {
                "An agent runs already; it holds \(path)."
            }
        case .networkFileSystem(let name):
            "\(path) is on a network file system (\(name)), where a database can be damaged. "
                + "Use a home on a local disk."
        case .system(let action, let reason): "Could not \(action) \(path): \(reason)."
        }
    }
}
