/// Messages of two sides without a common team after the handshake: courses that go well, and mistakes that only a
/// state can show. Put together by hand.
func courseScenarios() -> [Scenario] {
    capabilityCourses() + laneRequestCourses() + answerCourses() + endCourses() + itemCourses() + syncCourses()
}

private func good(_ name: String, _ steps: [CourseStep], _ comment: String) -> Scenario {
    .course(name, steps, comment)
}

/// A course whose last step is refused by the side that reads it.
private func bad(_ name: String, _ steps: [CourseStep], _ kind: String, _ comment: String) -> Scenario {
    .course(name, steps, refused: kind, comment)
}

/// Both Hellos.
private func hellos(_ initiator: UInt64, _ responder: UInt64) -> [CourseStep] {
    [.initiator(Say.hello(nil, capabilities: initiator)), .responder(Say.hello(nil, capabilities: responder))]
}

private let takes: UInt64 = 1
private let serves: UInt64 = 2
/// Of a later version.
private let later: UInt64 = 1 << 40

private let note = Say.item("a note", "public.utf8-plain-text", Proto.field(3, 1) + Proto.field(4, 5))
private let file = Say.item("a file", "public.data", Proto.field(3, 2) + Proto.field(4, 6))
private let namedFile = Say.item(
    "a file", "public.data", Proto.field(3, 2) + Proto.field(4, 6) + Proto.field(8, fixedBytes(0x50).prefix(16)))

private func declined(_ item: UInt64 = 0) -> [UInt8] {
    (item == 0 ? [] : Proto.field(1, item)) + Proto.field(3, Proto.field(1, 1))
}

private func laneRequest(_ number: UInt64) -> CourseStep {
    .responder(Proto.field(48, number == 0 ? [] : Proto.field(1, number)))
}

/// All of the first transfer, which is the note.
private let sentNote: [[UInt8]] = [
    Say.begin(1, item: 0, channel: 1, "note.txt", size: 5),
    PayloadBytes.header(transfer: 1, entry: 0, offset: 0) + Array("hello".utf8),
    Say.end(1, entries: 0, bytes: 5, lanes: []),
]

// MARK: - Capabilities

private func capabilityCourses() -> [Scenario] {
    let id = Array(fixedBytes(0x10).prefix(16))
    return [
        good(
            "capabilities-of-later-versions",
            hellos(later, later + takes) + [
                .initiator(Say.offer([note])), .responder(Say.answer([declined()])), .initiatorEnds, .responderEnds,
            ], "Both Hellos say the bit 2^40 of capabilities, which this version does not know and passes over."),
        bad(
            "offer-without-takes", hellos(0, serves) + [.initiator(Say.offer([note]))], "unexpected",
            "An offer that was not requested, to a responder that did not say TAKES."),
        bad(
            "offer-of-responder-without-takes", hellos(0, 0) + [.responder(Say.offer([note]))], "unexpected",
            "An offer that was not requested, to an initiator that did not say TAKES."),
        bad(
            "list-without-serves", hellos(0, takes) + [.initiator(Proto.field(20, Proto.field(1, 1)))], "unexpected",
            "A List to a responder that did not say SERVES."),
        bad(
            "request-without-serves", hellos(0, takes) + [.initiator(Say.request(1, id))], "unexpected",
            "A Request to a responder that did not say SERVES."),
        good(
            "request-while-an-offer-is-open",
            hellos(0, serves) + [
                .initiator(Say.request(1, id)), .responder(Say.offer([note], request: 1)),
                .initiator(Say.request(2, id)), .initiator(Say.answer([Say.take(0)])),
                .responder(sentNote[0]), .responder(sentNote[1], type: 2), .responder(sentNote[2]),
                .initiator(Say.stored(0, "", bytes: 5, entries: 0)),
                .responder(Say.offer([note], id: 2, request: 2)), .initiator(Say.answer([declined()], offer: 2)),
                .initiatorEnds, .responderEnds,
            ], "A Request that comes while an offer of the holder is open is answered when that is settled."),
    ]
}

// MARK: - Lanes that a responder asks for

private func laneRequestCourses() -> [Scenario] {
    /// Up to the Answer that allows two lanes.
    let taken =
        hellos(takes, 0) + [.responder(Say.offer([file])), .initiator(Say.answer([Say.take(0, lanes: 2)]))]
    return [
        good(
            "lane-requests", taken + [laneRequest(0), laneRequest(1), laneRequest(64), laneRequest(2)],
            "Each number is asked for once."),
        bad(
            "lane-request-before-anything-was-taken",
            hellos(takes, 0) + [.responder(Say.offer([file])), laneRequest(0)], "unexpected",
            "A LaneRequest for an offer that was not answered."),
        bad(
            "lane-request-for-data",
            hellos(takes, 0) + [
                .responder(Say.offer([note])), .initiator(Say.answer([Say.take(0, lanes: 2)])), laneRequest(0),
            ], "unexpected", "A LaneRequest where nothing was taken that comes on lanes."),
        bad(
            "lane-request-twice", taken + [laneRequest(0), laneRequest(1), laneRequest(0)], "unexpected",
            "A lane that was asked for before."),
        bad(
            "lane-request-far-below", taken + [laneRequest(0), laneRequest(66), laneRequest(2)], "unexpected",
            "A number that is 64 below one that was asked for."),
        bad(
            "lane-request-of-initiator",
            hellos(0, takes) + [
                .initiator(Say.offer([file])), .responder(Say.answer([Say.take(0, lanes: 2)])),
                .initiator(Proto.field(48, [UInt8]())),
            ], "unexpected", "An initiator connects by itself, and asks for no lane."),
    ]
}

// MARK: - Answers to an offer

private func answerCourses() -> [Scenario] {
    let offered = hellos(0, takes) + [.initiator(Say.offer([note, file]))]
    let asked = Proto.field(1, 1) + Proto.field(2, 0) + Proto.field(4, 1)
    let notOffered = Proto.field(2, 7)
    let (begin, failure) = (
        Say.begin(1, item: 0, channel: 2, "file", size: 6), Proto.field(7, Proto.field(1, 1) + Proto.field(4, 4))
    )
    let wanted = Proto.field(32, Proto.field(1, 1) + Proto.field(3, [UInt8]([1])))
    let receipt = Say.stored(0, "", bytes: 5, entries: 0)
    let parcel = Array(fixedBytes(0x60).prefix(16))
    let wasStored = Proto.field(2, 0) + Proto.field(8, Proto.field(2, 5))
    return [
        bad(
            "answer-incomplete-and-not-offered", offered + [.responder(Say.answer([notOffered]))], "bad_index",
            "A representation that was not offered, in an Answer that says nothing of the second item: choices are judged first."
        ),
        bad(
            "answer-asks-and-not-offered", offered + [.responder(Say.answer([asked, notOffered]))], "unexpected",
            "The first choice asks about what has no source, and the second takes what was not offered: the first counts."
        ),
        bad(
            "answer-of-other-offer-and-incomplete", offered + [.responder(Say.answer([asked], offer: 2))], "bad_index",
            "The number of the offer is judged before the choices."),
        good(
            "answer-stored",
            hellos(0, takes) + [
                .initiator(Say.offer([note + Proto.fixed(5, 1)], parcel: parcel)),
                .responder(Say.answer([wasStored])), .initiatorEnds, .responderEnds,
            ], "An item of a parcel that was stored before: there is no Receipt."),
        bad(
            "answer-stored-without-parcel",
            hellos(0, takes) + [
                .initiator(Say.offer([note])), .responder(Say.answer([wasStored])),
            ], "unexpected", "An item of no parcel, which cannot have been stored before."),
        bad(
            "answer-stored-and-asks",
            hellos(0, takes) + [
                .initiator(Say.offer([namedFile + Proto.fixed(5, 1)], parcel: parcel)),
                .responder(Say.answer([Proto.field(2, 0) + Proto.field(4, 1) + Proto.field(8, Proto.field(2, 6))])),
            ], "unexpected", "An item that was stored before, and is asked about."),
        bad(
            "receipt-after-answer-stored",
            hellos(0, takes) + [
                .initiator(Say.offer([note + Proto.fixed(5, 1), note + Proto.fixed(5, 2)], parcel: parcel)),
                .responder(Say.answer([wasStored, Say.take(1)])), .responder(receipt),
            ], "unexpected", "A Receipt for an item that the Answer said was stored before."),
        bad(
            "answer-again-to-settled",
            offered + [.responder(Say.answer([declined(), declined(1)])), .responder(Say.answer([declined()]))],
            "unexpected", "A second Answer about an item that was declined."),
        bad(
            "receipt-twice",
            hellos(0, takes) + [
                .initiator(Say.offer([note, note])), .responder(Say.answer([Say.take(0), Say.take(1)])),
                .initiator(sentNote[0]), .initiator(sentNote[1], type: 2), .initiator(sentNote[2]),
                .responder(receipt), .responder(receipt),
            ], "unexpected", "A second Receipt for an item, while another item is not settled."),
        good(
            "wanted-for-a-transfer-that-ended",
            hellos(0, takes) + [
                .initiator(Say.offer([file])), .responder(Say.answer([Say.take(0, lanes: 1)])), .initiator(begin),
                .initiator(failure), .responder(wanted),
                .responder(Proto.field(9, Proto.field(1, 1) + Proto.field(4, Proto.field(1, 6)))), .initiatorEnds,
                .responderEnds,
            ], "A Wanted for a transfer that has ended is passed over, although the transfer did not ask."),
        bad(
            "wanted-for-a-transfer-that-does-not-ask",
            hellos(0, takes) + [
                .initiator(Say.offer([namedFile])), .responder(Say.answer([Say.take(0, lanes: 1)])),
                .initiator(begin), .responder(wanted),
            ], "unexpected", "A Wanted for a transfer that is under way and does not ask."),
        bad(
            "wanted-for-no-transfer",
            hellos(0, takes) + [
                .initiator(Say.offer([namedFile])), .responder(Say.answer([Say.take(0, lanes: 1)])),
                .responder(wanted),
            ], "unexpected", "A Wanted for a transfer that has not begun."),
    ]
}

// MARK: - Ends

private func endCourses() -> [Scenario] {
    let offered = hellos(0, takes) + [.initiator(Say.offer([note]))]
    return [
        good(
            "end-crosses-an-offer", offered + [.responderEnds, .initiatorEnds],
            "The receiver ends before it has answered: the offer counts as never made, and the sender ends, too."),
        bad(
            "end-before-a-receipt", offered + [.responder(Say.answer([Say.take(0)])), .responderEnds], "unexpected",
            "The receiver ends before it has said what became of what it took."),
        bad(
            "end-before-what-was-taken", offered + [.responder(Say.answer([Say.take(0)])), .initiatorEnds],
            "unexpected", "The sender ends before it has sent what was taken."),
    ]
}
