import Foundation
import PortolanCrypto
import PortolanValues

/// Draft of a roster: the merge of all heads in the form in which it can be signed, with the changes of an admin.
struct RosterDraft {
    private let founder: PinnedKey
    private let salt: [UInt8]
    private let id: TeamID
    private let name: TeamName
    private var clock: RosterClock
    private var members: [PinnedKey: RosterMember]
    private var removals: [Seat: RosterRemoval]

    /// True if a member was removed, so that the team's secret must be replaced.
    private(set) var needsFreshSecret = false

    /// Makes a team of its founder alone.
    init(founding name: TeamName, by key: DeviceKey, called deviceName: DeviceName, salt: [UInt8], seats: (Seat, Seat))
    {
        founder = PinnedKey(key.publicKey)
        self.salt = salt
        self.name = name
        id = TeamID(founder: founder, salt: salt)
        clock = RosterClock()
        removals = [:]
        members = [
            founder: RosterMember(
                key: founder, name: deviceName, seat: seats.0, groups: [],
                admin: RosterAdmin(making: founder, of: id, seat: seats.1, by: key))
        ]
    }

    /// Makes a draft from merged rosters, with each key and each group of a member once.
    ///
    /// If two admins gave one key a seat each, the smaller seat stays and takes over the rights of the other, which
    /// counts as removed. The same holds for places in one group and for admin rights.
    init(_ merge: RosterMerge) {
        founder = merge.founder
        salt = merge.salt
        id = merge.id
        guard let name = try? TeamName(merge.name.value) else { preconditionFailure("a roster has a valid name") }
        self.name = name
        clock = merge.clock
        removals = merge.removals.mapValues(\.value)
        members = [:]
        members.reserveCapacity(merge.seats.count)
        var doubled: [PinnedKey: [Seat]] = [:]
        for (seat, holder) in merge.seats {
            let key = holder.identity.value.key
            let member = Self.member(on: seat, holder, in: merge)
            let isSecond = members.updateValue(member, forKey: key) != nil
            if isSecond || holder.admins.count > 1 || Set(member.groups.map(\.name)).count < member.groups.count {
                doubled[key] = []
            }
        }
        if !doubled.isEmpty {
            for (seat, holder) in merge.seats { doubled[holder.identity.value.key]?.append(seat) }
            for (key, seats) in doubled { unite(seats.sorted(), of: key, in: merge) }
        }
        rememberAdmins(in: merge)
    }

    /// Adds the vouchers of removed admins to the removals, each seat once, so that members whom they made admins still
    /// are.
    private mutating func rememberAdmins(in merge: RosterMerge) {
        guard !merge.formerAdmins.isEmpty else { return }
        var used = Set(members.values.compactMap(\.admin?.seat))
        for (seat, admins) in merge.formerAdmins.sorted(by: { $0.key < $1.key }) {
            guard let removal = removals[seat], let key = removal.key else { continue }
            let open = admins.values.map(\.value).filter { removals[$0.seat] == nil && !used.contains($0.seat) }
                .sorted { $0.seat < $1.seat }
            guard let first = open.first else { continue }
            used.formUnion(open.map(\.seat))
            remove(RosterRemoval(seat: seat, key: key, admin: first))
            for other in open.dropFirst() { remove(RosterRemoval(seat: other.seat, key: nil, admin: nil)) }
        }
    }

    private static func member(on seat: Seat, _ holder: RosterMerge.Holder, in merge: RosterMerge) -> RosterMember {
        RosterMember(
            key: holder.identity.value.key, name: holder.identity.value.name, seat: seat,
            groups: holder.groups.values.map(\.value), admin: merge.admins(of: holder).first)
    }

    private mutating func unite(_ seats: [Seat], of key: PinnedKey, in merge: RosterMerge) {
        let holders = seats.compactMap { merge.seats[$0] }
        guard let seat = seats.first, let first = holders.first else { return }
        var kept: [GroupName: RosterGroup] = [:]
        for group in holders.flatMap({ $0.groups.values.map(\.value) }).sorted(by: { $0.seat < $1.seat }) {
            if let other = kept[group.name] {
                // A place in a group may be listed under both seats.
                if other.seat != group.seat { remove(RosterRemoval(seat: group.seat, key: nil, admin: nil)) }
            } else {
                kept[group.name] = group
            }
        }
        let admins = holders.flatMap(merge.admins).sorted { $0.seat < $1.seat }
        for admin in admins where admin.seat != admins[0].seat {
            remove(RosterRemoval(seat: admin.seat, key: nil, admin: nil))
        }
        for other in seats.dropFirst() { remove(RosterRemoval(seat: other, key: key, admin: nil)) }
        members[key] = RosterMember(
            key: key, name: first.identity.value.name, seat: seat, groups: Array(kept.values), admin: admins.first)
    }

    private mutating func remove(_ removal: RosterRemoval) { removals[removal.seat] = removal }
}

extension RosterDraft {
    /// Members of the team, without seats and vouchers.
    var view: [Member] {
        members.values.map { member in
            Member(
                key: member.key, name: member.name, groups: Set(member.groups.map(\.name)).sorted(),
                isAdmin: member.admin != nil)
        }
    }

    func seat(of key: PinnedKey) -> Seat? { members[key]?.seat }

    func isAdmin(_ key: PinnedKey) -> Bool { adminSeat(of: key) != nil }

    func adminSeat(of key: PinnedKey) -> Seat? { members[key]?.admin?.seat }

    var teamName: TeamName { name }

    /// Makes a change of an admin.
    mutating func apply(
        _ change: RosterChange, by admin: DeviceKey, using generator: inout some RandomNumberGenerator
    ) throws(RosterChangeError) {
        let adminKey = PinnedKey(admin.publicKey)
        guard isAdmin(adminKey) else { throw .notAdmin }
        switch change {
        case .renew, .settle: break
        case .add(let key, let name, let groups):
            if let known = members[key] { throw .alreadyMember(known.name) }
            try requireFree(name)
            members[key] = RosterMember(
                key: key, name: name, seat: Seat(using: &generator),
                groups: Set(groups).sorted().map { RosterGroup(name: $0, seat: Seat(using: &generator)) }, admin: nil)
        case .remove(let key):
            guard key != adminKey else { throw .cannotRemoveItself }
            let member = try existing(key)
            members[key] = nil
            remove(RosterRemoval(seat: member.seat, key: key, admin: member.admin))
            needsFreshSecret = true
        case .addToGroup(let key, let group):
            var member = try existing(key)
            guard !member.groups.contains(where: { $0.name == group }) else { throw .alreadyInGroup(group) }
            member.groups.append(RosterGroup(name: group, seat: Seat(using: &generator)))
            members[key] = member
        case .removeFromGroup(let key, let group):
            var member = try existing(key)
            let places = member.groups.filter { $0.name == group }
            guard !places.isEmpty else { throw .notInGroup(group) }
            member.groups.removeAll { $0.name == group }
            members[key] = member
            for place in places { remove(RosterRemoval(seat: place.seat, key: nil, admin: nil)) }
        case .promote(let key):
            var member = try existing(key)
            guard member.admin == nil else { throw .alreadyAdmin }
            member.admin = RosterAdmin(making: key, of: id, seat: Seat(using: &generator), by: admin)
            members[key] = member
        case .demote(let key):
            guard key != adminKey else { throw .cannotRemoveItself }
            let member = try existing(key)
            guard member.admin != nil else { throw .noAdmin }
            demote(member, using: &generator)
        case .rename(let key, let name):
            var member = try existing(key)
            try requireFree(name, for: key)
            member.name = name
            members[key] = member
        }
    }

    /// Gives the founder an admin's seat by its own voucher, and removes the seats of the admins who removed it.
    ///
    /// - Parameter opponents: signers of rosters that remove the founder, with their admin seats by those rosters.
    mutating func reclaim(
        by key: DeviceKey, called name: DeviceName, from opponents: [Vouchers.Link],
        using generator: inout some RandomNumberGenerator
    ) throws(RosterChangeError) {
        let own = PinnedKey(key.publicKey)
        precondition(own == founder, "A team is reclaimed by its founder")
        if members[own] == nil {
            try requireFree(name)
            members[own] = RosterMember(key: own, name: name, seat: Seat(using: &generator), groups: [], admin: nil)
        }
        if members[own]?.admin == nil {
            members[own]?.admin = RosterAdmin(making: own, of: id, seat: Seat(using: &generator), by: key)
        }
        for opponent in opponents where opponent.key != own {
            if let member = members[opponent.key], member.admin != nil { demote(member, using: &generator) }
            // The seat may be newer than the rosters of this draft.
            if let seat = opponent.places.first?.admin.seat, !isRemoved(seat) {
                remove(RosterRemoval(seat: seat, key: nil, admin: nil))
            }
        }
        needsFreshSecret = true
    }

    /// Gives an admin another seat, without the right. The voucher stays in the removal, for admins whom this one has
    /// promoted.
    private mutating func demote(_ member: RosterMember, using generator: inout some RandomNumberGenerator) {
        remove(RosterRemoval(seat: member.seat, key: member.key, admin: member.admin))
        members[member.key] = RosterMember(
            key: member.key, name: member.name, seat: Seat(using: &generator),
            groups: member.groups.map { RosterGroup(name: $0.name, seat: Seat(using: &generator)) }, admin: nil)
    }

    private func isRemoved(_ seat: Seat) -> Bool {
        removals[seat] != nil || removals.values.contains { $0.admin?.seat == seat }
    }

    private func existing(_ key: PinnedKey) throws(RosterChangeError) -> RosterMember {
        guard let member = members[key] else { throw .noSuchMember }
        return member
    }

    private func requireFree(_ name: DeviceName, for key: PinnedKey? = nil) throws(RosterChangeError) {
        let taken = members.values.contains { $0.key != key && $0.name.comparisonKey == name.comparisonKey }
        if taken { throw .nameTaken(name) }
    }

    /// Makes the next roster, for an admin who has checked the draft.
    mutating func roster(by signer: PinnedKey, now: Date, secretCommitment: [UInt8]) -> Roster {
        clock.tick(signer)
        var ordered = members.values.sorted { $0.key.precedes($1.key) }
        for index in ordered.indices { ordered[index].groups.sort { $0.seat < $1.seat } }
        // A clock that is off by any amount still gives a roster, which the next one corrects.
        let latest = Double(RosterLimits.time) - Team.lifetime
        let issued = Int64(min(max(now.timeIntervalSince1970, 0), latest).rounded(.down))
        return Roster(
            founder: founder, salt: salt, name: name, clock: clock, issued: issued,
            expires: issued + Int64(Team.lifetime), members: ordered,
            removals: removals.values.sorted { $0.seat < $1.seat }, secretCommitment: secretCommitment, signer: signer)
    }
}
