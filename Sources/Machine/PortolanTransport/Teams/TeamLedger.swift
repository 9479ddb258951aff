import PortolanProtocol
import PortolanValues

/// This device's knowledge of its teams, for the first messages of a session. Its calls may block.
package protocol TeamLedger: Sendable {
    /// Returns the teams in which the peer is or was a member according to this device's rosters, valid or not.
    func teams(sharedWith peer: RemoteIdentity) throws -> [SharedTeam]

    /// Takes a peer's heads of a team. Unusable heads do not end the session.
    ///
    /// - Returns: true if this device has signed a roster because of them, as an admin's device does to settle a fork.
    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) throws -> Bool
}
