import Foundation
import PortolanProtocol
import PortolanTransport
import PortolanTrust

/// This device's teams, as the sessions of a node need them.
struct NodeLedger: TeamLedger {
    let teams: TeamStore
    let trust: TrustStore
    let identity: DeviceIdentity
    /// Told of rosters that are not used for a reason that lies here, or in a clock.
    let warn: @Sendable (String) -> Void

    func teams(sharedWith peer: RemoteIdentity) throws -> [SharedTeam] {
        let key = PinnedKey(peer.deviceKey)
        return try trust.teams().filter { $0.team.member(key) != nil && !$0.isRemoved }.map { stored in
            SharedTeam(
                team: stored.id, digest: stored.team.digest, heads: try stored.updates.map { try RosterHead($0) })
        }
    }

    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) throws {
        do {
            _ = try teams.adopt(team, heads.map(TeamHeads.Update.init), own: identity, now: .now)
        } catch .unknown {
            // A team that this device has left, and somebody does not know.
        } catch .store(let error) {
            throw error
        } catch {
            warn("A roster of a team came from “\(peer.name)” and was not taken: \(error)")
        }
    }
}

extension RosterHead {
    init(_ update: TeamHeads.Update) throws(InvalidValue) {
        try self.init(roster: update.signed.bytes, signature: update.signed.signature, secret: update.secret)
    }
}

extension TeamHeads.Update {
    init(_ head: RosterHead) {
        self.init(signed: SignedRoster(bytes: head.roster, signature: head.signature), secret: head.secret)
    }
}
