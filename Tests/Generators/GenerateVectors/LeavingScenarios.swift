import PortolanCrypto

/// Makes the vectors of members that leave (TEAMS.md 8.5.2).
func leavingScenarios(_ cast: Cast) -> [Scenario] {
    let roster = cast.second()
    let ben = roster.members[1]
    func statement(
        _ key: [UInt8], seat: [UInt8], by signer: DeviceKey, of team: [UInt8]? = nil, word: String = "portolan/1 leave"
    ) -> [UInt8] {
        key + seat + signer.signature(for: Array(word.utf8) + (team ?? cast.team) + seat)
    }
    func leaving(_ name: String, _ statement: [UInt8], isTaken: Bool, _ comment: String) -> Scenario {
        var left = roster
        if isTaken { left.members.remove(at: 1) }
        let digest = digest(of: [roster])
        let leavings = Array("portolan/1 team leavings".utf8)
        return Scenario(
            "leaving-" + name, kind: "leaving", comment,
            [
                "held": [roster.json()], "statement": hex(statement), "taken": isTaken, "members": left.view,
                "digest": hex(isTaken ? sha256([leavings, digest, ben.seat]) : digest),
            ])
    }
    return [
        leaving(
            "member", statement(ben.key, seat: ben.seat, by: cast.ben), isTaken: true,
            "An admin leaves by its own word."),
        leaving(
            "forged", statement(ben.key, seat: ben.seat, by: cast.cleo), isTaken: false,
            "Somebody else signs that Ben leaves."),
        leaving(
            "other-seat", statement(ben.key, seat: HandRoster.seat(9), by: cast.ben), isTaken: false,
            "Of a seat that Ben had before he joined anew."),
        leaving(
            "other-key", statement(cast.cleo.publicKey.bytes, seat: ben.seat, by: cast.cleo), isTaken: false,
            "Cleo gives up Ben's seat."),
        leaving(
            "other-team", statement(ben.key, seat: ben.seat, by: cast.ben, of: [UInt8](repeating: 1, count: 16)),
            isTaken: false, "Ben leaves another team."),
        leaving(
            "other-word", statement(ben.key, seat: ben.seat, by: cast.ben, word: "portolan/1 admin"), isTaken: false,
            "The signature is of another statement."),
    ]
}
