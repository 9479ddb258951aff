import Foundation
import PortolanCrypto
import PortolanValues

/// A team: its valid roster, or the merge of the rosters that two admins signed at the same time.
public struct Team: Hashable, Sendable {
    public let id: TeamID
    public let name: TeamName
    /// Number of signed changes.
    public let epoch: UInt64
    /// Members, ordered by name.
    public let members: [Member]
    /// Time of the last signature, by the clock of its admin.
    public let issued: Date
    /// Time at which the team's rights end, unless an admin signs it again before.
    public let expires: Date
    /// Number of rosters in the merge: more than one until an admin's device has settled a fork.
    public let headCount: Int
    /// 32 bytes that are equal for devices that hold the same rosters.
    public let digest: [UInt8]

    private let places: [PinnedKey: Int]

    /// - Parameter members: members in any order, each key once.
    package init(
        id: TeamID, name: TeamName, epoch: UInt64, members: [Member], issued: Date, expires: Date, headCount: Int,
        digest: [UInt8]
    ) {
        self.id = id
        self.name = name
        self.epoch = epoch
        self.issued = issued
        self.expires = expires
        self.headCount = headCount
        self.digest = digest
        let named = members.map { (name: $0.name.comparisonKey, member: $0) }
        self.members =
            named.sorted {
                $0.name != $1.name
                    ? $0.name < $1.name : $0.member.key.bytes.lexicographicallyPrecedes($1.member.key.bytes)
            }.map(\.member)
        places = Dictionary(uniqueKeysWithValues: self.members.enumerated().map { ($0.element.key, $0.offset) })
    }

    /// Returns the member with a key, by an index.
    public func member(_ key: PinnedKey) -> Member? { places[key].map { members[$0] } }

    /// Names of all groups with members, sorted.
    public var groups: [GroupName] { Set(members.flatMap(\.groups)).sorted() }
}

/// A device that belongs to a team.
public struct Member: Hashable, Sendable {
    public let key: PinnedKey
    public let name: DeviceName
    /// Groups of the member, sorted, each once.
    public let groups: [GroupName]
    /// True if the member may change the roster.
    public let isAdmin: Bool

    package init(key: PinnedKey, name: DeviceName, groups: [GroupName], isAdmin: Bool) {
        self.key = key
        self.name = name
        self.groups = groups
        self.isAdmin = isAdmin
    }
}

extension Team {
    /// Validity of a team after a signature, in seconds: 90 days.
    package static let lifetime: TimeInterval = 90 * 86_400

    /// Remaining validity, in seconds, below which an admin's device signs again by itself: 60 days.
    package static let renewalTime: TimeInterval = 60 * 86_400

    /// Most seconds by which a signer's clock may be ahead of this device's.
    package static let clockTolerance: TimeInterval = 86_400

    /// Time before the end, in seconds, from which people are warned of the expiry.
    public static let warningTime: TimeInterval = 14 * 86_400

    /// Validity of a team at a moment.
    public enum Validity: Hashable, Sendable {
        case valid
        /// The last signature is too old.
        case expired
        /// The team was signed more than a day ahead of `now`: one of the two clocks is wrong.
        case notYet
    }

    public func validity(now: Date) -> Validity {
        if issued > now + Self.clockTolerance { return .notYet }
        return now < expires ? .valid : .expired
    }

    /// True if people should be warned that the team expires soon, or has.
    public func expiresSoon(now: Date) -> Bool { now > expires - Self.warningTime }
}
