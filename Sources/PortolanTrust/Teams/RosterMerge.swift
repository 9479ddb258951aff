import PortolanCrypto
import PortolanValues

/// What one or several rosters of a team say together.
///
/// Put together in any order, in any grouping and however often, the same rosters give the same result: seats are united, and
/// so are removals, and what is removed in either is gone. Where a seat has another name in each, the one stands that is in
/// the roster with the greater epoch, or of equal epochs with the greater digest.
struct RosterMerge: Hashable, Sendable {
    let founder: PinnedKey
    let salt: [UInt8]
    let id: TeamID
    private(set) var name: Stamped<String>
    private(set) var clock: RosterClock
    private(set) var issued: Int64
    private(set) var expires: Int64
    /// Who has a seat, removed ones left out.
    private(set) var seats: [Seat: Holder]
    /// Without the admins, which ``formerAdmins`` has.
    private(set) var removals: [Seat: Stamped<RosterRemoval>]
    /// By the removed member's seat and their own: what made removed members admins.
    private(set) var formerAdmins: [Seat: [Seat: Stamped<RosterAdmin>]]
    /// Admins' seats of members that were removed.
    private(set) var revoked: Set<Seat>

    /// What a value's roster was, to choose between two.
    struct Stamp: Hashable, Comparable, Sendable {
        let epoch: UInt64
        let digest: [UInt8]

        static func < (one: Stamp, other: Stamp) -> Bool {
            one.epoch != other.epoch ? one.epoch < other.epoch : one.digest.lexicographicallyPrecedes(other.digest)
        }
    }

    struct Stamped<Value: Hashable & Sendable>: Hashable, Sendable {
        private(set) var value: Value
        private(set) var stamp: Stamp

        mutating func merge(_ other: Self) { if stamp < other.stamp { self = other } }
    }

    /// The member on a seat, with what it was given there.
    struct Holder: Hashable, Sendable {
        fileprivate(set) var identity: Stamped<Identity>
        fileprivate(set) var groups: [Seat: Stamped<RosterGroup>]
        fileprivate(set) var admins: [Seat: Stamped<RosterAdmin>]

        struct Identity: Hashable, Sendable {
            let key: PinnedKey
            let name: DeviceName
        }

        fileprivate mutating func merge(_ other: Holder) {
            identity.merge(other.identity)
            groups.merge(other.groups) { $0.merged(with: $1) }
            admins.merge(other.admins) { $0.merged(with: $1) }
        }
    }

    /// - Parameter digest: the SHA-256 of the roster's bytes.
    init(_ roster: Roster, digest: [UInt8]) {
        let stamp = Stamp(epoch: roster.epoch, digest: digest)
        founder = roster.founder
        salt = roster.salt
        id = roster.id
        name = Stamped(value: roster.name.text, stamp: stamp)
        clock = roster.clock
        issued = roster.issued
        expires = roster.expires
        removals = Dictionary(
            uniqueKeysWithValues: roster.removals.map {
                ($0.seat, Stamped(value: RosterRemoval(seat: $0.seat, key: $0.key, admin: nil), stamp: stamp))
            })
        formerAdmins = Dictionary(
            uniqueKeysWithValues: roster.removals.compactMap { removal in
                removal.admin.map { (removal.seat, [$0.seat: Stamped(value: $0, stamp: stamp)]) }
            })
        revoked = Set(roster.removals.compactMap(\.admin?.seat))
        seats = Dictionary(
            uniqueKeysWithValues: roster.members.map { member in
                let holder = Holder(
                    identity: Stamped(value: .init(key: member.key, name: member.name), stamp: stamp),
                    groups: Dictionary(
                        uniqueKeysWithValues: member.groups.map { ($0.seat, Stamped(value: $0, stamp: stamp)) }),
                    admins: member.admin.map { [$0.seat: Stamped(value: $0, stamp: stamp)] } ?? [:])
                return (member.seat, holder)
            })
    }

    mutating func merge(_ other: RosterMerge) {
        precondition(id == other.id, "rosters of two teams cannot be put together")
        name.merge(other.name)
        clock.formUnion(other.clock)
        issued = max(issued, other.issued)
        expires = max(expires, other.expires)
        removals.merge(other.removals) { $0.merged(with: $1) }
        formerAdmins.merge(other.formerAdmins) { $0.merging($1) { $0.merged(with: $1) } }
        revoked.formUnion(other.revoked)
        seats.merge(other.seats) { one, other in
            var one = one
            one.merge(other)
            return one
        }
        for seat in Array(seats.keys) {
            if removals[seat] != nil {
                if let admins = seats.removeValue(forKey: seat)?.admins, !admins.isEmpty {
                    formerAdmins[seat, default: [:]].merge(admins) { $0.merged(with: $1) }
                }
                continue
            }
            if let groups = seats[seat]?.groups, groups.keys.contains(where: { removals[$0] != nil }) {
                seats[seat]?.groups = groups.filter { removals[$0.key] == nil }
            }
        }
    }

    /// What makes the holder of a seat an admin, by seat: nothing that was taken away.
    func admins(of holder: Holder) -> [RosterAdmin] {
        holder.admins.values.map(\.value).filter { removals[$0.seat] == nil && !revoked.contains($0.seat) }
            .sorted { $0.seat < $1.seat }
    }
}

extension RosterMerge.Stamped {
    fileprivate func merged(with other: Self) -> Self {
        var result = self
        result.merge(other)
        return result
    }
}
