import PortolanTransport

/// A session as the receptions and the shelf of a node take part in it.
protocol SessionVisit: Sendable {
    /// Makes the roles of this side in the session.
    func makeRoles() -> SessionRoles
    /// True if an item of the peer's last offer is, or was, taken by this route.
    func hasReceived(by route: Int) -> Bool
    /// The session has ended with this side's last word on everything.
    func end()
    /// The session has ended early.
    func end(because error: any Error)
}
