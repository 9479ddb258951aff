import PortolanCrypto

func refusedRosterScenarios(_ cast: Cast) throws -> [Scenario] {
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
    // Ben was removed as an admin, and is back with the very seat that is removed.
    let benLeft = HandRoster.Removal(seat: base.members[1].seat, key: base.members[1].key, admin: base.members[1].admin)
    let removedSeat = edited {
        $0.signer = cast.ben
        $0.clock.append((cast.ben, 1))
        $0.members[1].seat = HandRoster.seat(9)
        $0.removals = [benLeft]
    }
    // Ben is back without a voucher; the voucher in the removal is good.
    let formerVoucher = edited {
        $0.signer = cast.ben
        $0.clock.append((cast.ben, 1))
        $0.members[1] = cast.admin(cast.ben, "ben", seat: 9, by: cast.cleo)
        $0.removals = [benLeft]
    }
    let otherTeam = edited { $0.salt = Array(fixedBytes(0x77).prefix(16)) }
    return [
        refused(
            "signer-removed", held: [base], removedSeat.json(), "signer_was_removed",
            "The signer's admin seat is that of a removal's admin."),
        refused(
            "own-voucher", held: [base], formerVoucher.json(), "signer_is_unknown",
            "The signer's own voucher leads nowhere; one in a removal does, and is not followed."),
        refused(
            "nine-heads", held: sideBySide(cast, cast.others), sideBySide(cast, cast.others + [cast.ben])[8].json(),
            "too_many_heads", "A ninth roster beside eight heads."),
        refused(
            "65-vouchers", held: [], cast.longChain(65).json(), "signer_is_unknown",
            "To a device that joins: the signer's chain needs 65 vouchers."),
        refused(
            "367-days", held: [base], edited { $0.lifetime = 366 * 86_400 + 1 }.json(), "malformed",
            "366 days and a second from issued to expires."),
        refused(
            "expires-at-once", held: [base], edited { $0.lifetime = 0 }.json(), "malformed",
            "It expires when it is issued."),
        refused(
            "decomposed-name", held: [base], edited { $0.members[2].name = "Zoe\u{308}" }.json(), "not_canonical",
            "A member's name that is not in NFC."),
        refused(
            "decomposed-group", held: [base], edited { $0.members[2].groups[0].name = "Gro\u{308}\u{DF}e" }.json(),
            "not_canonical", "A group's name that is not in NFC."),
        refused(
            "count-too-large", held: [base], edited { $0.clock = [(cast.ada, 1 << 48 + 1)] }.json(), "malformed",
            "A count of 2^48 + 1 in the clock."),
        refused(
            "65-groups", held: [base],
            edited {
                $0.members[2].groups = (0..<65).map { ("group-\($0)", HandRoster.seat(0x40, $0)) }
            }.json(), "too_many", "A member with one place in a group too many."),
        refused(
            "8193-removals", held: [base],
            next.json(bytes: bytes + (0..<8193).flatMap { _ in Proto.field(10, [UInt8]()) }), "too_many",
            "One removal too many, all of them empty."),
        refused(
            "257-in-clock", held: [base],
            next.json(bytes: bytes + (0..<256).flatMap { _ in Proto.field(8, [UInt8]()) }), "too_many",
            "One count in the clock too many, all but one of them empty."),
        refused(
            "229377-bytes", held: [base],
            next.json(bytes: bytes + [UInt8](repeating: 0, count: 229_377 - bytes.count)).merging([
                "roster": [hex(bytes), Repetition(of: [0], 229_377 - bytes.count).json] as [Any]
            ]) { $1 }, "too_large", "One byte more than a roster may have."),
        refused(
            "removal-of-nobodys-admin", held: [base],
            edited { $0.removals = [.init(seat: HandRoster.seat(0x77), key: nil, admin: benLeft.admin)] }.json(),
            "malformed", "A removal with an admin and without a key."),
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
