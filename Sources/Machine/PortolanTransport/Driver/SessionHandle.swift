import PortolanProtocol
import Synchronization

/// A role's access to its session. Valid while the session runs: the driver holds the role, and the role does not hold
/// the driver.
package struct SessionHandle: Sendable {
    /// Gives access to offers, lists and fetches, and to other roles.
    package unowned let driver: SessionDriver

    package var session: Session { driver.session }

    init(_ driver: SessionDriver) { self.driver = driver }

    package func send(_ message: Message) { session.send(message) }

    /// Begins work for the peer. The session does not end in order before ``endWork()``.
    ///
    /// - Returns: false if the session is ending and accepts no more work.
    package func beginWork() -> Bool { driver.work.begin(by: .peer) != nil }

    /// Ends work for the peer.
    package func endWork() { driver.work.end(by: .peer) }

    /// Notes a question of the peer. Lists, requests and SyncWants are numbered and counted together.
    package func take(
        _ note: (inout ServingMachine) throws(ProtocolViolation) -> Void
    ) throws(ProtocolViolation) {
        try driver.questions.withLock { machine throws(ProtocolViolation) in try note(&machine) }
    }

    /// Notes that the answer to a question of the peer was sent.
    package func answered(_ question: UInt64) { driver.questions.withLock { $0.answered(question) } }

    /// Sends the peer changes of shared teams, before any message that depends on them. May block.
    package func tellRosters() throws { try driver.tellRosters() }

    /// Ends the session at once; the first cause counts.
    package func fail(_ error: any Error) { driver.fail(error) }
}
