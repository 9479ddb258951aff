import Foundation
import PortolanCrypto
import PortolanValues

/// Rosters of one team on this device: one, or several after concurrent changes by admins.
///
/// A roster whose clock includes that of another one supersedes it; the others are concurrent heads until an admin's
/// device signs their merge. The latest roster of each signer is remembered even if it is no head, because the one that
/// supersedes it can be dropped when its signer proves to be removed. The state depends on the set of received rosters,
/// not on their order. The type does no input or output: the owner stores ``updates`` after every change, and passes
/// time and randomness.
package struct TeamHeads: Sendable {
    package let id: TeamID
    /// Rosters that define the team; never empty, and in the same order for the same rosters.
    package private(set) var heads: [Head]
    /// Rosters that a head supersedes: the latest of their signers.
    let beneath: [Head]
    /// Rosters that do not count, because a kept roster removes the signer.
    let dropped: [Head]
    /// Statements of listed members that they have left, ordered by seat.
    package let leavings: [Leaving]
    /// Merge of the heads, without members that have left.
    package private(set) var team: Team

    private var merge: RosterMerge
    private(set) var draft: RosterDraft

    /// A checked roster with its secret.
    package struct Head: Sendable {
        package let signed: SignedRoster
        package let roster: Roster
        /// Secret of the roster; nil for a roster that told this device of its own removal.
        package let secret: SecretBytes?
        /// SHA-256 of the roster's bytes.
        package let digest: [UInt8]
        /// Chain from the signer to the founder; each admin was appointed by the next.
        let chain: [Vouchers.Link]
        /// Seats of the admins' rights.
        let admins: [PinnedKey: Seat]
        /// Keys of former members.
        let removedKeys: Set<PinnedKey>
        /// Removed seats, with those of removed admins.
        let removedSeats: Set<Seat>

        /// Checks the signature, the secret, and the chain of vouchers from the signer to the founder.
        fileprivate init(_ update: Update) throws(RosterError) {
            try self.init(verified: update.signed.verified(), update)
        }

        init(verified roster: Roster, _ update: Update) throws(RosterError) {
            if let secret = update.secret, Roster.commitment(to: secret) != roster.secretCommitment {
                throw .wrongSecret
            }
            chain = try Vouchers(roster).chain()
            self.roster = roster
            signed = update.signed
            secret = update.secret
            digest = sha256([update.signed.bytes])
            admins = Dictionary(
                roster.members.compactMap { member in member.admin.map { (member.key, $0.seat) } },
                uniquingKeysWith: { first, _ in first })
            var removedKeys = Set(roster.removals.compactMap(\.key))
            if !removedKeys.isEmpty { removedKeys.subtract(roster.members.lazy.map(\.key)) }
            self.removedKeys = removedKeys
            removedSeats = Set(roster.removals.map(\.seat)).union(roster.removals.compactMap(\.admin?.seat))
        }
    }

    /// A roster and its secret, in transit or stored.
    package struct Update: Hashable, Sendable {
        package let signed: SignedRoster
        /// Secret of the roster; nil in a notice to a removed device.
        package let secret: SecretBytes?

        package init(signed: SignedRoster, secret: SecretBytes?) {
            self.signed = signed
            self.secret = secret
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(signed) }
    }

    /// - Parameters:
    ///   - rosters: rosters of one team, at least one.
    ///   - leavings: verified statements. Those whose seat nobody has are forgotten.
    init(_ rosters: [Head], leavings: [Leaving] = []) {
        let choice = HeadChoice(among: rosters)
        heads = choice.heads.sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
        // Rosters beyond the limit are those of the junior signers, and do not count at present.
        beneath = Array(choice.beneath.prefix(max(0, RosterLimits.heads - heads.count)))
        dropped = Array(choice.dropped.prefix(max(0, RosterLimits.heads - heads.count - beneath.count)))
        merge = RosterMerge(self.heads[0].roster, digest: self.heads[0].digest)
        for head in self.heads.dropFirst() { merge.merge(RosterMerge(head.roster, digest: head.digest)) }
        id = merge.id
        draft = RosterDraft(merge)
        var left: [Seat: Leaving] = [:]
        for leaving in leavings where draft.seat(of: leaving.key) == leaving.seat { left[leaving.seat] = leaving }
        self.leavings = Array(left.values.sorted { $0.seat < $1.seat }.prefix(Leaving.limit))
        let gone = Set(self.leavings.map(\.key))
        team = Team(
            id: id, name: draft.teamName, epoch: merge.clock.epoch,
            members: draft.view.filter { !gone.contains($0.key) },
            issued: Date(timeIntervalSince1970: TimeInterval(merge.issued)),
            expires: Date(timeIntervalSince1970: TimeInterval(merge.expires)), headCount: heads.count,
            digest: Self.digest(of: self.heads, leavings: self.leavings))
    }

    /// Digest that is equal for devices with the same rosters: SHA-256("portolan/1 team heads" ‖ digests of the heads,
    /// sorted). If members have left, SHA-256("portolan/1 team leavings" ‖ that digest ‖ their seats, sorted).
    static func digest(of heads: [Head], leavings: [Leaving] = []) -> [UInt8] {
        let digest = sha256([Array("portolan/1 team heads".utf8)] + heads.map(\.digest))
        guard !leavings.isEmpty else { return digest }
        return sha256([Array("portolan/1 team leavings".utf8), digest] + leavings.map(\.seat.bytes))
    }
}

extension TeamHeads {
    /// Length of a team's secret, in bytes.
    package static let secretLength = 32

    /// Makes a new team of one device, which is its admin.
    package static func found(
        _ name: TeamName, by key: DeviceKey, called deviceName: DeviceName, now: Date,
        using generator: inout some RandomNumberGenerator
    ) -> TeamHeads {
        let salt = (0..<TeamID.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let secret = SecretBytes.random(count: secretLength, using: &generator)
        var draft = RosterDraft(
            founding: name, by: key, called: deviceName, salt: salt,
            seats: (Seat(using: &generator), Seat(using: &generator)))
        do {
            let roster = draft.roster(
                by: PinnedKey(key.publicKey), now: now, secretCommitment: Roster.commitment(to: secret))
            let update = Update(signed: try SignedRoster(roster, by: key), secret: secret)
            return TeamHeads([try Head(verified: roster, update)])
        } catch {
            // Signing a team of one member with a valid name fails only for two equal seats, once in 2^64 times.
            preconditionFailure("A new team could not be signed: \(error)")
        }
    }

    /// Makes the team of an invitation from the rosters that the admin's device sent.
    ///
    /// The vouchers of each roster's signer must lead to the founder, whom the team's identifier names. The caller has
    /// authenticated the sender, who could otherwise send a team of its own.
    package static func joining(_ updates: [Update], now: Date) throws(RosterError) -> TeamHeads {
        guard updates.allSatisfy({ $0.secret != nil }) else { throw .noSecret }
        let rosters = try read(updates)
        for head in rosters { try requireNotFromTheFuture(head.roster, now: now) }
        return TeamHeads(rosters)
    }

    /// Restores the stored team. Every signature is checked again, so that damage and changes are detected.
    package static func restored(_ updates: [Update], leavings: [[UInt8]] = []) throws(RosterError) -> TeamHeads {
        var heads = TeamHeads(try read(updates))
        _ = heads.take(leavings)
        return heads
    }

    private static func read(_ updates: [Update]) throws(RosterError) -> [Head] {
        var rosters: [Head] = []
        for update in try limited(updates) {
            let head = try Head(update)
            if let first = rosters.first, first.roster.id != head.roster.id { throw .otherTeam }
            rosters = inserting(head, into: rosters) ?? rosters
        }
        return rosters
    }

    private static func limited(_ updates: [Update]) throws(RosterError) -> [Update] {
        if updates.isEmpty { throw .malformed("there is none") }
        guard updates.count <= RosterLimits.heads else {
            throw .tooMany("heads", count: updates.count, limit: RosterLimits.heads)
        }
        return updates
    }

    /// Secret of the team's members: the head's, or a combination of the secrets of several heads. nil while this
    /// device lacks one of them.
    package var secret: SecretBytes? {
        // Heads with equal commitments have one secret.
        var distinct: [[UInt8]: SecretBytes] = [:]
        for head in heads {
            distinct[head.roster.secretCommitment] = head.secret ?? distinct[head.roster.secretCommitment]
        }
        guard heads.allSatisfy({ distinct[$0.roster.secretCommitment] != nil }) else { return nil }
        return distinct.count == 1
            ? distinct.values.first : .combined(Array(distinct.values), label: "portolan/1 merged secret")
    }

    /// Rosters to store and to pass on, heads first: all remembered ones, so that two devices that exchange them have
    /// the same heads.
    package var updates: [Update] { remembered.map(\.update) }

    /// All remembered rosters, heads first.
    var remembered: [Head] { heads + beneath + dropped }
}

// MARK: - Other devices' rosters

extension TeamHeads {
    /// Result of adopting a roster.
    package enum Adoption: Hashable, Sendable {
        /// The roster, or a newer one of the same signer, is already held. Nothing changed.
        case ignored
        /// The roster supersedes all held ones.
        case superseded
        /// The roster is concurrent with others, and ``team`` is their merge.
        case forked
        /// The roster is older than a head, or its signer was removed. It is remembered, and ``team`` is unchanged.
        case setAside
        /// The secret of a remembered roster was added.
        case completed
    }

    /// Adopts a received roster, if it is one of this team by an admin.
    ///
    /// Heads whose signer it removes are dropped, with the changes that only they contain.
    ///
    /// - Parameter own: the key of this device. A roster without its secret is accepted only if it removes this key.
    /// - Throws: ``RosterError`` if it is rejected; nothing has changed then.
    package mutating func adopt(
        _ update: Update, as own: PinnedKey? = nil, now: Date
    ) throws(RosterError) -> Adoption {
        let known = remembered
        if let place = known.firstIndex(where: { $0.signed.bytes == update.signed.bytes }) {
            return try complete(known, place, with: update.secret)
        }
        let roster = try update.signed.verified()
        guard roster.id == id else { throw .otherTeam }
        try Self.requireNotFromTheFuture(roster, now: now)
        let head = try Head(verified: roster, update)
        if head.secret == nil {
            guard let own, head.removedKeys.contains(own) else { throw .noSecret }
        }
        guard let rosters = Self.inserting(head, into: known) else { return .ignored }
        let next = TeamHeads(rosters, leavings: leavings)
        guard next.heads.count <= RosterLimits.heads else { throw .tooManyHeads }
        let isHead = next.heads.contains { $0.digest == head.digest }
        guard isHead || next.updates.contains(where: { $0.signed.bytes == update.signed.bytes }) else {
            return .ignored
        }
        self = next
        return isHead ? (next.heads.count == 1 ? .superseded : .forked) : .setAside
    }

    /// Adds the secret to a remembered roster without one.
    private mutating func complete(
        _ known: [Head], _ place: Int, with secret: SecretBytes?
    ) throws(RosterError) -> Adoption {
        guard known[place].secret == nil, let secret else { return .ignored }
        var rosters = known
        rosters[place] = try Head(
            verified: known[place].roster, Update(signed: known[place].signed, secret: secret))
        self = TeamHeads(rosters, leavings: leavings)
        return .completed
    }

    private static func requireNotFromTheFuture(_ roster: Roster, now: Date) throws(RosterError) {
        guard TimeInterval(roster.issued) <= now.timeIntervalSince1970 + Team.clockTolerance else {
            throw .fromTheFuture
        }
    }

    /// Returns the rosters with one more, and without its signer's earlier ones; `nil` if it is itself such an earlier
    /// one.
    static func inserting(_ head: Head, into rosters: [Head]) -> [Head]? {
        let own = rosters.filter { $0.roster.signer == head.roster.signer }
        if own.contains(where: { $0.digest == head.digest || $0.roster.supersedes(head.roster) }) { return nil }
        return rosters.filter { $0.roster.signer != head.roster.signer || !head.roster.supersedes($0.roster) } + [head]
    }
}

extension TeamHeads.Head {
    fileprivate var update: TeamHeads.Update { .init(signed: signed, secret: secret) }
}

extension Roster {
    /// True if this roster includes all changes of the other.
    ///
    /// Two rosters with equal clocks come from one admin's key on two machines. Neither supersedes the other, so no
    /// change is lost.
    func supersedes(_ other: Roster) -> Bool { clock != other.clock && clock.includes(other.clock) }
}

// MARK: - Changes by this device

extension TeamHeads {
    /// Changes the team as one of its admins: signs the merge of all heads with the change.
    ///
    /// The secret is replaced if a member is removed, or if the heads had different ones.
    package mutating func change(
        _ change: RosterChange, by key: DeviceKey, now: Date, using generator: inout some RandomNumberGenerator
    ) throws(RosterChangeError) {
        let own = PinnedKey(key.publicKey)
        guard maySign(own), team.member(own) != nil else { throw .notAdmin }
        var draft = draft
        for leaving in leavings { try draft.apply(.remove(leaving.key), by: key, using: &generator) }
        try draft.apply(change, by: key, using: &generator)
        let isFresh = draft.needsFreshSecret || Set(heads.map(\.roster.secretCommitment)).count > 1
        let next: SecretBytes
        if !isFresh, let secret { next = secret } else { next = .random(count: Self.secretLength, using: &generator) }
        let head = try Self.signed(draft, with: next, by: key, now: now)
        let changed = TeamHeads(Self.inserting(head, into: remembered) ?? remembered, leavings: leavings)
        // A roster that this device drops itself is not signed.
        guard changed.heads.contains(where: { $0.digest == head.digest }) else { throw .overruled }
        self = changed
    }

    /// True if nothing that the other state's heads say was dropped here.
    func includes(_ other: TeamHeads) -> Bool {
        let kept = heads + beneath
        return other.heads.allSatisfy { head in
            kept.contains { $0.digest == head.digest || $0.roster.supersedes(head.roster) }
        }
    }

    static func signed(
        _ draft: RosterDraft, with secret: SecretBytes, by key: DeviceKey, now: Date
    ) throws(RosterChangeError) -> Head {
        var draft = draft
        let roster = draft.roster(
            by: PinnedKey(key.publicKey), now: now, secretCommitment: Roster.commitment(to: secret))
        do {
            return try Head(verified: roster, Update(signed: SignedRoster(roster, by: key), secret: secret))
        } catch {
            throw .unsignable(error)
        }
    }

    /// Returns the automatic change that an admin's device should make now; `nil` for other devices, and if none is
    /// due.
    ///
    /// Several heads are settled at once by the admin with the smallest key among those that signed them, and by others
    /// only when the newest is an hour old: two devices that did it at the same moment would make another fork. Members
    /// that have left are removed at once by the admin with the smallest key.
    package func upkeep(by key: DevicePublicKey, now: Date) -> RosterChange? {
        let key = PinnedKey(key)
        let admins = leavings.isEmpty ? [] : team.members.filter { $0.isAdmin && maySign($0.key) }.map(\.key)
        let removes = admins.min { $0.precedes($1) } == key && !admins.isEmpty
        guard heads.count > 1 || removes || needsRenewal(now: now), team.member(key) != nil, maySign(key) else {
            return nil
        }
        if heads.count > 1 {
            let signers = heads.map(\.roster.signer).filter(maySign)
            let first = signers.min { $0.precedes($1) }
            if first == nil || first == key || now >= team.issued + Self.settlingTime { return .settle }
        }
        return removes || needsRenewal(now: now) ? .renew : nil
    }

    private static let settlingTime: TimeInterval = 3600

    /// True if the key's next roster would be kept.
    ///
    /// An admin of one head that another head removes, or whose issuer another head removes, has to wait until an admin
    /// of both heads has settled them.
    func maySign(_ key: PinnedKey) -> Bool {
        guard let seat = draft.adminSeat(of: key) else { return false }
        let others = heads.filter { $0.admins[key] != seat || $0.removedSeats.contains(seat) }
        if others.isEmpty { return true }
        var next = draft
        let roster = next.roster(by: key, now: team.issued, secretCommitment: [])
        guard let chain = try? Vouchers(roster).chain() else { return false }
        return !others.contains { $0.removesSigner(with: chain) }
    }

    /// True if an admin should sign the team again soon: less than 60 days are left, or its time of signing is in the
    /// future.
    package func needsRenewal(now: Date) -> Bool {
        team.expires < now + Team.renewalTime || team.validity(now: now) == .notYet
    }
}
