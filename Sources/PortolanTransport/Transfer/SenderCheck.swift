import PortolanConcurrency
import PortolanTrust
import Synchronization

/// Right of a session's peer to send, evaluated anew at each step and, while the session lasts, once a second.
///
/// The first failure is final: a session does not come back to life when its peer is admitted again.
final class SenderCheck: Sendable {
    private static let interval = Duration.seconds(1)

    private let evaluate: @Sendable () throws -> Void
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameter evaluate: throws if the peer may send nothing any more, or if that cannot be found out. May block for a disk,
    ///   and for nothing that a peer does.
    init(_ evaluate: @escaping @Sendable () throws -> Void) {
        self.evaluate = evaluate
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

    /// Evaluates at intervals until that fails or the task is cancelled.
    ///
    /// - Parameters:
    ///   - runtime: its clock counts the intervals.
    ///   - lost: called with the failure.
    func poll(_ runtime: Runtime, _ lost: @Sendable (any Error) -> Void) async {
        while (try? await runtime.sleep(for: Self.interval)) != nil {
            do {
                try await runtime.withLookupThread { try confirm() }
            } catch {
                return lost(error)
            }
        }
    }
}
