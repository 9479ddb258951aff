import Foundation
import PortolanCrypto
import PortolanValues

/// A team of this device, and how it stands with it.
package struct StoredTeam: Sendable {
    package let team: Team
    /// The rosters it is put together from, and those that are remembered, each with its secret: what other members are sent.
    package let updates: [TeamHeads.Update]
    /// By what members are recognised: the current secret, then older ones, for members that are behind, the latest first.
    /// None once this device was removed.
    package let secrets: [SecretBytes]
    /// Secrets under which this device advertises and lets members in: the newest, and while it remembers a roster whose secret it
    /// lacks, the newest of the older ones, by which those who hold that roster recognise it.
    package let advertised: [SecretBytes]
    /// Whether this device remembers a roster whose secret it lacks.
    package let lacksSecret: Bool
    /// Whether this device has the secrets of all heads.
    package let isWhole: Bool
    /// When this device came to it.
    package let added: Date
    /// Whether items belong to it unless somebody says otherwise.
    package let isDefault: Bool
    /// Whether an admin removed this device: it is then kept to say so, and for nothing else.
    package let isRemoved: Bool

    private let heads: TeamHeads
    private let device: PinnedKey

    package var id: TeamID { team.id }

    /// Keys of devices that were removed and have not come back.
    package var removedKeys: Set<PinnedKey> { heads.removedKeys }

    /// The roster that tells a device of its removal, and the digest of that roster alone; nil if it was not removed, or if nothing
    /// is to be said to it.
    package func notice(to key: PinnedKey) -> (signed: SignedRoster, digest: [UInt8])? {
        isRemoved ? nil : heads.notice(to: key, from: device)
    }

    /// The removal of this device; nil while it is a member.
    package var removal: TeamRemoval? { isRemoved ? heads.removal(of: device) : nil }

    /// What a person should be told about the team.
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
        added = record.added
        isRemoved = record.heads.team.member(device) == nil
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

/// Why a team gives this device nothing, or soon will not.
package enum TeamWarning: Hashable, Sendable, CustomStringConvertible {
    case removed
    case expired(Date)
    case expiresSoon(Date)
    /// Signed more than a day ahead of this device's clock.
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
