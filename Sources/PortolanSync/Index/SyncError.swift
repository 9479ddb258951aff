import GRDB
import Glibc
import PortolanFiles
import PortolanSyncModel
import PortolanValues

/// Reason for which a folder cannot be synchronized, or a part of it not now: a kind for programs and one sentence for people.
package struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The folder does not allow what has to be done in it.
        case folder(SystemFailure)
        /// The index cannot be read or written.
        case index
        /// Another process synchronizes the folder.
        case inUse
        /// A newer version of the program has changed the index.
        case newerIndex
        /// Content that came is not the content that was announced.
        case wrongContent
        /// Nobody who can be reached has the content.
        case noSuchContent
        /// The folder is left alone until a person decides.
        case halted(Opening.Stop)
        /// A member has changes by this replica that its index does not have. A new epoch has begun; the member asks again.
        case epochEnded
    }

    package let kind: Kind
    /// One sentence; safe to print.
    package let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Nobody who can be reached has a content, or all of it.
    package static var noContent: SyncError {
        SyncError(.noSuchContent, "Nobody who can be reached has the content of a file.")
    }

    /// - Parameter action: verb with its object, as in "read the folder".
    static func folder(_ failure: SystemFailure, _ action: String) -> SyncError {
        SyncError(.folder(failure), "The program cannot \(action): \(failure.text).")
    }

    /// Error of a transaction, in which files may have been touched.
    static func index(_ error: any Error) -> SyncError {
        if let error = error as? SyncError { return error }
        if let failure = error as? SystemFailure { return folder(failure, "change the folder") }
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        return SyncError(.index, "The index of the folder cannot be used: \(DisplayText(reason, limit: 200)).")
    }
}

extension SystemFailure {
    /// Whether the disk has no room, or no more for this user.
    var isFull: Bool { number == ENOSPC || number == EDQUOT }
}
