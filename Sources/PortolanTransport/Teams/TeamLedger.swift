import PortolanProtocol
import PortolanValues

/// This device's knowledge of its teams, for the first messages of a session. Its calls may block.
package protocol TeamLedger: Sendable {
    /// Returns the teams in which the peer is or was a member by our own rosters, valid or not.
    func teams(sharedWith peer: RemoteIdentity) throws -> [SharedTeam]

    /// Takes a peer's heads of a team. Heads that this device cannot use are no reason to end a session.
    ///
    /// - Returns: true if this device has signed a roster of its own because of it, as an admin's device does to settle
    ///   a fork.
    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) throws -> Bool
}
