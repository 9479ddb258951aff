import PortolanCrypto

/// Whole sessions, one for each kind of opening; assembled by hand, except Noise and the sealing of records.
func sessionScenarios() throws -> [Scenario] {
    let code = "7-walnut-harbor"
    var open = TalkOpening.open
    open.responderJSON["capabilities"] = ["takes"]
    return [
        try Talk(.initiator(), .responder(), opening: open).session(
            "open", suite: 1, "A text, and a folder on a lane, between two devices that share no team.", openSession),
        try teamSession(),
        try Talk(.initiator(), .responder(), opening: .code(code)).session(
            "pairing", suite: 1, "Two devices pair: each says that it has kept the other's key."
        ) { talk in
            talk.responderEnds()
            talk.initiatorEnds()
            return [:]
        },
        try joiningSession(code),
    ]
}

enum Say {
    static func offer(
        _ items: [[UInt8]], id: UInt64 = 1, request: UInt64? = nil, parcel: [UInt8] = []
    ) -> [UInt8] {
        let answers = request.map { Proto.field(3, $0) } ?? []
        let sentWith = parcel.isEmpty ? [] : Proto.field(4, parcel)
        return Proto.field(1, Proto.field(1, id) + items.flatMap { Proto.field(2, $0) } + answers + sentWith)
    }

    static func item(_ title: String, _ type: String, _ more: [UInt8]) -> [UInt8] {
        Proto.field(1, title) + Proto.field(2, Proto.field(1, Proto.field(1, type)) + more)
    }

    /// Takes the first representation of an item.
    static func take(_ item: UInt64, lanes: UInt64 = 0) -> [UInt8] {
        (item == 0 ? [] : Proto.field(1, item)) + Proto.field(2, 0) + (lanes == 0 ? [] : Proto.field(6, lanes))
    }

    static func answer(_ choices: [[UInt8]], offer: UInt64 = 1) -> [UInt8] {
        Proto.field(2, Proto.field(1, offer) + choices.flatMap { Proto.field(2, $0) })
    }

    static func begin(
        _ transfer: UInt64, offer: UInt64 = 1, item: UInt64, channel: UInt64, _ name: String, size: UInt64?
    ) -> [UInt8] {
        let head = Proto.field(1, transfer) + Proto.field(2, offer) + (item == 0 ? [] : Proto.field(3, item))
        return Proto.field(
            4, head + Proto.field(5, channel) + Proto.field(6, name) + (size.map { Proto.field(7, $0) } ?? []))
    }

    static func end(_ transfer: UInt64, entries: UInt64, bytes: UInt64, lanes: [UInt8]) -> [UInt8] {
        Proto.field(
            7,
            Proto.field(1, transfer) + (entries == 0 ? [] : Proto.field(2, entries)) + Proto.field(3, bytes)
                + (lanes.isEmpty ? [] : Proto.field(7, lanes)))
    }

    static func stored(
        _ item: UInt64, _ name: String, offer: UInt64 = 1, bytes: UInt64, entries: UInt64
    ) -> [UInt8] {
        let stored =
            (name.isEmpty ? [] : Proto.field(1, name)) + Proto.field(2, bytes)
            + (entries == 0 ? [] : Proto.field(3, entries))
        return Proto.field(9, Proto.field(1, offer) + (item == 0 ? [] : Proto.field(2, item)) + Proto.field(3, stored))
    }

    static func hello(_ team: [UInt8]?, digest: [UInt8] = [], capabilities: UInt64 = 0) -> [UInt8] {
        let team = team.map { Proto.field(1, Proto.field(1, $0) + Proto.field(2, digest)) } ?? []
        return Proto.field(16, team + (capabilities == 0 ? [] : Proto.field(2, capabilities)))
    }

    static func request(_ id: UInt64, _ item: [UInt8]) -> [UInt8] {
        Proto.field(22, Proto.field(1, id) + Proto.field(2, item))
    }

    /// A complete list, without a following part.
    static func listing(_ id: UInt64, _ items: [(id: [UInt8], item: [UInt8])]) -> [UInt8] {
        let listed = items.flatMap { Proto.field(2, Proto.field(1, $0.id) + Proto.field(2, $0.item)) }
        return Proto.field(21, Proto.field(1, id) + listed)
    }

    static func update(_ team: [UInt8], _ roster: HandRoster) -> [UInt8] {
        let signature = roster.signer.signature(for: Array("portolan/1 roster".utf8) + roster.bytes)
        let head = Proto.field(1, team) + Proto.field(3, 1) + Proto.field(4, roster.bytes)
        return Proto.field(17, head + Proto.field(5, signature) + Proto.field(6, roster.secret))
    }
}

private func openSession(_ talk: SessionTalk) -> [String: Any] {
    let text = Array("hello".utf8)
    let large = Array("bravo\n".utf8)
    talk.initiator(Say.hello(nil))
    talk.responder(Say.hello(nil, capabilities: 1))
    talk.initiator(
        Say.offer([
            Say.item("a note", "public.utf8-plain-text", Proto.field(3, 1) + Proto.field(4, 5)),
            Say.item("notes", "public.folder", Proto.field(3, 2) + Proto.field(5, "notes") + Proto.field(6, 1)),
        ]))
    talk.responder(Proto.field(3, Proto.field(1, 1)))
    talk.responder(Say.answer([Say.take(0), Say.take(1, lanes: 1)]))
    talk.initiator(Say.begin(1, item: 0, channel: 1, "note.txt", size: 5))
    talk.initiator(PayloadBytes.header(transfer: 1, entry: 0, offset: 0) + text, type: 2)
    talk.initiator(Say.end(1, entries: 0, bytes: 5, lanes: []))
    talk.responder(Say.stored(0, "", bytes: 5, entries: 0))
    talk.initiator(Say.begin(2, item: 1, channel: 2, "notes", size: nil))
    talk.openLane()
    talk.onLane(
        TreeBytes.record(
            [
                TreeBytes.folder(0, name: ""), TreeBytes.whole(1, name: "a.txt", "alpha"),
                TreeBytes.file(2, name: "b.txt", size: 6),
            ], transfer: 2), type: 4)
    talk.onLane(PayloadBytes.header(transfer: 2, entry: 2, offset: 0) + large, type: 2)
    talk.onLane(TreeBytes.record([TreeBytes.end(2, size: 6, sent: 6), TreeBytes.mark], transfer: 2), type: 4)
    talk.initiator(Say.end(2, entries: 3, bytes: 11, lanes: [0]))
    talk.responder(Say.stored(1, "notes", bytes: 11, entries: 3))
    talk.onLane([], type: 3)
    talk.initiatorEnds()
    talk.responderEnds()
    return [
        "received": [
            ["data": hex(text)],
            ["files": ["a.txt": hex(Array("alpha".utf8)), "b.txt": hex(large)]] as [String: Any],
        ] as [[String: Any]]
    ]
}

/// A team of the two sides, signed by its founder.
struct SessionTeam {
    let id: [UInt8]
    let first: HandRoster
    private let founder: DeviceKey

    init(founder: Party) throws {
        self.founder = try founder.deviceKey()
        let salt = Array(fixedBytes(0x5A).prefix(16))
        let key = self.founder.publicKey.bytes
        id = Array(sha256([Array("portolan/1 team".utf8), key, salt]).prefix(16))
        let statement = Array("portolan/1 admin".utf8) + id + key + HandRoster.seat(0x81)
        let admin = HandRoster.Admin(
            seat: HandRoster.seat(0x81), issuer: key, voucher: self.founder.signature(for: statement))
        first = HandRoster(
            founder: key, salt: salt, clock: [(self.founder, 1)],
            members: [.init(key: key, name: founder.name, seat: HandRoster.seat(1), admin: admin)],
            secret: fixedBytes(0xC0), signer: self.founder)
    }

    func adding(_ key: [UInt8], _ name: String, seat: UInt8, to roster: HandRoster) -> HandRoster {
        var roster = roster
        roster.clock = [(founder, roster.clock[0].count + 1)]
        roster.members.append(.init(key: key, name: name, seat: HandRoster.seat(seat)))
        return roster
    }
}

private func teamSession() throws -> Scenario {
    let (initiator, responder) = (Party.initiator(), Party.responder())
    let team = try SessionTeam(founder: initiator)
    let held = team.adding(
        try responder.deviceKey().publicKey.bytes, responder.name, seat: 2, to: team.first)
    let newer = team.adding(fixedBytes(0xD0), "Dora’s laptop", seat: 3, to: held)
    let nonce = Array(fixedBytes(0x40).prefix(16))
    var opening = TalkOpening.team(
        secret: held.secret, nonce: nonce,
        door: ["allows_open": false, "team_secrets": [hex(held.secret)], "nonces": [hex(nonce)]])
    opening.initiatorJSON["rosters"] = [newer.json()]
    opening.responderJSON["rosters"] = [held.json()]
    opening.responderJSON["capabilities"] = ["takes"]
    let text = Array("for us".utf8)
    return try Talk(initiator, responder, opening: opening).session(
        "team", suite: 1, "A member brings another the newer roster, and offers it something that is for the team."
    ) { talk in
        talk.initiator(Say.hello(team.id, digest: digest(of: [newer])))
        talk.responder(Say.hello(team.id, digest: digest(of: [held]), capabilities: 1))
        talk.initiator(Say.update(team.id, newer))
        talk.responder(Say.update(team.id, held))
        let restriction = Proto.field(2, 1) + Proto.field(3, 1) + Proto.field(4, 6)
        talk.initiator(
            Say.offer([
                Say.item(
                    "a note", "public.utf8-plain-text", restriction + Proto.field(7, Proto.field(1, team.id)))
            ]))
        talk.responder(Say.answer([Say.take(0)]))
        talk.initiator(Say.begin(1, item: 0, channel: 1, "note.txt", size: 6))
        talk.initiator(PayloadBytes.header(transfer: 1, entry: 0, offset: 0) + text, type: 2)
        talk.initiator(Say.end(1, entries: 0, bytes: 6, lanes: []))
        talk.responder(Say.stored(0, "", bytes: 6, entries: 0))
        talk.initiatorEnds()
        talk.responderEnds()
        return ["heads": [hex(newer.bytes)], "received": [["data": hex(text)]]]
    }
}

private func joiningSession(_ code: String) throws -> Scenario {
    let (initiator, responder) = (Party.initiator(), Party.responder())
    let team = try SessionTeam(founder: responder)
    let joined = team.adding(
        try initiator.deviceKey().publicKey.bytes, initiator.name, seat: 2, to: team.first)
    var opening = try TalkOpening.code(code, purpose: "joining")
    opening.responderJSON["rosters"] = [team.first.json()]
    return try Talk(initiator, responder, opening: opening).session(
        "joining", suite: 1, "The founder of a team takes another device into it."
    ) { talk in
        talk.initiator(Proto.field(18, Proto.field(1, initiator.name)))
        talk.responder(Say.update(team.id, joined))
        talk.initiator(Proto.field(19, [UInt8]()))
        talk.initiatorEnds()
        talk.responderEnds()
        return ["heads": [hex(joined.bytes)]]
    }
}
