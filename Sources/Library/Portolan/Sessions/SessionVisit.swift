import PortolanTransport

/// Participation of a node's receptions and shelf in one session.
protocol SessionVisit: Sendable {
    /// Makes this side's roles in the session.
    func makeRoles() -> SessionRoles
    /// True if an item of the peer's last offer is, or was, taken by this route.
    func hasReceived(by route: Int) -> Bool
    /// Called after the session has ended in order, with all answers sent.
    func end()
    /// The session has ended early.
    func end(because error: any Error)
}
