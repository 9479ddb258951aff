import PortolanCrypto
import PortolanValues

/// Version of a team, signed by an admin: its members, and removals.
///
/// Each membership, place in a group and admin right has a seat: random bytes that are used once. Removed seats are
/// listed, so that two concurrent rosters can be merged without losing changes: a seat that one lacks was added by the
/// other, unless it is listed as removed.
package struct Roster: Hashable, Sendable {
    package let founder: PinnedKey
    package let salt: [UInt8]
    package let name: TeamName
    let clock: RosterClock
    /// Time of signing, in seconds since 1970.
    package let issued: Int64
    package let expires: Int64
    /// Members ordered by key, each once.
    package let members: [RosterMember]
    /// Removals ordered by seat, each once.
    let removals: [RosterRemoval]
    /// Commitment to the team's secret of this roster.
    package let secretCommitment: [UInt8]
    package let signer: PinnedKey

    package let id: TeamID

    init(
        founder: PinnedKey, salt: [UInt8], name: TeamName, clock: RosterClock, issued: Int64, expires: Int64,
        members: [RosterMember], removals: [RosterRemoval], secretCommitment: [UInt8], signer: PinnedKey
    ) {
        self.founder = founder
        self.salt = salt
        self.name = name
        self.clock = clock
        self.issued = issued
        self.expires = expires
        self.members = members
        self.removals = removals
        self.secretCommitment = secretCommitment
        self.signer = signer
        id = TeamID(founder: founder, salt: salt)
    }

    package var epoch: UInt64 { clock.epoch }

    func member(_ key: PinnedKey) -> RosterMember? { members.first { $0.key == key } }

    /// Computes SHA-256("portolan/1 team secret" ‖ secret).
    package static func commitment(to secret: SecretBytes) -> [UInt8] {
        secret.commitment(label: "portolan/1 team secret")
    }
}

/// Identifier of one membership, one place in a group or one admin right: 8 random bytes, never used again.
package struct Seat: Hashable, Comparable, Sendable {
    static let length = 8

    private let number: UInt64

    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    init(using generator: inout some RandomNumberGenerator) { number = generator.next() }

    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }

    package static func < (one: Seat, other: Seat) -> Bool { one.number < other.number }
}

package struct RosterMember: Hashable, Sendable {
    package let key: PinnedKey
    package var name: DeviceName
    let seat: Seat
    /// Groups ordered by seat, each once.
    var groups: [RosterGroup]
    var admin: RosterAdmin?
}

struct RosterGroup: Hashable, Sendable {
    let name: GroupName
    let seat: Seat

    static func == (one: RosterGroup, other: RosterGroup) -> Bool {
        // Names that differ in case are equal as names, but have different bytes.
        one.seat == other.seat && one.name.text == other.name.text
    }
}

/// Voucher of an admin that makes a member an admin.
package struct RosterAdmin: Hashable, Sendable {
    let seat: Seat
    let issuer: PinnedKey
    package let voucher: [UInt8]

    /// Signed statement: "portolan/1 admin" ‖ team ‖ the member's key ‖ seat.
    private static func statement(team: TeamID, member: PinnedKey, seat: Seat) -> [UInt8] {
        Array("portolan/1 admin".utf8) + team.bytes + member.bytes + seat.bytes
    }

    init(seat: Seat, issuer: PinnedKey, voucher: [UInt8]) {
        self.seat = seat
        self.issuer = issuer
        self.voucher = voucher
    }

    package init(making member: PinnedKey, of team: TeamID, seat: Seat, by issuer: DeviceKey) {
        self.seat = seat
        self.issuer = PinnedKey(issuer.publicKey)
        voucher = issuer.signature(for: Self.statement(team: team, member: member, seat: seat))
    }

    /// True if the issuer's signature is valid.
    package func isValid(for member: PinnedKey, of team: TeamID) -> Bool {
        guard let key = try? DevicePublicKey(bytes: issuer.bytes) else { return false }
        return key.isValidSignature(voucher, for: Self.statement(team: team, member: member, seat: seat))
    }
}

/// A removed seat.
struct RosterRemoval: Hashable, Sendable {
    let seat: Seat
    /// Key of the member, for a member's seat.
    let key: PinnedKey?
    /// Voucher that made the removed member an admin. Members whom it made admins still are, and this voucher is their
    /// proof.
    let admin: RosterAdmin?
}
