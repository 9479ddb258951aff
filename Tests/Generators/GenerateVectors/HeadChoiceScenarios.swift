import PortolanCrypto

/// Choice among rosters that rule each other out: one vector for each clause of the choice.
func headChoiceScenarios(_ cast: Cast) -> [Scenario] {
    seniorityScenarios(cast)
        + [
            Choice(rules: [(2, 0)], supersedes: [(1, 2)]).scenario(
                cast, "choice-superseded-remover", [0, 1],
                "Roster 2 rules out 0, and is superseded by 1, which does not: all stay, and 2 is no head."),
            Choice(rules: [(0, 1), (2, 0)], supersedes: [(1, 2)]).scenario(
                cast, "choice-undecided-superseder", [0, 1],
                "Roster 2 stays and rules out 0. It waits, because 1 supersedes it and is undecided: 1 stays, and 0 with it."
            ),
            Choice(
                rules: [(0, 3), (1, 5), (2, 1), (3, 1), (3, 4), (4, 3)], supersedes: [(1, 2), (1, 4), (5, 0)]
            ).scenario(
                cast, "choice-ruled-out-superseder", [2, 3, 5],
                "Roster 2 rules out 1, the only one that supersedes it. So 1 is dropped at once, and 5 stays before 3 and 4 are decided."
            ),
            Choice(rules: [(1, 0), (1, 2), (2, 1)]).scenario(
                cast, "choice-reach", [1],
                "Rosters 1 and 2 rule each other out, and 1 rules out 0. Roster 0 is the most senior, and does not reach 1."
            ),
            Choice(rules: [(0, 1), (1, 2), (2, 0), (2, 1)]).scenario(
                cast, "choice-reach-in-steps", [0, 2],
                "Roster 0 reaches 2 by way of 1. It is the most senior in the circle and stays; 1 is dropped, and 2 stays."
            ),
            Choice(rules: [(0, 2), (2, 3), (3, 1)], supersedes: [(3, 0)]).scenario(
                cast, "choice-reach-of-considered", [2, 3],
                "Roster 0 stays, rules out 2, and waits for 3, which supersedes it. Roster 2 is not considered until then, "
                    + "and is passed over in what 3 and 1 are reached by."),
            Choice(rules: [(0, 2), (2, 1), (2, 3), (3, 2)], supersedes: [(1, 0)]).scenario(
                cast, "choice-reach-past-opposed", [1, 2],
                "Roster 0 rules out 2, and waits for 1, which supersedes it. Reach is taken among 1 and 3 alone: 1 stays as the "
                    + "senior one, though 2, which is not considered, rules it out."),
        ] + eightHeads(cast)
}

/// Rosters by number, each signed by another admin; the smaller number is the senior one.
private struct Choice {
    let rules: [(Int, Int)]
    var supersedes: [(Int, Int)] = []

    func scenario(_ cast: Cast, _ name: String, _ heads: [Int], _ comment: String) -> Scenario {
        let count = 1 + (rules + supersedes).flatMap { [$0.0, $0.1] }.max()!
        let rosters = (0..<count).map { roster($0, of: count, cast) }
        let isHead = heads.contains(count - 1)
        let outcome = !isHead ? "setAside" : heads.count == 1 ? "superseded" : "forked"
        return headsScenario(
            name, held: rosters.dropLast(), given: [(rosters[count - 1], outcome)], heads.map { rosters[$0] }, comment)
    }

    private func roster(_ number: Int, of count: Int, _ cast: Cast) -> HandRoster {
        var roster = cast.first()
        roster.signer = cast.others[number]
        let known = [number] + supersedes.filter { $0.0 == number }.map(\.1)
        roster.clock = [(cast.ada, 7)] + known.map { (cast.others[$0], 1) }
        for other in 0..<count {
            let member = cast.admin(cast.others[other], "admin \(other)", seat: UInt8(0x10 + other), by: cast.ada)
            if rules.contains(where: { $0 == (number, other) }) {
                roster.removals.append(.init(seat: member.seat, key: member.key, admin: member.admin))
            } else {
                roster.members.append(member)
            }
        }
        return roster
    }
}

private func seniorityScenarios(_ cast: Cast) -> [Scenario] {
    let (low, high) = (cast.others[0], cast.others[7])
    /// Two admins remove each other.
    func mutual(_ lowIssuer: DeviceKey, highCount: UInt64) -> (byLow: HandRoster, byHigh: HandRoster) {
        let members = [
            cast.admin(low, "low", seat: 0x10, by: lowIssuer), cast.admin(high, "high", seat: 0x11, by: cast.ada),
        ]
        func roster(_ signer: DeviceKey, _ count: UInt64, keeping: Int) -> HandRoster {
            var roster = cast.first()
            roster.signer = signer
            roster.clock = [(cast.ada, 7), (signer, count)]
            roster.members.append(members[keeping])
            let other = members[1 - keeping]
            roster.removals = [.init(seat: other.seat, key: other.key, admin: other.admin)]
            return roster
        }
        return (roster(low, 1, keeping: 0), roster(high, highCount, keeping: 1))
    }
    let chain = mutual(high, highCount: 1)
    let key = mutual(cast.ada, highCount: 5)
    return [
        headsScenario(
            "seniority-chain", held: chain.byLow, given: chain.byHigh, staying: .given,
            "Two remove each other: the shorter chain is senior, though its signer has the greater key."),
        headsScenario(
            "seniority-key", held: key.byHigh, given: key.byLow, staying: .given,
            "Two remove each other, with chains of one length: the smaller key is senior, though its epoch is smaller."),
    ]
}

/// Rosters that admins signed side by side, each with one more device.
func sideBySide(_ cast: Cast, _ signers: [DeviceKey]) -> [HandRoster] {
    signers.enumerated().map { number, signer in
        var roster = cast.first()
        roster.signer = signer
        roster.clock = [(cast.ada, 7), (signer, UInt64(number + 1))]
        roster.members += signers.enumerated().map {
            cast.admin($0.element, "admin \($0.offset)", seat: UInt8(0x10 + $0.offset), by: cast.ada)
        }
        let seat = UInt8(0x20 + number)
        roster.members.append(.init(key: fixedBytes(seat), name: "new \(number)", seat: HandRoster.seat(seat)))
        return roster
    }
}

private func eightHeads(_ cast: Cast) -> [Scenario] {
    let rosters = sideBySide(cast, cast.others)
    return [
        headsScenario(
            "eight", held: rosters.dropLast(), given: [(rosters[7], "forked")], rosters,
            "As many heads as there may be.")
    ]
}
