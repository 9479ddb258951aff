import PortolanCrypto
import PortolanValues

/// Merge of the rosters of a team.
///
/// Merging is commutative, associative and idempotent: the result has the union of the seats and of the removals,
/// without removed seats. If a seat has different names, the name in the roster with the greater epoch counts, or of
/// equal epochs with the greater digest.
struct RosterMerge: Hashable, Sendable {
    let founder: PinnedKey
    let salt: [UInt8]
    let id: TeamID
    private(set) var name: Stamped<String>
    private(set) var clock: RosterClock
    private(set) var issued: Int64
    private(set) var expires: Int64
    /// Holders by seat, without removed ones.
    private(set) var seats: [Seat: Holder]
    /// Removals without vouchers, which ``formerAdmins`` has.
    private(set) var removals: [Seat: Stamped<RosterRemoval>]
    /// Vouchers of removed admins, by the member's seat and the admin's seat.
    private(set) var formerAdmins: [Seat: [Seat: Stamped<RosterAdmin>]]
    /// Admin seats of removed members.
    private(set) var revoked: Set<Seat>

    /// Version of a value's roster, which decides between two values.
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

    /// Member on a seat, with its rights.
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

    /// - Parameter digest: SHA-256 of the roster's bytes.
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

    /// Returns the valid vouchers of the holder of a seat, ordered by seat.
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
