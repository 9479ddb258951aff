import PortolanConcurrency
import PortolanValues
import Synchronization

/// Right of a session's peer to send, evaluated anew at each step and, while something is open, once a second.
///
/// The first failure is final: a session does not come back to life when its peer is admitted again.
final class SenderCheck: Sendable {
    /// Time between two evaluations by ``isThere(_:lost:)``.
    static let interval = Duration.seconds(1)

    private let evaluate: @Sendable () throws -> Void
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameters:
    ///   - begin: throws if the peer may send no items by the latest evaluation. Called at once.
    ///   - evaluate: throws if the peer may send nothing any more, or if that cannot be found out. May block for a
    ///     disk, and for nothing that a peer does.
    init(begin: () throws -> Void, _ evaluate: @escaping @Sendable () throws -> Void) {
        self.evaluate = evaluate
        do { try begin() } catch { failure.withLock { $0 = error } }
    }

    /// Evaluates the right now. Blocks.
    func confirm() throws {
        try requireNotLost()
        do {
            try evaluate()
        } catch {
            failure.withLock { $0 = $0 ?? error }
            throw error
        }
    }

    /// Throws if an earlier evaluation has failed. Cheap: for the path of every record.
    func requireNotLost() throws {
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// Evaluates concurrently with other work.
    ///
    /// - Parameter lost: called with the failure.
    /// - Returns: true if the right is there still.
    func isThere(_ runtime: Runtime, lost: @Sendable (any Error) -> Void) async -> Bool {
        do {
            try await runtime.withLookupThread { try confirm() }
            return true
        } catch {
            lost(error)
            return false
        }
    }
}
