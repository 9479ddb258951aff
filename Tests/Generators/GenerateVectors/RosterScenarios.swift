import PortolanCrypto

/// Makes the vectors of teams: rosters, forks of them, and refused ones. Every byte is put together here.
func rosterScenarios() throws -> [Scenario] {
    let cast = try Cast()
    return try teamScenarios(cast) + rosterScenarios(cast) + headScenarios(cast) + headChoiceScenarios(cast)
        + ruledOutScenarios(cast) + rememberedScenarios(cast) + leavingScenarios(cast) + laterScenarios(cast)
        + refusedRosterScenarios(cast)
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
    var year = cast.first()
    year.lifetime = 366 * 86_400
    var counted = cast.first()
    counted.clock = [(cast.ada, 1 << 48)]
    return [
        roster("founded", cast.first(), "A team of its founder alone."),
        roster("366-days", year, "It holds for as long as one may."),
        roster(
            "64-vouchers", cast.longChain(64), "The signer's chain needs as many vouchers as are checked: 64."),
        roster("largest-count", counted, "An admin who has signed 2^48 changes."),
        roster("members-and-groups", cast.second(), "Two admins, two other members, three places in groups."),
        roster("removals", left, "An admin and a place in a group were removed; the admin's voucher stays."),
    ]
}

private func headScenarios(_ cast: Cast) throws -> [Scenario] {
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
        headsScenario(
            "newer", held: [cast.first()], given: [(base, "superseded")], heads: [base], members: base.view,
            secret: base.secret, epoch: 5, "A newer roster takes the place of the one that is held."),
        headsScenario(
            "older", held: [base], given: [(cast.first(), "ignored"), (base, "ignored")], heads: [base],
            members: base.view, secret: base.secret, epoch: 5, "An older one, and the same again, change nothing."),
        headsScenario(
            "fork", held: [left], given: [(right, "forked")], heads: [left, right], members: merged.view,
            secret: secret,
            epoch: 9,
            "Two admins at once: one removes a member and adds a device, the other adds the same device and changes groups."
        ),
        headsScenario(
            "fork-the-other-way", held: [right], given: [(left, "forked")], heads: [left, right], members: merged.view,
            secret: secret, epoch: 9, "The same in the other order gives the same."),
        headsScenario(
            "fork-of-one-secret", held: [renewed], given: [(other, "forked")], heads: [renewed, other],
            members: base.view, secret: base.secret, epoch: 7, "Nobody was removed, so the secret is still the one."),
        headsScenario(
            "settled", held: [left], given: [(right, "forked"), (settled, "superseded"), (left, "ignored")],
            heads: [settled], members: settled.view, secret: settled.secret, epoch: 10,
            "An admin signs what both say together."),
    ]
        + removedAdmins(cast)
}
