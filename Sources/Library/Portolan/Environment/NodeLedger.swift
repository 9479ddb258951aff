import PortolanProtocol
import PortolanTransport

/// This device's teams, as the sessions of a node need them.
struct NodeLedger: TeamLedger {
    let store: PeerStore
    let identity: DeviceIdentity
    let runtime: Runtime
    /// Called for rosters that are not used because of this device's state or of a wrong clock.
    let warn: @Sendable (String) -> Void

    func teams(sharedWith peer: RemoteIdentity) throws -> [SharedTeam] {
        let key = PinnedKey(peer.deviceKey)
        return try store.teams.all().filter { !$0.isRemoved }.compactMap { stored in
            guard stored.team.member(key) != nil else { return try Self.notice(of: stored, to: key) }
            // A device without the team's secret does not announce its version of the roster, so the peer sends the
            // whole one.
            guard stored.isWhole else { return nil }
            // A device that lacks the secret of another roster is sent all data beside the heads.
            let digest = stored.lacksSecret ? TeamDigest.none : stored.team.digest
            let heads = try stored.told.enumerated().map { try RosterHead($1, $0 == 0 ? stored.leavings : []) }
            return SharedTeam(team: stored.id, digest: digest, heads: heads)
        }
    }

    /// Returns the data for a removed device: one roster, and never a secret.
    private static func notice(of stored: StoredTeam, to key: PinnedKey) throws -> SharedTeam? {
        guard let notice = stored.notice(to: key) else { return nil }
        let head = try RosterHead(roster: notice.signed.bytes, signature: notice.signed.signature, secret: nil)
        return SharedTeam(team: stored.id, digest: notice.digest, heads: [head])
    }

    func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) throws -> Bool {
        do {
            let before = try store.teams.all().first { $0.id == team }
            let (after, hasSigned) = try store.teams.adopt(
                team, heads.map(TeamHeads.Update.init), leavings: heads.flatMap(\.leavings), own: identity,
                now: runtime.date)
            if let before, let after, !showLeft(heads.flatMap(\.leavings), before, after) {
                showMerge(before, after, hasSigned: hasSigned)
            }
            return hasSigned
        } catch let error as StoreError {
            throw error
        } catch TeamError.unknown {
            // The peer does not know yet that this device has left the team.
        } catch TeamError.store(let error) {
            throw error
        } catch {
            warn("A roster of a team came from “\(peer.name)” and was not taken: \(error)")
        }
        return false
    }

    /// Shows the members that have left by their own word.
    ///
    /// - Returns: false if none has.
    private func showLeft(_ statements: [[UInt8]], _ before: StoredTeam, _ after: StoredTeam) -> Bool {
        let keys = Set(statements.compactMap { Leaving($0)?.key })
        let left = before.team.members.filter { keys.contains($0.key) && after.team.member($0.key) == nil }
        for member in left { warn("“\(member.name)” has left “\(after.team.name)”.") }
        return !left.isEmpty
    }

    /// Shows the changes of members by rosters that were signed side by side: nobody has decided on all of them.
    private func showMerge(_ before: StoredTeam, _ after: StoredTeam, hasSigned: Bool) {
        guard hasSigned || after.team.headCount > 1 || !after.includes(before) else { return }
        let changes = TeamDifference(from: before.team, to: after.team).sentences
        guard !changes.isEmpty else { return }
        warn("Admins changed “\(after.team.name)” side by side. Together: \(changes.joined(separator: "; ")).")
    }
}

extension RosterHead {
    init(_ update: TeamHeads.Update, _ leavings: [[UInt8]] = []) throws(InvalidValue) {
        try self.init(
            roster: update.signed.bytes, signature: update.signed.signature, secret: update.secret, leavings: leavings)
    }
}

extension TeamHeads.Update {
    init(_ head: RosterHead) {
        self.init(signed: SignedRoster(bytes: head.roster, signature: head.signature), secret: head.secret)
    }
}
