import Foundation
import PortolanCrypto
import PortolanValues

/// The rosters of one team that this device holds: one, or several where admins changed it side by side.
///
/// A roster that includes another one's clock takes its place; others stand beside each other as heads until an admin's device
/// signs what they say together. The latest roster of each signer is remembered even when it is no head: the one that took its
/// place can fall away, when its signer turns out to have been removed. What is held follows from the set of rosters that came,
/// not from their order. Pure: whoever holds this stores ``updates`` after every change, and brings time and randomness.
package struct TeamHeads: Sendable {
    package let id: TeamID
    /// What the team is; never empty, and always in the same order for the same rosters.
    package private(set) var heads: [Head]
    /// Superseded by a head: the latest of their signers.
    let beneath: [Head]
    /// Not counted, because a roster that stays removes the signer.
    let dropped: [Head]
    /// What the heads say together.
    package private(set) var team: Team

    private var merge: RosterMerge
    private(set) var draft: RosterDraft

    /// A roster that was found good, and the secret that belongs to it.
    package struct Head: Sendable {
        package let signed: SignedRoster
        package let roster: Roster
        /// The secret that belongs to it; nil for a roster by which this device was told of its own removal.
        package let secret: SecretBytes?
        /// The SHA-256 of the roster's bytes.
        package let digest: [UInt8]
        /// From the signer to the founder, each made an admin by the next.
        let chain: [Vouchers.Link]
        let admins: Set<PinnedKey>
        /// Those that were in the team, and are not any more.
        let removedKeys: Set<PinnedKey>
        /// Seats that nobody has any more, those of admins who were removed too.
        let removedSeats: Set<Seat>

        /// Checks the signature, the secret, and that the signer is an admin by the word of others up to the founder.
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
            admins = Set(roster.members.lazy.filter { $0.admin != nil }.map(\.key))
            var removedKeys = Set(roster.removals.compactMap(\.key))
            if !removedKeys.isEmpty { removedKeys.subtract(roster.members.lazy.map(\.key)) }
            self.removedKeys = removedKeys
            removedSeats = Set(roster.removals.map(\.seat)).union(roster.removals.compactMap(\.admin?.seat))
        }
    }

    /// A roster and its secret, as they travel and are stored.
    package struct Update: Hashable, Sendable {
        package let signed: SignedRoster
        /// nil in what a removed device is told.
        package let secret: SecretBytes?

        package init(signed: SignedRoster, secret: SecretBytes?) {
            self.signed = signed
            self.secret = secret
        }

        package static func == (one: Update, other: Update) -> Bool {
            one.signed == other.signed && one.secret == other.secret
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(signed) }
    }

    /// - Parameter rosters: of one team, at least one.
    init(_ rosters: [Head]) {
        let choice = HeadChoice(among: rosters)
        heads = choice.heads.sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
        // What there is no room for is of the junior signers, and does not count at present.
        beneath = Array(choice.beneath.prefix(max(0, RosterLimits.heads - heads.count)))
        dropped = Array(choice.dropped.prefix(max(0, RosterLimits.heads - heads.count - beneath.count)))
        merge = RosterMerge(self.heads[0].roster, digest: self.heads[0].digest)
        for head in self.heads.dropFirst() { merge.merge(RosterMerge(head.roster, digest: head.digest)) }
        id = merge.id
        draft = RosterDraft(merge)
        team = Team(
            id: id, name: draft.teamName, epoch: merge.clock.epoch, members: draft.view,
            issued: Date(timeIntervalSince1970: TimeInterval(merge.issued)),
            expires: Date(timeIntervalSince1970: TimeInterval(merge.expires)), headCount: heads.count,
            digest: Self.digest(of: self.heads))
    }

    /// Equal for devices that hold the same rosters: SHA-256("portolan/1 team heads" ‖ digests of the heads, sorted).
    static func digest(of heads: [Head]) -> [UInt8] {
        sha256([Array("portolan/1 team heads".utf8)] + heads.map(\.digest))
    }
}

extension TeamHeads {
    /// How many bytes a team's secret has.
    package static let secretLength = 32

    /// A new team of one device, which is its admin.
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
            // One member with a valid name, and two seats that are equal once in 2^64 times.
            preconditionFailure("A new team could not be signed: \(error)")
        }
    }

    /// The team that an admin invited this device to, as that admin's device sent it.
    ///
    /// Each roster's signer must be an admin by the word of the founder, whom the team's identifier names, or of others up to
    /// the founder. Whoever calls this has made sure of the sender, who could have sent a team of his own.
    package static func joining(_ updates: [Update], now: Date) throws(RosterError) -> TeamHeads {
        guard updates.allSatisfy({ $0.secret != nil }) else { throw .noSecret }
        let rosters = try read(updates)
        for head in rosters { try requireNotFromTheFuture(head.roster, now: now) }
        return TeamHeads(rosters)
    }

    /// The team as this device stored it. Every signature is checked again, so a file that was damaged or changed is noticed.
    package static func restored(_ updates: [Update]) throws(RosterError) -> TeamHeads {
        TeamHeads(try read(updates))
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

    /// The secret that the team's members share: the head's, or of several heads one that needs all of theirs. nil while this device
    /// lacks one of them.
    package var secret: SecretBytes? {
        // Heads with one commitment have one secret.
        var distinct: [[UInt8]: SecretBytes] = [:]
        for head in heads {
            distinct[head.roster.secretCommitment] = head.secret ?? distinct[head.roster.secretCommitment]
        }
        guard heads.allSatisfy({ distinct[$0.roster.secretCommitment] != nil }) else { return nil }
        return distinct.count == 1
            ? distinct.values.first : .combined(Array(distinct.values), label: "portolan/1 merged secret")
    }

    /// What is to be stored and passed on, heads first: everything remembered, so that two devices that tell each other come to the
    /// same heads.
    package var updates: [Update] { remembered.map(\.update) }

    /// Every roster that is remembered, heads first.
    var remembered: [Head] { heads + beneath + dropped }
}

// MARK: - Other devices' rosters

extension TeamHeads {
    /// What became of a roster.
    package enum Adoption: Hashable, Sendable {
        /// It is held already, or an older one of the same signer than what is held. Nothing changed.
        case ignored
        /// It took the place of all that was held.
        case superseded
        /// It stands beside others, and ``team`` is what they say together.
        case forked
        /// It is older than a head, or its signer was removed. It is remembered, and ``team`` is what it was.
        case setAside
        /// It was remembered without its secret, which came now.
        case completed
    }

    /// Takes a roster that somebody sent, if it is one of this team's by an admin.
    ///
    /// Heads whose signer it removes are heads no more, and what they alone brought is gone.
    ///
    /// - Parameter own: the key of this device. A roster without its secret is taken only if it says that this key was removed.
    /// - Throws: ``RosterError`` when it is to be refused; nothing has changed then.
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
        let next = TeamHeads(rosters)
        guard next.heads.count <= RosterLimits.heads else { throw .tooManyHeads }
        let isHead = next.heads.contains { $0.digest == head.digest }
        guard isHead || next.updates.contains(where: { $0.signed.bytes == update.signed.bytes }) else {
            return .ignored
        }
        self = next
        return isHead ? (next.heads.count == 1 ? .superseded : .forked) : .setAside
    }

    /// Adds the secret to a roster that is remembered without it.
    private mutating func complete(
        _ known: [Head], _ place: Int, with secret: SecretBytes?
    ) throws(RosterError) -> Adoption {
        guard known[place].secret == nil, let secret else { return .ignored }
        var rosters = known
        rosters[place] = try Head(
            verified: known[place].roster, Update(signed: known[place].signed, secret: secret))
        self = TeamHeads(rosters)
        return .completed
    }

    private static func requireNotFromTheFuture(_ roster: Roster, now: Date) throws(RosterError) {
        guard TimeInterval(roster.issued) <= now.timeIntervalSince1970 + Team.clockTolerance else {
            throw .fromTheFuture
        }
    }

    /// The rosters with one more, and without its signer's earlier ones; `nil` when it is itself such an earlier one.
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
    /// Whether this one was made with knowledge of everything in the other.
    ///
    /// Two with equal clocks come from one admin's key on two machines. Neither takes the other's place, so nothing is lost.
    func supersedes(_ other: Roster) -> Bool { clock != other.clock && clock.includes(other.clock) }
}

// MARK: - Changes by this device

extension TeamHeads {
    /// Changes the team, as one of its admins: what all heads say together, and the change, signed anew.
    ///
    /// The secret becomes another one if somebody is removed, and if the heads had different ones.
    package mutating func change(
        _ change: RosterChange, by key: DeviceKey, now: Date, using generator: inout some RandomNumberGenerator
    ) throws(RosterChangeError) {
        guard maySign(PinnedKey(key.publicKey)) else { throw .notAdmin }
        var draft = draft
        try draft.apply(change, by: key, using: &generator)
        let isFresh = draft.needsFreshSecret || Set(heads.map(\.roster.secretCommitment)).count > 1
        let next: SecretBytes
        if !isFresh, let secret { next = secret } else { next = .random(count: Self.secretLength, using: &generator) }
        let head = try Self.signed(draft, with: next, by: key, now: now)
        self = TeamHeads(Self.inserting(head, into: remembered) ?? remembered)
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

    /// What an admin's device should do by itself now; `nil` for everybody else, and while all is well.
    ///
    /// Several heads are settled at once by the admin with the smallest key among those that signed them, and by others only
    /// when the newest is an hour old: two that did it at the same moment would have made the next fork.
    package func upkeep(by key: DevicePublicKey, now: Date) -> RosterChange? {
        let key = PinnedKey(key)
        guard heads.count > 1 || needsRenewal(now: now), maySign(key) else { return nil }
        if heads.count > 1 {
            let signers = heads.map(\.roster.signer).filter(maySign)
            let first = signers.min { $0.precedes($1) }
            if first == nil || first == key || now >= team.issued + Self.settlingTime { return .settle }
        }
        return needsRenewal(now: now) ? .renew : nil
    }

    private static let settlingTime: TimeInterval = 3600

    /// Whether the key's next roster would stay.
    ///
    /// An admin by one head that another head knows to be removed, or made admin by somebody who was removed, has to wait until
    /// one whom both know has settled them.
    func maySign(_ key: PinnedKey) -> Bool {
        guard draft.isAdmin(key) else { return false }
        let others = heads.filter { !$0.admins.contains(key) }
        if others.isEmpty { return true }
        var next = draft
        let roster = next.roster(by: key, now: team.issued, secretCommitment: [])
        guard let chain = try? Vouchers(roster).chain() else { return false }
        return !others.contains { $0.removesSigner(with: chain) }
    }

    /// Whether the team should be signed again soon, whoever can: less than 60 days are left, or it is from the future.
    package func needsRenewal(now: Date) -> Bool {
        team.expires < now + Team.renewalTime || team.validity(now: now) == .notYet
    }
}
