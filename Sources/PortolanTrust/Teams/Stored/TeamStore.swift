import Foundation
import PortolanCrypto
import PortolanValues

/// The teams this device is in: one private file for each, and one that says which is the default.
///
/// Every change is read, decided and written as one step among all processes, and a file is replaced whole. A file that
/// cannot be read or understood is an error for every question about teams, because both other answers would be wrong:
/// that nobody is a member, and that anybody is.
///
/// What was read stays in memory; see ``CachedFile`` for how the files are followed. The calls block for as long as the disk takes.
package struct TeamStore: Sendable {
    /// The most teams a device is in: as many as one handshake tries and one greeting names.
    package static let capacity = 16

    let files: TeamFiles

    /// The folder whose files say which teams there are; not there as long as there are none. Each of its files is replaced whole.
    package static func folder(in home: HomeDirectory) -> String { TeamFiles.directoryPath(in: home.data) }

    /// - Parameter own: the key of this device; nil takes for each team the one that this device had when it came to it.
    package init(home: HomeDirectory, own: DevicePublicKey? = nil) {
        files = TeamFiles(home: home, own: own.map(PinnedKey.init))
    }

    /// Every team of this device, also those it was removed from, by name.
    package func all() throws(StoreError) -> [StoredTeam] {
        guard let directory = try files.open() else { return [] }
        return try files.teams(in: directory)
    }

    /// Names of the teams.
    package func names() throws(StoreError) -> [TeamID: TeamName] {
        Dictionary(try all().map { ($0.id, $0.team.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// The team that a person means: by its name, or by its identifier.
    package func named(_ text: String) throws(StoreError) -> StoredTeam? {
        let (teams, name, id) = (try all(), try? TeamName(text), TeamID(text))
        return teams.first { $0.team.name == name } ?? teams.first { $0.id == id }
    }

    /// Founds a team with this device as its only member and admin.
    package func create(name: TeamName, by device: DeviceIdentity, now: Date) throws(TeamError) -> StoredTeam {
        try files.locked { directory in
            let others = try files.teams(in: directory)
            guard !others.contains(where: { $0.team.name == name }) else { throw TeamError.nameTaken(name) }
            var random = SystemRandomNumberGenerator()
            let heads = TeamHeads.found(name, by: device.key, called: device.name, now: now, using: &random)
            return try files.add(
                TeamRecord(heads, device: PinnedKey(device.publicKey), added: now), beside: others, in: directory)
        }
    }

    /// Changes a team of which this device is an admin.
    package func change(
        _ id: TeamID, _ change: RosterChange, by device: DeviceIdentity, now: Date
    ) throws(TeamError) -> StoredTeam {
        try files.locked { directory in
            guard var record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            var heads = record.heads
            guard heads.team.member(PinnedKey(device.publicKey)) != nil else {
                throw TeamError.removed(heads.team.name)
            }
            var random = SystemRandomNumberGenerator()
            try heads.change(change, by: device.key, now: now, using: &random)
            record.advance(to: heads)
            return try files.save(record, in: directory)
        }
    }

    /// Makes this device, which founded the team, an admin of it again.
    ///
    /// - Parameter names: members that are removed in the same step, by the roster that results.
    package func reclaim(
        _ id: TeamID, removing names: [DeviceName], by device: DeviceIdentity, now: Date
    ) throws(TeamError) -> StoredTeam {
        try files.locked { directory in
            guard var record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            var heads = record.heads
            var random = SystemRandomNumberGenerator()
            try heads.reclaim(by: device.key, called: device.name, now: now, using: &random)
            for name in names {
                let named = heads.team.members.filter { $0.name.comparisonKey == name.comparisonKey }
                guard named.count == 1 else { throw RosterChangeError.noSuchMember }
                try heads.change(.remove(named[0].key), by: device.key, now: now, using: &random)
            }
            record.advance(to: heads)
            return try files.save(record, in: directory)
        }
    }

    /// Takes the team that somebody invited this device to, or the one it knows already and comes back to.
    ///
    /// - Parameters:
    ///   - received: the team's heads as the inviter sent them. Those of a team that is known already are accepted only if they
    ///     follow from what is known, so nobody can be invited back to an older state.
    ///   - inviter: the key that the invitation's code has confirmed; it must be an admin's.
    package func join(
        _ received: [TeamHeads.Update], invitedBy inviter: DevicePublicKey, own: DevicePublicKey,
        now: Date
    ) throws(TeamError) -> StoredTeam {
        try files.locked { directory in
            let joined = try TeamHeads.joining(received, now: now)
            let (id, device) = (joined.team.id, PinnedKey(own))
            let known = try files.record(id, in: directory)
            var record = known ?? TeamRecord(joined, device: device, added: now)
            if known != nil, let next = try Self.adopting(received, into: record.heads, as: device, now: now) {
                record.advance(to: next)
            }
            record.rejoin(as: device)
            let team = record.heads.team
            guard record.isMember, team.member(PinnedKey(inviter))?.isAdmin == true else {
                throw TeamError.notInvited(team.name)
            }
            let others = try files.teams(in: directory).filter { $0.id != id }
            guard !others.contains(where: { $0.team.name == team.name }) else { throw TeamError.nameTaken(team.name) }
            if known != nil { return try files.save(record, in: directory) }
            return try files.add(record, beside: others, in: directory)
        }
    }

    /// Takes what another member sent of a team.
    ///
    /// Where this device is an admin, it settles a fork and renews the roster at once.
    ///
    /// - Returns: the team, `nil` if there was nothing new in it; and whether this device has signed a roster. What is refused beside
    ///   something that is accepted is left out.
    /// - Throws: `.unknown`, without a change to the disk; `.roster` when something was refused and nothing accepted.
    package func adopt(
        _ id: TeamID, _ received: [TeamHeads.Update], own: DeviceIdentity, now: Date
    ) throws(TeamError) -> (team: StoredTeam?, hasSigned: Bool) {
        // Anybody can send one of a team that is none of ours: that is no reason to keep other processes waiting.
        guard try isKnown(id) else { throw TeamError.unknown(id) }
        return try files.locked { directory in
            guard var record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            let adopted = try Self.adopting(
                received, into: record.heads, as: PinnedKey(own.publicKey), now: now)
            // One after the other: the secret of a fork is remembered for those who hold the fork.
            if let adopted { record.advance(to: adopted) }
            let kept = try Self.keptUp(record.heads, by: own, now: now)
            if let kept { record.advance(to: kept) }
            guard adopted != nil || kept != nil else { return (nil, false) }
            return (try files.save(record, in: directory), kept != nil)
        }
    }

    /// Settles forks and renews rosters that are due, in the teams of which this device is an admin.
    ///
    /// - Returns: the teams that were changed.
    @discardableResult
    package func renewIfDue(by device: DeviceIdentity, now: Date) throws(TeamError) -> [StoredTeam] {
        // Nothing is due most of the time: looking first leaves the lock and the disk alone.
        guard try mayBeDue(device, now: now) else { return [] }
        return try files.locked { directory in
            var changed: [StoredTeam] = []
            for id in try files.identifiers(in: directory) {
                guard var record = try files.record(id, in: directory),
                    let next = try Self.keptUp(record.heads, by: device, now: now)
                else { continue }
                record.advance(to: next)
                changed.append(try files.save(record, in: directory))
            }
            return changed
        }
    }

    /// Drops all that is known of a team, its secrets too. The others are not told: an admin removes who has left.
    ///
    /// It works for a file that cannot be read any more.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func leave(_ id: TeamID) throws(StoreError) -> Bool {
        try files.remove(id)
    }

    /// Makes a team the one that items belong to unless somebody says otherwise.
    package func use(_ id: TeamID) throws(TeamError) {
        try files.locked { directory in
            guard let record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            guard record.isMember else { throw TeamError.removed(record.heads.team.name) }
            try files.writeDefault(id, in: directory)
        }
    }
}

extension TeamStore {
    /// What heads become with those that were received; `nil` if they bring nothing.
    private static func adopting(
        _ received: [TeamHeads.Update], into heads: TeamHeads, as own: PinnedKey, now: Date
    ) throws(RosterError) -> TeamHeads? {
        var next = heads
        var isNew = false
        var refusal: RosterError?
        for update in received {
            do {
                if try next.adopt(update, as: own, now: now) != .ignored { isNew = true }
            } catch {
                refusal = refusal ?? error
            }
        }
        if isNew { return next }
        if let refusal { throw refusal }
        return nil
    }

    /// What heads become when this device does what an admin's does by itself; `nil` if there is nothing to do.
    private static func keptUp(
        _ heads: TeamHeads, by device: DeviceIdentity, now: Date
    ) throws(RosterChangeError) -> TeamHeads? {
        guard let change = heads.upkeep(by: device.publicKey, now: now) else { return nil }
        var next = heads
        var random = SystemRandomNumberGenerator()
        try next.change(change, by: device.key, now: now, using: &random)
        return next
    }

    private func isKnown(_ id: TeamID) throws(TeamError) -> Bool {
        do {
            guard let directory = try files.open() else { return false }
            return try files.identifiers(in: directory).contains(id)
        } catch {
            throw TeamError(error)
        }
    }

    private func mayBeDue(_ device: DeviceIdentity, now: Date) throws(TeamError) -> Bool {
        do {
            guard let directory = try files.open() else { return false }
            return try files.identifiers(in: directory).contains { id in
                guard let record = try files.record(id, in: directory) else { return false }
                return record.heads.upkeep(by: device.publicKey, now: now) != nil
            }
        } catch {
            throw TeamError(error)
        }
    }
}
