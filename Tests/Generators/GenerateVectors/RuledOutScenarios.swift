import PortolanCrypto

/// Rosters that rule out others: by key, by seat, and along the chain.
func ruledOutScenarios(_ cast: Cast) -> [Scenario] {
    demotedScenarios(cast) + readdedScenarios(cast) + chainScenarios(cast)
}

/// A roster with these members besides the founder, signed by one of them.
private func roster(
    _ cast: Cast, by signer: DeviceKey, founder: HandRoster.Member? = nil, _ members: [HandRoster.Member],
    removals: [HandRoster.Removal] = []
) -> HandRoster {
    var roster = cast.first()
    roster.signer = signer
    roster.clock = [(cast.ada, 7), (signer, 1)]
    if signer.publicKey.bytes == cast.ada.publicKey.bytes { roster.clock = [(cast.ada, 8)] }
    roster.members = [founder ?? roster.members[0]] + members
    roster.removals = removals
    return roster
}

private func device(_ label: UInt8) -> HandRoster.Member {
    .init(key: fixedBytes(label), name: "new \(label)", seat: HandRoster.seat(label))
}

private func plain(_ member: HandRoster.Member, seat: UInt8? = nil) -> HandRoster.Member {
    var member = member
    member.admin = nil
    if let seat { member.seat = HandRoster.seat(seat) }
    return member
}

private func removal(_ member: HandRoster.Member) -> HandRoster.Removal {
    .init(seat: member.seat, key: member.key, admin: member.admin)
}

private func demotedScenarios(_ cast: Cast) -> [Scenario] {
    let ada = cast.first().members[0]
    let ben = cast.admin(cast.ben, "ben", seat: 2, by: cast.ada)
    let cleo = cast.admin(cast.cleo, "cleo", seat: 3, by: cast.ada)
    func seat(_ member: HandRoster.Member) -> HandRoster.Removal { .init(seat: member.admin!.seat) }
    let adaDemotesBen = roster(cast, by: cast.ada, [plain(ben)], removals: [seat(ben)])
    let benAdds = roster(cast, by: cast.ben, [ben, device(0x70)])
    let benDemotesAda = roster(cast, by: cast.ben, founder: plain(ada), [ben], removals: [seat(ada)])
    let adaAdds = roster(cast, by: cast.ada, [ben, device(0x71)])
    // Ada has promoted Cleo at the same time, and Cleo continued from there.
    let cleoAdds = roster(cast, by: cast.cleo, [ben, cleo, device(0x72)])
    // Ben removes Dora, a member. Ada has promoted Dora at the same time, and Dora continued from there.
    let dora = cast.admin(cast.fay, "dora", seat: 4, by: cast.ada)
    let benRemovesDora = roster(cast, by: cast.ben, [ben], removals: [removal(plain(dora))])
    let doraAdds = roster(cast, by: cast.fay, [ben, dora, device(0x73)])
    return [
        headsScenario(
            "removed-and-promoted", held: doraAdds, given: benRemovesDora, staying: .given,
            "A member was removed and made an admin at the same time: its key rules out what it signed, and no seat does."
        ),
        headsScenario(
            "demoted-admin", held: benAdds, given: adaDemotesBen, staying: .given,
            "Ben is a member still and no admin any more: the seat of its admin is removed."),
        headsScenario(
            "demoted-founder", held: adaAdds, given: benDemotesAda, staying: .given,
            "The founder is no admin any more: the founder's own roster is ruled out by the founder's seat."),
        headsScenario(
            "demoted-founder-in-chain", held: benDemotesAda, given: cleoAdds, staying: .held,
            "The signer is unknown to the other roster, which has removed the seat of the founder, who made it an admin."
        ),
    ]
}

private func readdedScenarios(_ cast: Cast) -> [Scenario] {
    let ada = cast.first().members[0]
    let ben = cast.admin(cast.ben, "ben", seat: 2, by: cast.ada)
    let benAgain = cast.admin(cast.ben, "ben", seat: 9, by: cast.ada)
    let cleo = cast.admin(cast.cleo, "cleo", seat: 3, by: cast.ada)
    let benAdds = roster(cast, by: cast.ben, [ben, device(0x70)])
    let asMember = roster(cast, by: cast.ada, [plain(ben, seat: 9)], removals: [removal(ben)])
    let asAdmin = roster(cast, by: cast.ada, [benAgain], removals: [removal(ben)])
    // Ben knows that, and signs for the former seat.
    var forged = roster(cast, by: cast.ben, [ben, device(0x70)])
    forged.clock = [(cast.ada, 9), (cast.ben, 1)]
    // Ben has promoted Cleo before it was removed.
    let cleoOfBen = cast.admin(cast.cleo, "cleo", seat: 3, by: cast.ben)
    let cleoAdds = roster(cast, by: cast.cleo, [ben, cleoOfBen, device(0x71)])
    // Cleo has promoted Dora, whom Ada does not know as an admin, and takes in again as a member.
    let dora = cast.admin(cast.fay, "dora", seat: 4, by: cast.cleo)
    let doraAdds = roster(cast, by: cast.fay, [cleo, dora, device(0x72)])
    let doraAgain = roster(cast, by: cast.ada, [cleo, plain(dora, seat: 9)], removals: [removal(plain(dora))])
    // Dora's right has moved to another seat of the same member.
    var moved = plain(dora, seat: 2)
    moved.admin = dora.admin
    let doraMoved = roster(
        cast, by: cast.ada, [cleo, moved], removals: [.init(seat: dora.seat, key: dora.key)])
    // The founder was removed and has returned: as a member in one roster, as an admin in the other.
    var adaAgain = plain(ada, seat: 9)
    let byBen = roster(cast, by: cast.ben, founder: adaAgain, [ben], removals: [removal(ada)])
    adaAgain.admin = cast.adminSeat(cast.ada, HandRoster.seat(0x89), by: cast.ada)
    let byCleo = roster(cast, by: cast.cleo, founder: adaAgain, [ben, cleo], removals: [removal(ada)])
    return [
        headsScenario(
            "readded-member", held: benAdds, given: asMember, staying: .given,
            "Ben was removed and is back as a member: the admin's seat in the removal rules out what it signed before."),
        headsScenario(
            "readded-admin", held: benAdds, given: asAdmin, staying: .given,
            "Ben was removed and is back as an admin: what it signed under its former seat does not count."),
        headsScenario(
            "readded-admin-forges", held: asAdmin, given: forged, staying: .held,
            "The same; Ben knows of its new seat, and signs a later roster for the former one: it does not count."),
        headsScenario(
            "readded-admin-in-chain", held: cleoAdds, given: asAdmin, staying: .given,
            "The same; Cleo, whom the other roster does not know, is an admin by Ben's word for the former seat."),
        headsScenario(
            "readded-member-unknown-admin", held: doraAdds, given: doraAgain, staying: .given,
            "Dora's seat was removed by one who did not know that it had made Dora an admin. Dora is back on another one."
        ),
        headsScenario(
            "admin-on-other-seat", held: doraAdds, given: doraMoved, staying: .both,
            "Dora's seat was joined with another one, which has its right as an admin now: what it signed before stays."
        ),
        headsScenario(
            "founder-first-seat", held: byBen, given: byCleo, staying: .both,
            "The founder has two places as an admin, of which the other roster has removed one: the other place counts."
        ),
    ]
}

private func chainScenarios(_ cast: Cast) -> [Scenario] {
    let dan = cast.admin(cast.others[0], "dan", seat: 0x11, by: cast.ada)
    let fay = cast.admin(cast.fay, "fay", seat: 0x12, by: cast.ada)
    let gil = cast.admin(cast.others[1], "gil", seat: 0x13, by: cast.ada)
    // Fay had promoted Ben, who was removed, and later promoted by Dan. Ben promoted Cleo.
    let former = cast.admin(cast.ben, "ben", seat: 2, by: cast.fay)
    let ben = cast.admin(cast.ben, "ben", seat: 9, by: cast.others[0])
    let cleo = cast.admin(cast.cleo, "cleo", seat: 3, by: cast.ben)
    let byCleo = roster(cast, by: cast.cleo, [dan, fay, gil, ben, cleo], removals: [removal(former)])
    let removesDan = roster(cast, by: cast.others[1], [fay, gil], removals: [removal(dan)])
    let removesFay = roster(cast, by: cast.others[1], [dan, gil], removals: [removal(fay)])
    // Ben signs by Dan's voucher, in its Member, rather than by the founder's in a removal, which would be shorter.
    let benSigns = roster(
        cast, by: cast.ben, [dan, fay, gil, ben],
        removals: [removal(cast.admin(cast.ben, "ben", seat: 2, by: cast.ada))])
    return [
        headsScenario(
            "first-chain", held: removesDan, given: byCleo, staying: .held,
            "Two chains of one length: the first is by the voucher of a member, whose issuer is removed."),
        headsScenario(
            "first-chain-alone", held: removesFay, given: byCleo, staying: .both,
            "The same; the one who is removed is in the second chain, which does not count."),
        headsScenario(
            "own-voucher", held: removesDan, given: benSigns, staying: .held,
            "The signer's own voucher is that of its Member, whose issuer is removed; a removal has another one."),
    ]
}
