import PortolanCrypto
import PortolanProtocol
import PortolanValues

/// Messages of devices about the teams they share, and of a device that joins one.
func teamMessageScenarios() throws -> [Scenario] {
    let head = try RosterHead(
        roster: Array("a roster".utf8), signature: fixedBytes(0x80) + fixedBytes(0xA0),
        secret: SecretBytes(copying: fixedBytes(0x40)))
    let leaving = try RosterHead(
        roster: head.roster, signature: head.signature, secret: head.secret,
        leavings: [1, 2].map { [UInt8](repeating: $0, count: 104) })
    let told = try RosterHead(roster: head.roster, signature: head.signature, secret: nil)
    let messages: [(String, String, Message)] = [
        ("hello-empty", "To someone who is in no team of ours.", .hello(try Message.Hello(teams: []))),
        (
            "hello", "The other side is in two teams.",
            .hello(
                try Message.Hello(
                    teams: [
                        TeamDigest(team: sampleTeam(1), digest: fixedBytes(0x20)),
                        TeamDigest(team: sampleTeam(2), digest: fixedBytes(0x40)),
                    ]))
        ),
        (
            "hello-capabilities", "From a side that takes, serves and stays.",
            .hello(try Message.Hello(teams: [], capabilities: [.takes, .serves, .stays]))
        ),
        (
            "team-update", "The second of two heads of a team.",
            .teamUpdate(try Message.TeamUpdate(team: sampleTeam(1), index: 1, count: 2, head: head))
        ),
        (
            "team-update-only", "The only head of a team: its index is a number that protobuf leaves away.",
            .teamUpdate(try Message.TeamUpdate(team: sampleTeam(2), index: 0, count: 1, head: head))
        ),
        (
            "team-update-removed", "The one roster that a removed device is told, without the secret.",
            .teamUpdate(try Message.TeamUpdate(team: sampleTeam(2), index: 0, count: 1, head: told))
        ),
        (
            "team-update-leavings", "The only head of a team, which two members have left.",
            .teamUpdate(try Message.TeamUpdate(team: sampleTeam(2), index: 0, count: 1, head: leaving))
        ),
        (
            "join-request", "Somebody joins under a name with an apostrophe.",
            .joinRequest(Message.JoinRequest(name: try DeviceName("Ada’s laptop")))
        ),
        (
            "join-request-accent-at-end", "The name ends with an accent on a space, which is no white space.",
            .joinRequest(Message.JoinRequest(name: try DeviceName("Ada \u{301}")))
        ),
        ("joined", "It is stored.", .joined),
    ]
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    }
}

/// Returns the identifier of a sample team.
func sampleTeam(_ number: UInt8) throws -> TeamID {
    guard let team = TeamID(bytes: [UInt8](repeating: number, count: 16)) else {
        fatalError("16 bytes are a team's id")
    }
    return team
}

/// Control records about teams that no decoder may take, put together by hand.
func refusedTeamMessageScenarios() -> [Scenario] {
    func refused(_ name: String, _ bytes: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario("message-refused-" + name, kind: "message", comment, ["bytes": hex(bytes), "refused": kind])
    }
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }
    func digest(team: Int = 16, digest: Int = 32) -> [UInt8] {
        Proto.field(1, Proto.field(1, bytes(team)) + Proto.field(2, bytes(digest)))
    }
    func hello(_ teams: [UInt8]) -> [UInt8] { Proto.field(16, teams) }
    func numbered(_ count: Int) -> [UInt8] {
        (0..<count).flatMap {
            Proto.field(1, Proto.field(1, [UInt8($0)] + bytes(15)) + Proto.field(2, bytes(32)))
        }
    }
    func update(
        team: Int = 16, index: UInt64 = 0, count: UInt64 = 1, roster: Int = 8, signature: Int = 64, secret: Int = 32,
        leavings: [Int] = []
    ) -> [UInt8] {
        let numbers = (index == 0 ? [] : Proto.field(2, index)) + (count == 0 ? [] : Proto.field(3, count))
        return Proto.field(
            17,
            Proto.field(1, bytes(team)) + numbers + (roster == 0 ? [] : Proto.field(4, bytes(roster)))
                + Proto.field(5, bytes(signature)) + Proto.field(6, bytes(secret))
                + leavings.flatMap { Proto.field(7, bytes($0)) })
    }
    func request(_ name: String) -> [UInt8] { Proto.field(18, Proto.field(1, name)) }
    func audience(_ visibility: UInt64, _ audience: [UInt8]?) -> [UInt8] {
        let representation =
            Proto.field(1, Proto.field(1, "public.data")) + (visibility == 0 ? [] : Proto.field(2, visibility))
            + Proto.field(3, 1) + (audience.map { Proto.field(7, $0) } ?? [])
        return Proto.field(1, Proto.field(1, 7) + Proto.field(2, Proto.field(2, representation)))
    }
    func group(_ name: String) -> [UInt8] { Proto.field(2, name) }
    let team = Proto.field(1, bytes(16))
    return [
        refused("hello-17-teams", hello(numbered(17)), "limit", "17 teams."),
        refused("hello-team-twice", hello(digest() + digest()), "malformed", "One team twice."),
        refused("hello-short-team", hello(digest(team: 15)), "malformed", "A team's id of 15 bytes."),
        refused("hello-long-digest", hello(digest(digest: 33)), "malformed", "A digest of 33 bytes."),
        refused("hello-without-digest", hello(Proto.field(1, team)), "malformed", "A team without a digest."),
        refused("team-update-long-team", update(team: 17), "malformed", "A team's id of 17 bytes."),
        refused("team-update-index", update(index: 2, count: 2), "malformed", "The third head of two."),
        refused("team-update-no-heads", update(count: 0), "malformed", "The first head of none."),
        refused("team-update-9-heads", update(count: 9), "limit", "The first head of nine."),
        refused("team-update-without-roster", update(roster: 0), "malformed", "A head without a roster."),
        refused("team-update-long-roster", update(roster: 229_377), "limit", "A roster of 229,377 bytes."),
        refused("team-update-short-signature", update(signature: 63), "malformed", "A signature of 63 bytes."),
        refused("team-update-short-secret", update(secret: 31), "malformed", "A secret of 31 bytes."),
        refused("team-update-long-secret", update(secret: 33), "malformed", "A secret of 33 bytes."),
        refused("team-update-short-leaving", update(leavings: [104, 103]), "malformed", "A statement of 103 bytes."),
        refused(
            "team-update-leaving-beside-second", update(index: 1, count: 2, leavings: [104]), "malformed",
            "A statement beside the second head."),
        refused(
            "team-update-65-leavings", update(leavings: [Int](repeating: 104, count: 65)), "limit", "65 statements."),
        refused("join-request-without-name", Proto.field(18, [UInt8]()), "malformed", "Nobody asks to join."),
        refused("join-request-long-name", request(String(repeating: "n", count: 64)), "limit", "A name of 64 bytes."),
        refused("join-request-bidi-in-name", request("Ada\u{202E}"), "malformed", "A name that turns the line around."),
        refused("join-request-space-at-end", request("Ada "), "malformed", "A name that ends with a space."),
        refused(
            "join-request-hidden-space-at-end", request("Ada\u{D4E} "), "malformed",
            "A name that ends with a space, which Unicode counts to the character before it."),
        refused("offer-team-without-audience", audience(1, nil), "malformed", "For a team, but for which?"),
        refused(
            "offer-team-with-groups", audience(1, team + group("design")), "malformed", "For a team, naming groups."),
        refused("offer-group-without-audience", audience(2, nil), "malformed", "For groups, but for which?"),
        refused("offer-group-without-groups", audience(2, team), "malformed", "For no group of a team."),
        refused("offer-group-without-team", audience(2, group("design")), "malformed", "For a group of no team."),
        refused(
            "offer-group-twice", audience(2, team + group("design") + group("Design")), "malformed",
            "One group in two ways of writing."),
        refused("offer-group-with-slash", audience(2, team + group("a/b")), "malformed", "A group that is none."),
        refused(
            "offer-group-with-accented-slash", audience(2, team + group("a/\u{301}b")), "malformed",
            "A slash with an accent is a slash."),
        refused(
            "offer-group-long-name", audience(2, team + group(String(repeating: "g", count: 64))), "limit",
            "A group's name of 64 bytes."),
        refused(
            "offer-65-groups", audience(2, team + (0..<65).flatMap { group("g\($0)") }), "limit", "65 groups."),
        refused("offer-all-with-audience", audience(0, team), "malformed", "For everyone, naming a team."),
    ]
}
