import PortolanCrypto

/// Teams: their rosters, forks of them, and what must not be taken. Every byte is put together here.
func rosterScenarios() throws -> [Scenario] {
    let cast = try Cast()
    return try teamScenarios(cast) + rosterScenarios(cast) + headScenarios(cast) + refusedRosterScenarios(cast)
}

/// Who plays: three devices that can be admins, and two that sign nothing.
private struct Cast {
    let ada: DeviceKey
    let ben: DeviceKey
    let cleo: DeviceKey
    let fay: DeviceKey
    let dora = fixedBytes(0xD0)
    let eve = fixedBytes(0xE0)
    let salt = Array(fixedBytes(0x5A).prefix(16))
    let team: [UInt8]

    static let now: UInt64 = 1_800_000_000

    init() throws {
        ada = try DeviceKey(seed: fixedBytes(0x0A))
        ben = try DeviceKey(seed: fixedBytes(0x0B))
        cleo = try DeviceKey(seed: fixedBytes(0x0C))
        fay = try DeviceKey(seed: fixedBytes(0x0F))
        team = Array(sha256([Array("portolan/1 team".utf8), ada.publicKey.bytes, salt]).prefix(16))
    }

    func admin(_ key: DeviceKey, _ name: String, seat: UInt8, by issuer: DeviceKey, voucherBy signer: DeviceKey? = nil)
        -> HandRoster.Member
    {
        let adminSeat = HandRoster.seat(seat | 0x80)
        let statement = Array("portolan/1 admin".utf8) + team + key.publicKey.bytes + adminSeat
        return .init(
            key: key.publicKey.bytes, name: name, seat: HandRoster.seat(seat),
            admin: .init(
                seat: adminSeat, issuer: issuer.publicKey.bytes, voucher: (signer ?? issuer).signature(for: statement)))
    }

    /// The first roster: the founder alone.
    func first(secret: UInt8 = 1) -> HandRoster {
        HandRoster(
            founder: ada.publicKey.bytes, salt: salt, clock: [(ada, 1)], members: [admin(ada, "ada", seat: 1, by: ada)],
            secret: fixedBytes(secret), signer: ada)
    }

    /// A later one: two admins, and two members with groups.
    func second() -> HandRoster {
        var roster = first()
        roster.clock = [(ada, 5)]
        roster.members += [
            admin(ben, "ben", seat: 2, by: ada),
            .init(
                key: dora, name: "Dora’s laptop", seat: HandRoster.seat(4), groups: [("design", HandRoster.seat(0x41))]),
            .init(
                key: eve, name: "東京", seat: HandRoster.seat(5),
                groups: [("design", HandRoster.seat(0x51)), ("Ünïon", HandRoster.seat(0x52))]),
        ]
        return roster
    }
}

extension Cast {
    /// A later one: Ben has made Cleo an admin.
    fileprivate func third() -> HandRoster {
        var roster = first()
        roster.clock = [(ada, 7)]
        roster.members += [
            admin(ben, "ben", seat: 2, by: ada), admin(cleo, "cleo", seat: 3, by: ben),
            .init(key: dora, name: "dora", seat: HandRoster.seat(4)),
        ]
        return roster
    }
}

/// A roster by hand.
private struct HandRoster {
    struct Admin {
        var seat: [UInt8]
        var issuer: [UInt8]
        var voucher: [UInt8]

        var bytes: [UInt8] { Proto.field(1, seat) + Proto.field(2, issuer) + Proto.field(3, voucher) }
    }

    struct Member {
        var key: [UInt8]
        var name: String
        var seat: [UInt8]
        var groups: [(name: String, seat: [UInt8])] = []
        var admin: Admin?

        var bytes: [UInt8] {
            Proto.field(1, key) + Proto.field(2, name) + Proto.field(3, seat)
                + groups.flatMap { Proto.field(4, Proto.field(1, $0.name) + Proto.field(2, $0.seat)) }
                + (admin.map { Proto.field(5, $0.bytes) } ?? [])
        }
    }

    struct Removal {
        var seat: [UInt8]
        var key: [UInt8]?
        var admin: Admin?

        var bytes: [UInt8] {
            Proto.field(1, seat) + (key.map { Proto.field(2, $0) } ?? [])
                + (admin.map { Proto.field(3, $0.bytes) } ?? [])
        }
    }

    var founder: [UInt8]
    var salt: [UInt8]
    var name = "acme"
    var issued = Cast.now
    var clock: [(admin: DeviceKey, count: UInt64)]
    var members: [Member]
    var removals: [Removal] = []
    var secret: [UInt8]
    var signer: DeviceKey
    /// Left as they are, for what must be refused.
    var isSorted = true

    static func seat(_ number: UInt8) -> [UInt8] { [0x5E, 0xA7, 0, 0, 0, 0, 0, number] }

    var epoch: UInt64 { clock.reduce(0) { $0 + $1.count } }
    var expires: UInt64 { issued + 90 * 86_400 }

    var bytes: [UInt8] {
        func ordered<Element>(_ list: [Element], _ key: (Element) -> [UInt8]) -> [Element] {
            isSorted ? list.sorted { key($0).lexicographicallyPrecedes(key($1)) } : list
        }
        // In steps, because the compiler takes its time over one long sum.
        var bytes = Proto.field(1, 1) + Proto.field(2, founder) + Proto.field(3, salt) + Proto.field(4, name)
        bytes += Proto.field(5, epoch) + Proto.field(6, issued << 1) + Proto.field(7, expires << 1)
        for tick in ordered(clock, { $0.admin.publicKey.bytes }) {
            bytes += Proto.field(8, Proto.field(1, tick.admin.publicKey.bytes) + Proto.field(2, tick.count))
        }
        for member in ordered(members, \.key) { bytes += Proto.field(9, member.bytes) }
        for removal in ordered(removals, \.seat) { bytes += Proto.field(10, removal.bytes) }
        bytes += Proto.field(11, sha256([Array("portolan/1 team secret".utf8), secret]))
        bytes += Proto.field(12, signer.publicKey.bytes)
        return bytes
    }

    func json(bytes other: [UInt8]? = nil, signedBy key: DeviceKey? = nil, secret given: [UInt8]? = nil) -> [String:
        Any]
    {
        let bytes = other ?? bytes
        return [
            "roster": hex(bytes), "secret": hex(given ?? secret),
            "signature": hex((key ?? signer).signature(for: Array("portolan/1 roster".utf8) + bytes)),
        ]
    }

    /// The members as everyone sees them, by key.
    var view: [[String: Any]] {
        members.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            [
                "key": hex($0.key), "name": $0.name, "admin": $0.admin != nil,
                "groups": $0.groups.map(\.name).sorted { $0.lowercased() < $1.lowercased() },
            ]
        }
    }
}

private func digest(of heads: [HandRoster]) -> [UInt8] {
    sha256(
        [Array("portolan/1 team heads".utf8)]
            + heads.map { sha256([$0.bytes]) }.sorted { $0.lexicographicallyPrecedes($1) })
}

/// HMAC-SHA-256 (RFC 2104) with a key that is shorter than a block.
private func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let block = key + [UInt8](repeating: 0, count: 64 - key.count)
    return sha256([block.map { $0 ^ 0x5C }, sha256([block.map { $0 ^ 0x36 }, message])])
}

private func teamScenarios(_ cast: Cast) throws -> [Scenario] {
    let member = cast.admin(cast.ben, "ben", seat: 2, by: cast.ada)
    return [
        Scenario(
            "team-identifier", kind: "team",
            "What a team's identifier, its secret's commitment and a voucher are made of.",
            [
                "founder": hex(cast.ada.publicKey.bytes), "salt": hex(cast.salt), "id": hex(cast.team),
                "text": base32(cast.team), "secret": hex(fixedBytes(1)),
                "secret_commitment": hex(sha256([Array("portolan/1 team secret".utf8), fixedBytes(1)])),
                "admin": hex(member.key), "admin_seat": hex(member.admin!.seat),
                "issuer_seed": hex(fixedBytes(0x0A)), "voucher": hex(member.admin!.voucher),
            ])
    ]
}

private func base32(_ bytes: [UInt8]) -> String {
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    return String(
        stride(from: 0, to: bits.count, by: 5).map { start in
            alphabet[(0..<5).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
        })
}

private func rosterScenarios(_ cast: Cast) throws -> [Scenario] {
    func roster(_ name: String, _ roster: HandRoster, _ comment: String) -> Scenario {
        Scenario(
            "roster-" + name, kind: "roster", comment,
            roster.json().merging([
                "id": hex(cast.team), "name": roster.name, "epoch": String(roster.epoch),
                "issued": String(roster.issued),
                "expires": String(roster.expires), "signer": hex(roster.signer.publicKey.bytes), "members": roster.view,
                "digest": hex(digest(of: [roster])),
            ]) { one, _ in one })
    }
    var left = cast.second()
    let ben = left.members[1]
    left.clock = [(cast.ada, 6), (cast.ben, 2)]
    left.members.remove(at: 1)
    left.members[2].groups.removeFirst()
    left.removals = [
        .init(seat: ben.seat, key: ben.key, admin: ben.admin), .init(seat: HandRoster.seat(0x51), key: nil, admin: nil),
    ]
    left.secret = fixedBytes(2)
    return [
        roster("founded", cast.first(), "A team of its founder alone."),
        roster("members-and-groups", cast.second(), "Two admins, two other members, three places in groups."),
        roster("removals", left, "An admin and a place in a group were removed; the admin's voucher stays."),
    ]
}

private func headScenarios(_ cast: Cast) throws -> [Scenario] {
    func scenario(
        _ name: String, held: [HandRoster], given: [(HandRoster, String)], heads: [HandRoster],
        members: [[String: Any]],
        secret: [UInt8], epoch: UInt64, _ comment: String
    ) -> Scenario {
        Scenario(
            "heads-" + name, kind: "heads", comment,
            [
                "now": String(Cast.now), "held": held.map { $0.json() },
                "given": given.map { $0.json().merging(["outcome": $1]) { one, _ in one } },
                "outcome": [
                    "heads": heads.map { hex($0.bytes) }.sorted(), "digest": hex(digest(of: heads)),
                    "members": members, "secret": hex(secret), "epoch": String(epoch),
                ] as [String: Any],
            ])
    }
    let base = cast.second()
    let (ada, ben, dora, eve) = (base.members[0], base.members[1], base.members[2], base.members[3])

    // Ada removes Dora and adds a device; Ben, at the same time, adds the same device and changes groups.
    let new = fixedBytes(0x70)
    var left = base
    left.clock = [(cast.ada, 7)]
    left.members = [
        ada, ben, eve,
        .init(key: new, name: "new", seat: HandRoster.seat(8), groups: [("sales", HandRoster.seat(0x78))]),
    ]
    left.removals = [.init(seat: dora.seat, key: dora.key, admin: nil)]
    left.secret = fixedBytes(2)
    var right = base
    right.signer = cast.ben
    right.clock = [(cast.ada, 5), (cast.ben, 2)]
    right.members = [ada, ben, dora, eve]
    right.members[2].groups.append(("Ünïon", HandRoster.seat(0x42)))
    right.members[3].groups.removeFirst()
    right.members.append(
        .init(key: new, name: "New", seat: HandRoster.seat(7), groups: [("Design", HandRoster.seat(0x71))]))
    right.removals = [.init(seat: HandRoster.seat(0x51), key: nil, admin: nil)]
    var merged = base
    merged.members = [ada, ben, right.members[3], right.members[4]]
    merged.members[3].groups += left.members[3].groups

    var renewed = base
    renewed.signer = cast.ben
    renewed.clock = [(cast.ada, 5), (cast.ben, 1)]
    var other = base
    other.clock = [(cast.ada, 6)]

    // Ben settles it: a clock above both heads, and of the new device's two seats the smaller one.
    var settled = merged
    settled.signer = cast.ben
    settled.clock = [(cast.ada, 7), (cast.ben, 3)]
    settled.removals = left.removals + right.removals + [.init(seat: HandRoster.seat(8), key: new, admin: nil)]
    settled.secret = fixedBytes(3)

    let sorted = [left.secret, right.secret].sorted { $0.lexicographicallyPrecedes($1) }
    let secret = hmac(key: Array("portolan/1 merged secret".utf8), sorted[0] + sorted[1])
    return [
        scenario(
            "newer", held: [cast.first()], given: [(base, "superseded")], heads: [base], members: base.view,
            secret: base.secret, epoch: 5, "A newer roster takes the place of the one that is held."),
        scenario(
            "older", held: [base], given: [(cast.first(), "ignored"), (base, "ignored")], heads: [base],
            members: base.view, secret: base.secret, epoch: 5, "An older one, and the same again, change nothing."),
        scenario(
            "fork", held: [left], given: [(right, "forked")], heads: [left, right], members: merged.view,
            secret: secret,
            epoch: 9,
            "Two admins at once: one removes a member and adds a device, the other adds the same device and changes groups."
        ),
        scenario(
            "fork-the-other-way", held: [right], given: [(left, "forked")], heads: [left, right], members: merged.view,
            secret: secret, epoch: 9, "The same in the other order gives the same."),
        scenario(
            "fork-of-one-secret", held: [renewed], given: [(other, "forked")], heads: [renewed, other],
            members: base.view, secret: base.secret, epoch: 7, "Nobody was removed, so the secret is still the one."),
        scenario(
            "settled", held: [left], given: [(right, "forked"), (settled, "superseded"), (left, "ignored")],
            heads: [settled], members: settled.view, secret: settled.secret, epoch: 10,
            "An admin signs what both say together."),
    ]
        + removedAdmins(cast) { name, held, given, heads, comment in
            // None of these has another member's seat than its heads agree on, so what they say is soon put together.
            let removed = Set(heads.flatMap(\.removals).map(\.seat))
            var view: [[UInt8]: HandRoster.Member] = [:]
            for member in heads.flatMap(\.members) where !removed.contains(member.seat) { view[member.key] = member }
            var together = heads[0]
            together.members = Array(view.values)
            let secrets = Set(heads.map(\.secret)).sorted { $0.lexicographicallyPrecedes($1) }
            var counts: [[UInt8]: UInt64] = [:]
            for tick in heads.flatMap(\.clock) {
                counts[tick.admin.publicKey.bytes] = max(counts[tick.admin.publicKey.bytes] ?? 0, tick.count)
            }
            return scenario(
                name, held: held, given: given, heads: heads, members: together.view,
                secret: secrets.count == 1
                    ? secrets[0] : hmac(key: Array("portolan/1 merged secret".utf8), secrets.flatMap { $0 }),
                epoch: counts.values.reduce(0, +), comment)
        }
}

private typealias HeadsScenario = (
    _ name: String, _ held: [HandRoster], _ given: [(HandRoster, String)], _ heads: [HandRoster], _ comment: String
) -> Scenario

/// Admins remove admins, in every order in which that can become known.
private func removedAdmins(_ cast: Cast, _ scenario: HeadsScenario) -> [Scenario] {
    let base = cast.third()
    let (ada, ben) = (base.members[0], base.members[1])
    func signed(
        by signer: DeviceKey, _ clock: [(DeviceKey, UInt64)], secret: UInt8, removing member: HandRoster.Member? = nil,
        adding seat: UInt8? = nil, to roster: HandRoster? = nil
    ) -> HandRoster {
        var roster = roster ?? base
        roster.signer = signer
        roster.clock = clock.map { (admin: $0.0, count: $0.1) }
        roster.secret = fixedBytes(secret)
        if let member {
            roster.members.removeAll { $0.key == member.key }
            roster.removals.append(.init(seat: member.seat, key: member.key, admin: member.admin))
        }
        if let seat {
            roster.members.append(.init(key: fixedBytes(seat), name: "new \(seat)", seat: HandRoster.seat(seat)))
        }
        return roster
    }
    let adaRemovesBen = signed(by: cast.ada, [(cast.ada, 8)], secret: 2, removing: ben)
    let benAdds = signed(by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], secret: 1, adding: 0x70)
    let benRemovesAda = signed(by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], secret: 3, removing: ada)
    // Cleo is an admin by Ben's word, and goes on from what Ben did.
    let cleoGoesOn = signed(
        by: cast.cleo, [(cast.ada, 7), (cast.ben, 1), (cast.cleo, 1)], secret: 1, adding: 0x71, to: benAdds)
    let adaAdds = signed(by: cast.ada, [(cast.ada, 8)], secret: 1, adding: 0x72)
    let benGoesOn = signed(
        by: cast.ben, [(cast.ada, 8), (cast.ben, 1)], secret: 1, adding: 0x73, to: adaAdds)
    let cleoRemovesBen = signed(by: cast.cleo, [(cast.ada, 7), (cast.cleo, 1)], secret: 4, removing: ben)
    // Cleo removes Ben, who is senior, and is removed by Ben at the same time.
    let benRemovesCleo = signed(
        by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], secret: 5, removing: base.members[2])
    // Somebody whom Ben makes an admin after Ben was removed elsewhere.
    var benPromotes = signed(by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], secret: 1)
    benPromotes.members.append(cast.admin(cast.fay, "fay", seat: 9, by: cast.ben))
    var fayAdds = signed(
        by: cast.fay, [(cast.ada, 7), (cast.ben, 1), (cast.fay, 1)], secret: 1, adding: 0x74, to: benPromotes)
    fayAdds.issued += 1
    return [
        scenario(
            "removed-admin-after", [adaRemovesBen], [(benAdds, "setAside")], [adaRemovesBen],
            "What a removed admin did at the same time comes after the removal: it does not count."),
        scenario(
            "removed-admin-before", [benAdds], [(adaRemovesBen, "superseded")], [adaRemovesBen],
            "The same in the other order gives the same."),
        scenario(
            "mutual-removal", [adaRemovesBen], [(benRemovesAda, "setAside")], [adaRemovesBen],
            "Two remove each other: the founder's roster stays."),
        scenario(
            "mutual-removal-the-other-way", [benRemovesAda], [(adaRemovesBen, "superseded")], [adaRemovesBen],
            "The same in the other order gives the same."),
        scenario(
            "mutual-removal-by-issuer", [cleoRemovesBen], [(benRemovesCleo, "superseded")], [benRemovesCleo],
            "Ben made Cleo an admin, so Ben's way to the founder is shorter, and Ben's roster stays."),
        scenario(
            "removed-admin-exposes", [benGoesOn], [(adaAdds, "setAside"), (cleoRemovesBen, "forked")],
            [adaAdds, cleoRemovesBen],
            "Ada's roster was superseded by one of Ben, who turns out to be removed: it is a head again."),
        scenario(
            "removed-admin-exposes-the-other-way", [cleoRemovesBen], [(benGoesOn, "setAside"), (adaAdds, "forked")],
            [adaAdds, cleoRemovesBen], "The same in another order gives the same."),
        scenario(
            "removed-admin-taken-over", [adaRemovesBen], [(benAdds, "setAside"), (cleoGoesOn, "forked")],
            [adaRemovesBen, cleoGoesOn], "A third admin has gone on from what the removed one did: that stays."),
        scenario(
            "remover-removed", [cleoRemovesBen],
            [
                (benAdds, "setAside"),
                (signed(by: cast.ada, [(cast.ada, 8)], secret: 6, removing: base.members[2]), "forked"),
            ],
            [benAdds, signed(by: cast.ada, [(cast.ada, 8)], secret: 6, removing: base.members[2])],
            "Who removed Ben is removed: what Ben did counts again."),
        scenario(
            "through-removed-admin", [adaRemovesBen], [(fayAdds, "setAside")], [adaRemovesBen],
            "The signer is an admin by the word of one who was removed."),
    ]
}

private func refusedRosterScenarios(_ cast: Cast) throws -> [Scenario] {
    func refused(
        _ name: String, held: [HandRoster], _ given: [String: Any], _ refusal: String, _ comment: String
    ) -> Scenario {
        Scenario(
            "roster-refused-" + name, kind: "roster_refused", comment,
            ["now": String(Cast.now), "held": held.map { $0.json() }, "given": given, "refused": refusal])
    }
    func edited(_ edit: (inout HandRoster) -> Void) -> HandRoster {
        var roster = cast.second()
        roster.clock = [(cast.ada, 6)]
        edit(&roster)
        return roster
    }
    let base = cast.second()
    let next = edited { _ in }
    let bytes = next.bytes
    let future = edited { $0.issued += 86_401 }
    let byStranger = edited {
        $0.signer = cast.cleo
        $0.clock.append((cast.cleo, 1))
        $0.members.append(cast.admin(cast.cleo, "cleo", seat: 3, by: cast.ada, voucherBy: cast.cleo))
    }
    let byMember = edited {
        $0.signer = cast.cleo
        $0.clock.append((cast.cleo, 1))
        $0.members.append(.init(key: cast.cleo.publicKey.bytes, name: "cleo", seat: HandRoster.seat(3)))
    }
    let otherTeam = edited { $0.salt = Array(fixedBytes(0x77).prefix(16)) }
    return [
        refused("signature", held: [base], next.json(signedBy: cast.ben), "bad_signature", "Signed by another admin."),
        refused("other-team", held: [base], otherTeam.json(), "other_team", "Another salt is another team."),
        refused("future", held: [base], future.json(), "from_the_future", "A day and a second ahead."),
        refused(
            "secret", held: [base], next.json(secret: fixedBytes(9)), "wrong_secret", "Another secret came with it."),
        refused(
            "no-secret", held: [base], next.json(secret: []), "no_secret",
            "It came without its secret to a device that it does not remove."),
        refused("member-signs", held: [base], byMember.json(), "signer_is_no_admin", "The signer is a member only."),
        refused(
            "forged-voucher", held: [base], byStranger.json(), "signer_is_unknown", "A voucher written by oneself."),
        refused(
            "joining-forged-voucher", held: [], byStranger.json(), "signer_is_unknown",
            "To a device that joins: no way from the signer to the founder."),
        refused(
            "duplicate-key", held: [base],
            edited {
                $0.members.append($0.members[2])
                $0.members[4].seat = HandRoster.seat(9)
                $0.members[4].groups = []
            }.json(), "duplicate", "One key on two seats."),
        refused(
            "duplicate-seat", held: [base], edited { $0.members[3].seat = $0.members[2].seat }.json(), "duplicate",
            "One seat for two members."),
        refused(
            "unsorted", held: [base],
            edited {
                $0.members.sort { $1.key.lexicographicallyPrecedes($0.key) }
                $0.isSorted = false
            }.json(), "not_canonical", "Members in another order."),
        refused(
            "unknown-field", held: [base], next.json(bytes: bytes + Proto.field(100, 1)), "not_canonical",
            "A field that nobody knows."),
        refused(
            "padded-varint", held: [base], next.json(bytes: [0x08, 0x81, 0x00] + bytes.dropFirst(2)), "not_canonical",
            "The version in two bytes."),
        refused(
            "cut", held: [base], next.json(bytes: Array(bytes.dropLast())), "malformed", "The last byte is missing."),
        refused(
            "name-with-escape", held: [base], edited { $0.members[2].name = "a\u{1B}[2J" }.json(), "bad_name",
            "An escape in a member's name."),
        refused(
            "group-with-slash", held: [base], edited { $0.members[2].groups[0].name = "a/b" }.json(), "bad_name",
            "A slash in a group's name."),
        refused(
            "4097-members", held: [base],
            next.json(bytes: bytes + (0..<4093).flatMap { _ in Proto.field(9, [UInt8]()) }),
            "too_many", "One member too many, all but four of them empty."),
        refused(
            "version-2", held: [base], next.json(bytes: [0x08, 0x02] + bytes.dropFirst(2)), "malformed",
            "A version nobody knows."),
    ]
}
