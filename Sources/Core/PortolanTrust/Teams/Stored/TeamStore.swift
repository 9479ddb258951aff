import Foundation
import PortolanCrypto
import PortolanValues

/// Teams of this device: one private file for each, and one with the default.
///
/// Every change is read, decided and written under a lock of all processes, and a file is replaced as a whole. After a
/// failed read every question about teams throws, because both other answers would be wrong: no members, or everyone a
/// member.
///
/// Contents are cached; see ``CachedFile`` for the detection of changes. The calls block until the disk answers.
package struct TeamStore: Sendable {
    /// Largest number of teams of a device: as many as one handshake tries and one greeting names.
    package static let capacity = 16

    let files: TeamFiles

    /// Folder with the files of the teams; missing as long as there are none. Each of its files is replaced as a whole.
    package static func folder(in home: HomeDirectory) -> String { TeamFiles.directoryPath(in: home.data) }

    /// - Parameter own: the key of this device; nil takes for each team the key with which this device joined it.
    package init(home: HomeDirectory, own: DevicePublicKey? = nil) {
        files = TeamFiles(home: home, own: own.map(PinnedKey.init))
    }

    /// Returns every team of this device, also those from which it was removed, ordered by name.
    package func all() throws(StoreError) -> [StoredTeam] {
        guard let directory = try files.open() else { return [] }
        return try files.teams(in: directory)
    }

    /// Returns the names of the teams.
    package func names() throws(StoreError) -> [TeamID: TeamName] {
        Dictionary(try all().map { ($0.id, $0.team.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Finds a team by its name or its identifier.
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
        try self.change(id) { heads in
            guard heads.team.member(PinnedKey(device.publicKey)) != nil else {
                throw TeamError.removed(heads.team.name)
            }
            var random = SystemRandomNumberGenerator()
            try heads.change(change, by: device.key, now: now, using: &random)
        }
    }

    /// Makes this device, which founded the team, an admin of it again.
    ///
    /// - Parameter names: members that the resulting roster removes in the same step.
    package func reclaim(
        _ id: TeamID, removing names: [DeviceName], by device: DeviceIdentity, now: Date
    ) throws(TeamError) -> StoredTeam {
        try change(id) { heads in
            var random = SystemRandomNumberGenerator()
            try heads.reclaim(by: device.key, called: device.name, now: now, using: &random)
            for name in names {
                let named = heads.team.members.filter { $0.name.comparisonKey == name.comparisonKey }
                guard named.count == 1 else { throw RosterChangeError.noSuchMember }
                try heads.change(.remove(named[0].key), by: device.key, now: now, using: &random)
            }
        }
    }

    private func change(_ id: TeamID, _ body: (inout TeamHeads) throws -> Void) throws(TeamError) -> StoredTeam {
        try files.locked { directory in
            guard var record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            var heads = record.heads
            try body(&heads)
            record.advance(to: heads)
            return try files.save(record, in: directory)
        }
    }

    /// Joins the team of an invitation, or rejoins a known one.
    ///
    /// - Parameters:
    ///   - received: the team's heads as the inviter sent them. Heads of a known team are accepted only if they
    ///     follow from the known ones, so that an invitation cannot go back to an older state.
    ///   - inviter: the key that the invitation's code has confirmed; must be an admin's.
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

    /// Adopts rosters of a team from another member, and statements of members that they have left.
    ///
    /// If this device is an admin, it settles a fork and renews the roster at once.
    ///
    /// - Returns: the team, `nil` if nothing was new; and true if this device has signed a roster. Rejected rosters
    ///   beside accepted ones are left out.
    /// - Throws: `.unknown`, without a change to the disk; `.roster` if a roster was rejected and none accepted.
    package func adopt(
        _ id: TeamID, _ received: [TeamHeads.Update], leavings: [[UInt8]] = [], own: DeviceIdentity, now: Date
    ) throws(TeamError) -> (team: StoredTeam?, hasSigned: Bool) {
        // Any peer can send rosters of an unknown team; that must not take the lock of other processes.
        guard try isKnown(id) else { throw TeamError.unknown(id) }
        return try files.locked { directory in
            guard var record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            var (adopted, refusal) = Self.judging(
                received, into: record.heads, as: PinnedKey(own.publicKey), now: now)
            var next = adopted ?? record.heads
            if next.take(leavings) { adopted = next }
            if adopted == nil, let refusal { throw refusal }
            // The two advances are separate steps, so that the secret of a fork is kept for members that hold the fork.
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
        // Usually no team is due: a check without the lock comes first.
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

    /// Has this device say that it leaves a team, for the members that are then told. It gives and gets nothing by the
    /// team from then on.
    package func sayLeaving(_ id: TeamID, by device: DeviceIdentity) throws(TeamError) -> StoredTeam {
        try change(id) { $0.leave(by: device.key) }
    }

    /// Deletes all data of a team, with its secrets. Other members are told before, if at all.
    ///
    /// Works also for a file that cannot be read.
    ///
    /// - Returns: true if the team existed.
    @discardableResult
    package func leave(_ id: TeamID) throws(StoreError) -> Bool {
        try files.remove(id)
    }

    /// Makes a team the default for items.
    package func use(_ id: TeamID) throws(TeamError) {
        try files.locked { directory in
            guard let record = try files.record(id, in: directory) else { throw TeamError.unknown(id) }
            guard record.isMember else { throw TeamError.removed(record.heads.team.name) }
            try files.writeDefault(id, in: directory)
        }
    }
}

extension TeamStore {
    /// Adds received rosters to heads; `nil` if nothing is new.
    private static func adopting(
        _ received: [TeamHeads.Update], into heads: TeamHeads, as own: PinnedKey, now: Date
    ) throws(RosterError) -> TeamHeads? {
        let (next, refusal) = judging(received, into: heads, as: own, now: now)
        if next == nil, let refusal { throw refusal }
        return next
    }

    /// - Returns: the heads, `nil` if nothing is new, and why the first refused roster was.
    private static func judging(
        _ received: [TeamHeads.Update], into heads: TeamHeads, as own: PinnedKey, now: Date
    ) -> (next: TeamHeads?, refusal: RosterError?) {
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
        return (isNew ? next : nil, refusal)
    }

    /// Applies the automatic change of an admin's device; `nil` if none is due.
    private static func keptUp(
        _ heads: TeamHeads, by device: DeviceIdentity, now: Date
    ) throws(RosterChangeError) -> TeamHeads? {
        guard let change = heads.upkeep(by: device.publicKey, now: now) else { return nil }
        var next = heads
        var random = SystemRandomNumberGenerator()
        do {
            try next.change(change, by: device.key, now: now, using: &random)
        } catch .overruled {
            return nil
        }
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
