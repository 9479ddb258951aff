import PortolanCrypto

/// Admins that remove admins, in every order of arrival.
func removedAdmins(_ cast: Cast) -> [Scenario] {
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
    // Ben has promoted Cleo, who continues Ben's roster.
    let cleoGoesOn = signed(
        by: cast.cleo, [(cast.ada, 7), (cast.ben, 1), (cast.cleo, 1)], secret: 1, adding: 0x71, to: benAdds)
    let adaAdds = signed(by: cast.ada, [(cast.ada, 8)], secret: 1, adding: 0x72)
    let benGoesOn = signed(
        by: cast.ben, [(cast.ada, 8), (cast.ben, 1)], secret: 1, adding: 0x73, to: adaAdds)
    let cleoRemovesBen = signed(by: cast.cleo, [(cast.ada, 7), (cast.cleo, 1)], secret: 4, removing: ben)
    // Cleo removes Ben, who is senior, and is removed by Ben at the same time.
    let benRemovesCleo = signed(
        by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], secret: 5, removing: base.members[2])
    // Ben promotes a device after another roster has removed Ben.
    var benPromotes = signed(by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], secret: 1)
    benPromotes.members.append(cast.admin(cast.fay, "fay", seat: 9, by: cast.ben))
    var fayAdds = signed(
        by: cast.fay, [(cast.ada, 7), (cast.ben, 1), (cast.fay, 1)], secret: 1, adding: 0x74, to: benPromotes)
    fayAdds.issued += 1
    return [
        headsScenario(
            "removed-admin-after", held: adaRemovesBen, given: benAdds, staying: .held,
            "What a removed admin did at the same time comes after the removal: it does not count."),
        headsScenario(
            "removed-admin-before", held: benAdds, given: adaRemovesBen, staying: .given,
            "The same in the other order gives the same."),
        headsScenario(
            "mutual-removal", held: adaRemovesBen, given: benRemovesAda, staying: .held,
            "Two remove each other: the founder's roster stays."),
        headsScenario(
            "mutual-removal-the-other-way", held: benRemovesAda, given: adaRemovesBen, staying: .given,
            "The same in the other order gives the same."),
        headsScenario(
            "mutual-removal-by-issuer", held: cleoRemovesBen, given: benRemovesCleo, staying: .given,
            "Ben made Cleo an admin, so Ben's way to the founder is shorter, and Ben's roster stays."),
        headsScenario(
            "removed-admin-exposes", held: [benGoesOn], given: [(adaAdds, "setAside"), (cleoRemovesBen, "forked")],
            [adaAdds, cleoRemovesBen],
            "Ada's roster was superseded by one of Ben, who turns out to be removed: it is a head again."),
        headsScenario(
            "removed-admin-exposes-the-other-way", held: [cleoRemovesBen],
            given: [(benGoesOn, "setAside"), (adaAdds, "forked")],
            [adaAdds, cleoRemovesBen], "The same in another order gives the same."),
        headsScenario(
            "removed-admin-taken-over", held: [adaRemovesBen], given: [(benAdds, "setAside"), (cleoGoesOn, "forked")],
            [adaRemovesBen, cleoGoesOn], "A third admin has gone on from what the removed one did: that stays."),
        headsScenario(
            "remover-removed", held: [cleoRemovesBen],
            given: [
                (benAdds, "setAside"),
                (signed(by: cast.ada, [(cast.ada, 8)], secret: 6, removing: base.members[2]), "forked"),
            ],
            [benAdds, signed(by: cast.ada, [(cast.ada, 8)], secret: 6, removing: base.members[2])],
            "Who removed Ben is removed: what Ben did counts again."),
        headsScenario(
            "through-removed-admin", held: adaRemovesBen, given: fayAdds, staying: .held,
            "The signer is an admin by the word of one who was removed."),
    ]
}
