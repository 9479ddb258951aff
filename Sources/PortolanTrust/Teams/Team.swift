import Foundation
import PortolanCrypto
import PortolanValues

/// A team as it stands: what its roster says, or where two admins changed it at once, what both of theirs say together.
public struct Team: Hashable, Sendable {
    public let id: TeamID
    public let name: TeamName
    /// How many signed changes there have been.
    public let epoch: UInt64
    /// Who is in it, by name.
    public let members: [Member]
    /// When the last change was signed, by the clock of the admin who did.
    public let issued: Date
    /// When it stops giving anybody anything, unless an admin signs it again before.
    public let expires: Date
    /// How many rosters it is put together from: more than one until an admin's device has settled a fork.
    public let headCount: Int
    /// 32 bytes that are equal for devices that hold the same rosters.
    public let digest: [UInt8]

    private let places: [PinnedKey: Int]

    /// - Parameter members: no key twice; in any order.
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

    /// The member that has a key, found without going through them all.
    public func member(_ key: PinnedKey) -> Member? { places[key].map { members[$0] } }

    /// The names of all groups that have a member, sorted.
    public var groups: [GroupName] { Set(members.flatMap(\.groups)).sorted() }
}

/// A device that belongs to a team.
public struct Member: Hashable, Sendable {
    public let key: PinnedKey
    public let name: DeviceName
    /// The groups it is in, sorted, each once.
    public let groups: [GroupName]
    /// Whether it may change the roster.
    public let isAdmin: Bool

    package init(key: PinnedKey, name: DeviceName, groups: [GroupName], isAdmin: Bool) {
        self.key = key
        self.name = name
        self.groups = groups
        self.isAdmin = isAdmin
    }
}

extension Team {
    /// For how long a team holds after an admin signed it, in seconds: 90 days.
    package static let lifetime: TimeInterval = 90 * 86_400

    /// How much of it must be left, in seconds, or an admin's device signs again by itself: 60 days.
    package static let renewalTime: TimeInterval = 60 * 86_400

    /// How far, in seconds, the clock of whoever signed may be ahead of ours.
    package static let clockTolerance: TimeInterval = 86_400

    /// How long before its end, in seconds, people are told that a team is about to expire.
    public static let warningTime: TimeInterval = 14 * 86_400

    /// Whether a team gives its members anything at a moment.
    public enum Validity: Hashable, Sendable {
        case valid
        /// No admin has signed it for too long.
        case expired
        /// It was signed more than a day ahead of `now`: one of the two clocks is wrong.
        case notYet
    }

    public func validity(now: Date) -> Validity {
        if issued > now + Self.clockTolerance { return .notYet }
        return now < expires ? .valid : .expired
    }

    /// Whether people should be told that the team expires soon, or has.
    public func expiresSoon(now: Date) -> Bool { now > expires - Self.warningTime }
}
