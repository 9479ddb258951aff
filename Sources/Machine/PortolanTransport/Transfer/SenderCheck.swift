import Synchronization

/// Right of a session's peer to send, evaluated again at each step, and once a second while an offer is open.
///
/// The first failure is final: the session stays refused even if its peer is admitted again.
final class SenderCheck: Sendable {
    /// Time between two evaluations by ``isThere(_:lost:)``.
    static let interval = Duration.seconds(1)

    private let evaluate: @Sendable () throws -> Void
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameters:
    ///   - begin: throws if the peer may send no items by the latest evaluation. Called at once.
    ///   - evaluate: throws if the peer may not send any more, or if its rights cannot be read. May block for a disk,
    ///     but not for a peer.
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
    /// - Returns: true if the peer may still send.
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
