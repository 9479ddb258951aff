import GRDB
import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Reason why a folder, or a part of it, cannot be synchronized: a kind for programs and one sentence for people.
package struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// A call on the folder failed.
        case folder(SystemFailure)
        /// The index cannot be read or written.
        case index
        /// Another process synchronizes the folder.
        case inUse
        /// The work was cancelled; what it had not finished is left as it was.
        case cancelled
        /// A newer version of the program has changed the index.
        case newerIndex
        /// Received content does not match its digest.
        case wrongContent
        /// No reachable member has the content.
        case noSuchContent
        /// The folder is left alone until a person decides.
        case halted(ReplicaStart.Stop)
        /// A member has changes by this replica that its index does not have. A new epoch has begun; the member asks
        /// again.
        case epochEnded
    }

    package let kind: Kind
    /// Sentence for people; safe to print.
    package let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// True if the disk, or this user's quota, is full.
    package var isFull: Bool {
        guard case .folder(let failure) = kind else { return false }
        return failure.isFull
    }

    /// - Parameter action: verb with its object, such as "read the folder".
    static func folder(_ failure: SystemFailure, _ action: String) -> SyncError {
        SyncError(.folder(failure), "The program cannot \(action): \(failure.text).")
    }

    static let damagedIndex = SyncError(.index, "The index of the folder is damaged.")

    static var cancelled: SyncError { SyncError(.cancelled, "The work on the folder was interrupted.") }

    /// Error of a transaction, which may also come from a call on files.
    static func index(_ error: any Error) -> SyncError {
        if let error = error as? SyncError { return error }
        if error is CancellationError { return cancelled }
        if let failure = error as? SystemFailure { return folder(failure, "change the folder") }
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        return SyncError(.index, "The index of the folder cannot be used: \(DisplayText(oneLine: reason, limit: 200)).")
    }
}

extension SystemFailure {
    /// True if the disk, or this user's quota, is full.
    var isFull: Bool { number == ENOSPC || number == EDQUOT }
}
