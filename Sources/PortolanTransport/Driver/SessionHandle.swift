import PortolanProtocol

/// A role's access to its session. Valid while the session runs: the driver holds the role, and the role does not hold
/// the driver.
package struct SessionHandle: Sendable {
    /// Orders offers, lists and fetches, and finds other roles.
    package unowned let driver: SessionDriver

    package var session: Session { driver.session }

    init(_ driver: SessionDriver) { self.driver = driver }

    package func send(_ message: Message) { session.send(message) }

    /// Begins work for the peer. The session is not ended in order before ``endWork()``.
    ///
    /// - Returns: false if the session is ending, and nothing is begun any more.
    package func beginWork() -> Bool { driver.work.begin(by: .peer) != nil }

    /// Ends work for the peer.
    package func endWork() { driver.work.end(by: .peer) }

    /// Tells the peer the changes of the teams that it shares, before any message that depends on them. May block.
    package func tellRosters() throws { try driver.tellRosters() }

    /// Ends the session at once; the first cause counts.
    package func fail(_ error: any Error) { driver.fail(error) }
}
