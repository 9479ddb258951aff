import PortolanCrypto

/// Whole sessions with a request; assembled by hand, except Noise and the sealing of records.
func requestedSessionScenarios() throws -> [Scenario] {
    var opening = TalkOpening.open
    opening.initiatorJSON["capabilities"] = ["stays"]
    opening.responderJSON["capabilities"] = ["serves", "stays"]
    return [
        try Talk(.initiator(), .responder(), opening: opening).session(
            "requested", suite: 1,
            "The initiator lists what the responder has, and gets a folder and a file on lanes of their own.",
            requestedSession),
        try requestedTeamSession(),
    ]
}

private func requestedSession(_ talk: SessionTalk) -> [String: Any] {
    let (folder, file) = (Array(fixedBytes(0x10).prefix(16)), Array(fixedBytes(0x20).prefix(16)))
    let notes = Say.item("notes", "public.folder", Proto.field(3, 2) + Proto.field(5, "notes") + Proto.field(6, 1))
    let bravo = Say.item(
        "bravo", "public.utf8-plain-text", Proto.field(3, 2) + Proto.field(4, 6) + Proto.field(5, "bravo.txt"))
    talk.initiator(Say.hello(nil, capabilities: 4))
    talk.responder(Say.hello(nil, capabilities: 6))
    talk.initiator(Proto.field(20, Proto.field(1, 1) + Proto.field(3, 2)))
    talk.initiator(Say.request(2, Array(fixedBytes(0x30).prefix(16))))
    talk.responder(Proto.field(23, Proto.field(1, 2) + Proto.field(2, 1)))
    talk.responder(Say.listing(1, [(folder, notes), (file, bravo)]))

    // A folder on lane 0, which the responder asks for, and ends.
    talk.initiator(Say.request(3, folder))
    talk.responder(Say.offer([notes], request: 3))
    talk.initiator(Say.answer([Say.take(0, lanes: 1)]))
    talk.responder(Proto.field(48, [UInt8]()))
    talk.openLane(of: .responder, number: 0)
    talk.responder(Say.begin(1, item: 0, channel: 2, "notes", size: nil))
    let entries = [TreeBytes.folder(0, name: ""), TreeBytes.whole(1, name: "a.txt", "alpha"), TreeBytes.mark]
    talk.onLane(TreeBytes.record(entries), type: 4)
    talk.responder(Say.end(1, entries: 2, bytes: 5, lanes: [0]))
    talk.initiator(Say.stored(0, "notes", bytes: 5, entries: 2))
    talk.onLane([], type: 3)

    // A file on lane 1.
    talk.initiator(Say.request(4, file))
    talk.responder(Say.offer([bravo], id: 2, request: 4))
    talk.initiator(Say.answer([Say.take(0, lanes: 1)], offer: 2))
    talk.responder(Proto.field(48, Proto.field(1, 1)))
    talk.openLane(of: .responder, number: 1)
    talk.responder(Say.begin(2, offer: 2, item: 0, channel: 2, "bravo.txt", size: 6))
    talk.onLane(TreeBytes.record([TreeBytes.whole(0, name: "", "bravo\n"), TreeBytes.mark], transfer: 2), type: 4)
    talk.responder(Say.end(2, entries: 1, bytes: 6, lanes: [1]))
    talk.initiator(Say.stored(0, "bravo.txt", offer: 2, bytes: 6, entries: 1))
    talk.onLane([], type: 3)
    talk.responderEnds()
    talk.initiatorEnds()
    return [
        "received": [
            ["files": ["a.txt": hex(Array("alpha".utf8))]], ["files": ["": hex(Array("bravo\n".utf8))]],
        ] as [[String: Any]]
    ]
}

private func requestedTeamSession() throws -> Scenario {
    let (initiator, responder) = (Party.initiator(), Party.responder())
    let team = try SessionTeam(founder: initiator)
    let held = team.adding(
        try responder.deviceKey().publicKey.bytes, responder.name, seat: 2, to: team.first)
    let nonce = Array(fixedBytes(0x40).prefix(16))
    var opening = TalkOpening.team(
        secret: held.secret, nonce: nonce,
        door: ["allows_open": false, "team_secrets": [hex(held.secret)], "nonces": [hex(nonce)]])
    opening.initiatorJSON["rosters"] = [held.json()]
    opening.responderJSON["rosters"] = [held.json()]
    opening.initiatorJSON["capabilities"] = ["serves"]
    let text = Array("for us".utf8)
    let id = Array(fixedBytes(0x10).prefix(16))
    let item = Say.item(
        "a note", "public.utf8-plain-text",
        Proto.field(2, 1) + Proto.field(3, 1) + Proto.field(4, 6) + Proto.field(7, Proto.field(1, team.id)))
    return try Talk(initiator, responder, opening: opening).session(
        "requested-team", suite: 1, "The responder lists what the initiator has for its team, and takes it."
    ) { talk in
        talk.initiator(Say.hello(team.id, digest: digest(of: [held]), capabilities: 2))
        talk.responder(Say.hello(team.id, digest: digest(of: [held])))
        talk.responder(Proto.field(20, Proto.field(1, 1)))
        talk.initiator(Say.listing(1, [(id, item)]))
        talk.responder(Say.request(2, id))
        talk.initiator(Say.offer([item], request: 2))
        talk.responder(Proto.field(3, Proto.field(1, 1)))
        talk.responder(Say.answer([Say.take(0)]))
        talk.initiator(Say.begin(1, item: 0, channel: 1, "note.txt", size: 6))
        talk.initiator(PayloadBytes.header(transfer: 1, entry: 0, offset: 0) + text, type: 2)
        talk.initiator(Say.end(1, entries: 0, bytes: 6, lanes: []))
        talk.responder(Say.stored(0, "", bytes: 6, entries: 0))
        talk.initiatorEnds()
        talk.responderEnds()
        return ["heads": [hex(held.bytes)], "received": [["data": hex(text)]]]
    }
}
