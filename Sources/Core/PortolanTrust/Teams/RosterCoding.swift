import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf

extension Roster {
    private static let version: UInt32 = 1
    static let commitmentLength = 32

    /// Decodes a roster. Lengths and counts are checked first, then the validity of each part, last that the bytes
    /// equal the output of ``encode()``.
    package init(decoding bytes: [UInt8]) throws(RosterError) {
        guard bytes.count <= RosterLimits.bytes else { throw .tooLarge(bytes: bytes.count) }
        let wire = try translating(WireRoster(serializedBytes: bytes)) { (_: any Error) in
            RosterError.malformed("its bytes are no roster's")
        }
        try Self.limit(wire.members.count, RosterLimits.members, "members")
        try Self.limit(wire.removals.count, RosterLimits.removals, "removed seats")
        try Self.limit(wire.clock.count, RosterLimits.clock, "admins that signed")
        guard wire.version == Self.version else { throw .malformed("it has version \(wire.version)") }
        guard wire.salt.count == TeamID.saltLength else {
            throw .malformed("its salt is not \(TeamID.saltLength) bytes")
        }
        guard wire.secretCommitment.count == Self.commitmentLength else {
            throw .malformed("its commitment is not \(Self.commitmentLength) bytes")
        }
        guard 0 <= wire.issued, wire.issued < wire.expires, wire.expires <= RosterLimits.time,
            wire.expires - wire.issued <= RosterLimits.lifetime
        else { throw .malformed("its times are out of order") }

        let clock = try Self.clock(wire.clock)
        guard clock.epoch == wire.epoch else { throw .malformed("its epoch is not the sum of its clock") }
        var parser = Parser()
        let members = try wire.members.map { member throws(RosterError) in try parser.member(member) }
        let removals = try wire.removals.map { removal throws(RosterError) in try parser.removal(removal) }
        // Keys are in order, which is checked last, so equal ones are neighbours.
        guard members.indices.dropFirst().allSatisfy({ members[$0 - 1].key != members[$0].key }) else {
            throw .duplicate("key")
        }
        self.init(
            founder: try Self.key(wire.founder), salt: Array(wire.salt), name: try Self.teamName(wire.name),
            clock: clock, issued: wire.issued, expires: wire.expires, members: members, removals: removals,
            secretCommitment: Array(wire.secretCommitment), signer: try Self.key(wire.signer))
        guard encode() == bytes else { throw .notCanonical }
    }

    fileprivate static func limit(_ count: Int, _ limit: Int, _ what: String) throws(RosterError) {
        guard count <= limit else { throw .tooMany(what, count: count, limit: limit) }
    }

    private static func clock(_ wire: [WireTick]) throws(RosterError) -> RosterClock {
        var clock = RosterClock()
        for tick in wire {
            let admin = try key(tick.admin)
            guard 1...RosterLimits.count ~= tick.count else { throw .malformed("its clock counts \(tick.count)") }
            guard clock.counts[admin] == nil else { throw .duplicate("admin in the clock") }
            clock.set(admin, tick.count)
        }
        return clock
    }

    fileprivate static func key(_ bytes: Data) throws(RosterError) -> PinnedKey {
        guard let key = PinnedKey(bytes: Array(bytes)) else { throw .malformed("a key in it is not 32 bytes") }
        return key
    }

    private static func teamName(_ text: String) throws(RosterError) -> TeamName {
        guard let name = try? TeamName(text) else { throw .badName(shown: DisplayText(text)) }
        return name
    }
}

/// Reads members and removals, and rejects repeated seats.
private struct Parser {
    private var taken: Set<Seat> = []
    /// Names of groups repeat with every member; each is checked once.
    private var groupNames: [String: GroupName] = [:]

    mutating func member(_ wire: WireMember) throws(RosterError) -> RosterMember {
        try Roster.limit(wire.groups.count, RosterLimits.groupsOfMember, "groups of one member")
        guard let name = try? DeviceName(wire.name) else { throw .badName(shown: DisplayText(wire.name)) }
        var groups: [RosterGroup] = []
        groups.reserveCapacity(wire.groups.count)
        for group in wire.groups {
            groups.append(RosterGroup(name: try groupName(group.name), seat: try seat(group.seat)))
        }
        return RosterMember(
            key: try Roster.key(wire.key), name: name, seat: try seat(wire.seat), groups: groups,
            admin: wire.hasAdmin ? try admin(wire.admin) : nil)
    }

    mutating func removal(_ wire: WireRemoval) throws(RosterError) -> RosterRemoval {
        guard !wire.hasAdmin || !wire.key.isEmpty else { throw .malformed("it removes an admin who is nobody") }
        return RosterRemoval(
            seat: try seat(wire.seat), key: wire.key.isEmpty ? nil : try Roster.key(wire.key),
            admin: wire.hasAdmin ? try formerAdmin(wire.admin) : nil)
    }

    private mutating func admin(_ wire: WireAdminSeat) throws(RosterError) -> RosterAdmin {
        let admin = try formerAdmin(wire)
        try take(admin.seat)
        return admin
    }

    private func formerAdmin(_ wire: WireAdminSeat) throws(RosterError) -> RosterAdmin {
        guard let seat = Seat(bytes: wire.seat) else { throw .malformed("a seat in it is not \(Seat.length) bytes") }
        guard wire.voucher.count == DevicePublicKey.signatureLength else {
            throw .malformed("a voucher in it is not \(DevicePublicKey.signatureLength) bytes")
        }
        return RosterAdmin(seat: seat, issuer: try Roster.key(wire.issuer), voucher: Array(wire.voucher))
    }

    private mutating func groupName(_ text: String) throws(RosterError) -> GroupName {
        if let known = groupNames[text] { return known }
        guard let name = try? GroupName(text) else { throw .badName(shown: DisplayText(text)) }
        groupNames[text] = name
        return name
    }

    private mutating func seat(_ bytes: Data) throws(RosterError) -> Seat {
        guard let seat = Seat(bytes: bytes) else { throw .malformed("a seat in it is not \(Seat.length) bytes") }
        try take(seat)
        return seat
    }

    private mutating func take(_ seat: Seat) throws(RosterError) {
        guard taken.insert(seat).inserted else { throw .duplicate("seat") }
    }
}

extension Roster {
    /// Encodes the bytes that are signed: equal for equal rosters, on every device.
    package func encode() -> [UInt8] {
        let wire = WireRoster.with {
            $0.version = Self.version
            $0.founder = Data(founder.bytes)
            $0.salt = Data(salt)
            $0.name = name.text
            $0.epoch = epoch
            $0.issued = issued
            $0.expires = expires
            $0.clock = clock.counts.sorted { $0.key.precedes($1.key) }.map { admin, count in
                .with {
                    $0.admin = Data(admin.bytes)
                    $0.count = count
                }
            }
            $0.members = members.sorted { $0.key.precedes($1.key) }.map(\.wire)
            $0.removals = removals.sorted { $0.seat < $1.seat }.map(\.wire)
            $0.secretCommitment = Data(secretCommitment)
            $0.signer = Data(signer.bytes)
        }
        do {
            return try wire.serializedBytes()
        } catch {
            // Encoding fails only for missing required fields and unresolved extensions, and proto3 has neither.
            preconditionFailure("A roster could not be encoded: \(error)")
        }
    }
}

extension RosterMember {
    fileprivate var wire: WireMember {
        .with {
            $0.key = Data(key.bytes)
            $0.name = name.text
            $0.seat = Data(seat.bytes)
            $0.groups = groups.sorted { $0.seat < $1.seat }.map { group in
                .with {
                    $0.name = group.name.text
                    $0.seat = Data(group.seat.bytes)
                }
            }
            if let admin { $0.admin = admin.wire }
        }
    }
}

extension RosterAdmin {
    fileprivate var wire: WireAdminSeat {
        .with {
            $0.seat = Data(seat.bytes)
            $0.issuer = Data(issuer.bytes)
            $0.voucher = Data(voucher)
        }
    }
}

extension RosterRemoval {
    fileprivate var wire: WireRemoval {
        .with {
            $0.seat = Data(seat.bytes)
            if let key { $0.key = Data(key.bytes) }
            if let admin { $0.admin = admin.wire }
        }
    }
}

extension PinnedKey {
    /// Order of keys in lists.
    func precedes(_ other: PinnedKey) -> Bool { bytes.lexicographicallyPrecedes(other.bytes) }
}
