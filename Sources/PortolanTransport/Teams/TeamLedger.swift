import PortolanProtocol
import PortolanTrust

/// What this device knows of its teams, as the first messages of a session need it. Its calls may block.
package protocol TeamLedger: Sendable {
    /// The teams in which the peer is or was a member by our own rosters, valid or not.
    func teams(sharedWith peer: RemoteIdentity) throws -> [SharedTeam]

    /// Takes what a peer holds of a team. What this device cannot use is no reason to end a session.
    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) throws
}
