import Foundation
import PortolanCrypto
import PortolanValues

/// A team of this device, with the state of this device's membership.
package struct StoredTeam: Sendable {
    package let team: Team
    /// Heads and remembered rosters, each with its secret if this device has that.
    package let updates: [TeamHeads.Update]
    /// Statements of members that they have left, which are sent beside ``updates``.
    package let leavings: [[UInt8]]
    /// Secrets by which members are recognised: the current one, then older ones for members that are behind, the
    /// latest first. None once this device was removed.
    package let secrets: [SecretBytes]
    /// Secrets under which this device advertises and admits members: the newest, and while it remembers a roster
    /// without its secret, the newest of the older ones, by which holders of that roster recognise it.
    package let advertised: [SecretBytes]
    /// True if this device remembers a roster whose secret it lacks.
    package let lacksSecret: Bool
    /// True if this device has the secrets of all heads.
    package let isWhole: Bool
    /// Time at which this device joined the team.
    package let added: Date
    /// True if items belong to this team by default.
    package let isDefault: Bool
    /// True if an admin removed this device: the team is then kept only to show the removal. False for a device that is
    /// about to leave, and tells the others.
    package let isRemoved: Bool

    private let heads: TeamHeads
    private let device: PinnedKey

    package var id: TeamID { team.id }

    /// Rosters that are sent to other members: each with its secret, without which they take none.
    package var told: [TeamHeads.Update] { updates.filter { $0.secret != nil } }

    /// Keys of removed devices that have not joined again.
    package var removedKeys: Set<PinnedKey> { heads.removedKeys }

    /// Removed devices that have not joined again, each with the time of the earliest known roster with the removal.
    package var removals: [PinnedKey: Date] {
        let times = removedKeys.compactMap { key in heads.removal(of: key).map { (key, $0.signed) } }
        return Dictionary(uniqueKeysWithValues: times)
    }

    /// Returns the roster that tells a device of its removal, and the digest of that roster alone; nil if it was not
    /// removed, or must not be told.
    package func notice(to key: PinnedKey) -> (signed: SignedRoster, digest: [UInt8])? {
        isRemoved ? nil : heads.notice(to: key, from: device)
    }

    /// True if nothing that an earlier state of the team said was dropped here.
    package func includes(_ earlier: StoredTeam) -> Bool { heads.includes(earlier.heads) }

    /// Removal of this device; nil while it is a member.
    package var removal: TeamRemoval? { isRemoved ? heads.removal(of: device) : nil }

    /// Returns the warning for a person about the team, if any.
    package func warning(now: Date) -> TeamWarning? {
        if isRemoved { return .removed }
        switch team.validity(now: now) {
        case .expired: return .expired(team.expires)
        case .notYet: return .notYet(team.issued)
        case .valid: return team.expiresSoon(now: now) ? .expiresSoon(team.expires) : nil
        }
    }

    init(_ record: TeamRecord, device: PinnedKey, isDefault: Bool) {
        team = record.heads.team
        updates = record.heads.updates
        leavings = record.heads.leavings.map(\.bytes)
        added = record.added
        isRemoved = !record.heads.lists(device)
        let older = record.olderSecrets
        secrets = isRemoved ? [] : [record.heads.secret].compactMap(\.self) + older
        lacksSecret = record.heads.remembered.contains { $0.secret == nil }
        isWhole = record.heads.secret != nil
        advertised = Array(secrets.prefix(lacksSecret && isWhole ? 2 : 1))
        heads = record.heads
        self.device = device
        self.isDefault = isDefault && !isRemoved
    }
}

/// Reason why a team gives this device no rights, or soon will not.
package enum TeamWarning: Hashable, Sendable, CustomStringConvertible {
    case removed
    case expired(Date)
    case expiresSoon(Date)
    /// The team was signed more than a day ahead of this device's clock.
    case notYet(Date)

    package var description: String {
        switch self {
        case .removed: "An admin removed this device from the team."
        case .expired(let date):
            "The team expired on \(Self.day(date)), so nobody is treated as a member. "
                + "It is valid again as soon as this device meets an admin's whose clock is right."
        case .expiresSoon(let date):
            "The team expires on \(Self.day(date)). It is renewed as soon as this device meets an admin's."
        case .notYet(let date):
            "The team was last changed on \(Self.day(date)) by an admin's clock, which is in the future of this one, so nobody "
                + "is treated as a member. Set the clock that is wrong."
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
