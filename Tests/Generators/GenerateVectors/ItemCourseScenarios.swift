/// The states of an item (TRANSFER.md 6.9): each message in each state in which it may not come, and the ways through
/// the states. All items are data and have two representations.
func itemCourses() -> [Scenario] {
    (refusedBySender + refusedByReceiver).map { name, steps, kind, comment in
        Scenario.course("item-" + name, steps, refused: kind, comment)
    }
        + ways.map { name, steps, comment in Scenario.course("item-" + name, steps, comment) }
        + crossings.map { name, steps, comment in Scenario.course("item-" + name, steps, by: "responder", comment) }
}

// MARK: - Messages

private let takes: UInt64 = 1
private let hellos: [CourseStep] = [
    .initiator(Say.hello(nil)), .responder(Say.hello(nil, capabilities: takes)),
]

private func form(_ type: String) -> [UInt8] {
    Proto.field(2, Proto.field(1, Proto.field(1, type)) + Proto.field(3, 1) + Proto.field(4, 5))
}

private let page = Proto.field(1, "a page") + form("public.html") + form("public.utf8-plain-text")

private func offer(_ items: [[UInt8]], id: UInt64 = 1, parcel: [UInt8] = []) -> CourseStep {
    .initiator(Say.offer(items, id: id, parcel: parcel))
}

private func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { value == 0 ? [] : Proto.field(field, value) }

private func take(_ item: UInt64, _ representation: UInt64 = 0, _ more: [UInt8] = []) -> [UInt8] {
    number(1, item) + Proto.field(2, representation) + more
}

private func decline(_ item: UInt64) -> [UInt8] { number(1, item) + Proto.field(3, Proto.field(1, 1)) }

private func answer(_ choices: [UInt8]..., offer: UInt64 = 1) -> CourseStep {
    .responder(Say.answer(choices, offer: offer))
}

private func pending(offer: UInt64 = 1) -> CourseStep { .responder(Proto.field(3, Proto.field(1, offer))) }

private func begin(
    _ transfer: UInt64, _ item: UInt64, _ representation: UInt64 = 0, offer: UInt64 = 1
) -> CourseStep {
    let place = Proto.field(2, offer) + number(3, item) + number(4, representation)
    return .initiator(
        Proto.field(4, Proto.field(1, transfer) + place + Proto.field(5, 1) + Proto.field(6, "n") + Proto.field(7, 5)))
}

private func data(_ transfer: UInt32) -> CourseStep {
    .initiator(PayloadBytes.header(transfer: transfer, entry: 0, offset: 0) + Array("hello".utf8), type: 2)
}

private func end(_ transfer: UInt64) -> CourseStep {
    .initiator(Say.end(transfer, entries: 0, bytes: 5, lanes: []))
}

/// - Parameter failure: of the source.
private func end(_ transfer: UInt64, failure: UInt64) -> CourseStep {
    .initiator(Proto.field(7, Proto.field(1, transfer) + Proto.field(4, failure)))
}

private func notProduced(_ item: UInt64, _ representation: UInt64 = 0, offer: UInt64 = 1) -> CourseStep {
    .initiator(
        Proto.field(8, Proto.field(1, offer) + number(2, item) + number(3, representation) + Proto.field(4, 1)))
}

private func stored(_ item: UInt64, offer: UInt64 = 1) -> CourseStep {
    .responder(Say.stored(item, "", offer: offer, bytes: 5, entries: 1))
}

private func failed(_ item: UInt64) -> CourseStep {
    .responder(Proto.field(9, Proto.field(1, 1) + number(2, item) + Proto.field(4, Proto.field(1, 5))))
}

private let ends: [CourseStep] = [.initiatorEnds, .responderEnds]

// MARK: - Beginnings

/// Two items are offered.
private let offered = hellos + [offer([page, page])]
/// The first item is being produced, the second is queued.
private let taken = offered + [answer(take(0), take(1))]
private let sending = taken + [begin(1, 0)]
/// The first item was sent whole, the second is being produced.
private let sent = sending + [data(1), end(1)]
private let broken = sending + [end(1, failure: 2)]
private let unavailable = taken + [notProduced(0)]
/// The one item was taken.
private let one = hellos + [offer([page]), answer(take(0))]
private let parcel = Array(fixedBytes(0x60).prefix(16))
private let inline = page + Proto.field(4, Proto.field(2, "n") + Proto.field(4, "hello"))
private let tookInline = hellos + [offer([inline, page]), answer(take(0, 0, Proto.field(7, 1)), take(1))]

// MARK: - What is refused

private typealias Refused = (name: String, steps: [CourseStep], kind: String, comment: String)

private let refusedBySender: [Refused] = [
    ("unanswered-stored", offered + [stored(0)], "unexpected", "A stored Receipt before the Answer."),
    ("unanswered-failed", offered + [failed(0)], "unexpected", "A failed Receipt before the Answer."),
    ("queued-stored", taken + [stored(1)], "unexpected", "A stored Receipt for an item whose turn has not come."),
    ("queued-taken", taken + [answer(take(1, 1))], "unexpected", "Another choice of an item that is queued."),
    ("queued-declined", taken + [answer(decline(1))], "unexpected", "A decline of an item that was taken."),
    ("producing-stored", taken + [stored(0)], "unexpected", "A stored Receipt before Begin."),
    ("producing-taken", taken + [answer(take(0, 1))], "unexpected", "Another choice before Begin."),
    ("sending-stored", sending + [stored(0)], "unexpected", "A stored Receipt before End."),
    ("sending-taken", sending + [answer(take(0, 1))], "unexpected", "Another choice before End."),
    ("sending-declined", sending + [answer(decline(0))], "unexpected", "A decline before End."),
    (
        "not-produced-stored", unavailable + [stored(0)], "unexpected",
        "A stored Receipt for an item that could not be produced."
    ),
    (
        "not-produced-same-again", unavailable + [answer(take(0))], "unexpected",
        "The representation that could not be produced is taken again."
    ),
    (
        "not-produced-stored-before",
        hellos + [
            offer([page + Proto.fixed(5, 1)], parcel: parcel), answer(take(0)), notProduced(0),
            answer(take(0, 1, Proto.field(8, Proto.field(2, 5)))),
        ], "unexpected", "A later Answer says that the item was stored before."
    ),
    ("sent-declined", sent + [answer(decline(0))], "unexpected", "A decline of an item that was sent whole."),
    ("sent-same-again", sent + [answer(take(0))], "unexpected", "The representation that was sent is taken again."),
    ("broken-stored", broken + [stored(0)], "unexpected", "A stored Receipt for an item that ended with a failure."),
    ("broken-declined", broken + [answer(decline(0))], "unexpected", "A decline of an item that was begun."),
    (
        "third-choice-as-first",
        unavailable + [
            answer(take(0, 1)), begin(1, 1), end(1, failure: 2), notProduced(0, 1),
            answer(take(0)),
        ], "unexpected", "After the second representation the first one is taken again."
    ),
    ("settled-failed", sent + [stored(0), failed(0)], "unexpected", "A failed Receipt behind a stored one."),
    (
        "settled-taken", sent + [stored(0), answer(take(0, 1))], "unexpected",
        "Another choice of an item that is stored."
    ),
    ("receipt-of-no-item", sent + [stored(2)], "bad_index", "A Receipt for an item that was not offered."),
    ("receipt-of-other-offer", sent + [stored(0, offer: 2)], "bad_index", "A Receipt for an offer that was not made."),
    ("pending-twice", offered + [pending(), pending()], "unexpected", "A second Pending."),
    ("pending-after-answer", taken + [pending()], "unexpected", "A Pending behind the Answer."),
    ("pending-of-other-offer", offered + [pending(offer: 2)], "bad_index", "A Pending for an offer that was not made."),
    (
        "inline-without-content", offered + [answer(take(0, 0, Proto.field(7, 1)), take(1))], "unexpected",
        "Inline content is taken where there is none."
    ),
    (
        "inline-of-other-representation",
        hellos + [offer([inline]), answer(take(0, 1, Proto.field(7, 1)))], "unexpected",
        "Inline content is taken of a representation that has none."
    ),
    ("inline-declined", tookInline + [answer(decline(0))], "unexpected", "Content that was taken inline is declined."),
]

private let refusedByReceiver: [Refused] = [
    ("undecided-begun", offered + [begin(1, 0)], "unexpected", "A Begin before the Answer."),
    ("undecided-not-produced", offered + [notProduced(0)], "unexpected", "An ExportFailed before the Answer."),
    ("undecided-sent", offered + [data(1)], "unexpected", "Content before the Answer."),
    (
        "declined-begun", offered + [answer(take(0), decline(1)), begin(1, 1)], "unexpected",
        "A Begin of an item that was declined."
    ),
    (
        "declined-not-produced", offered + [answer(take(0), decline(1)), notProduced(1)], "unexpected",
        "An ExportFailed of an item that was declined."
    ),
    (
        "taken-begun-otherwise", taken + [begin(1, 0, 1)], "unexpected",
        "A Begin of a representation that was not taken."
    ),
    ("taken-begun-beyond", taken + [begin(1, 0, 2)], "bad_index", "A Begin of a representation that there is not."),
    ("no-item-begun", taken + [begin(1, 2)], "bad_index", "A Begin of an item that there is not."),
    ("other-offer-begun", taken + [begin(1, 0, offer: 2)], "unexpected", "A Begin for an offer that was not answered."),
    ("begun-with-number-2", taken + [begin(2, 0)], "unexpected", "The first transfer has the number 2."),
    ("begun-with-number-again", sent + [begin(1, 1)], "unexpected", "The second transfer has the number of the first."),
    ("taken-sent", taken + [data(1)], "unexpected", "Content before Begin."),
    ("taken-ended", taken + [end(1)], "unexpected", "An End before Begin."),
    (
        "taken-not-produced-otherwise", taken + [notProduced(0, 1)], "unexpected",
        "An ExportFailed of a representation that was not taken."
    ),
    (
        "taken-not-produced-beyond", taken + [notProduced(0, 2)], "bad_index",
        "An ExportFailed of a representation that there is not."
    ),
    ("no-item-not-produced", taken + [notProduced(2)], "bad_index", "An ExportFailed of an item that there is not."),
    ("arriving-begun", sending + [begin(2, 0)], "unexpected", "A second Begin before End."),
    ("arriving-other-begun", sending + [begin(2, 1)], "unexpected", "A Begin of another item before End."),
    ("arriving-not-produced", sending + [notProduced(0)], "unexpected", "An ExportFailed behind Begin."),
    (
        "arriving-total", sending + [.initiator(Proto.field(34, Proto.field(1, 1)))], "unexpected",
        "A Total of a transfer that is not on lanes."
    ),
    ("arrived-begun", sent + [begin(2, 0)], "unexpected", "A Begin of an item that has arrived."),
    ("arrived-sent", sent + [data(1)], "unexpected", "Content behind End."),
    ("arrived-ended", sent + [end(1)], "unexpected", "A second End."),
    ("arrived-not-produced", sent + [notProduced(0)], "unexpected", "An ExportFailed behind End."),
    (
        "broken-begun", broken + [begin(2, 0)], "unexpected",
        "A Begin of what ended with a failure, without another choice."
    ),
    ("unavailable-begun", unavailable + [begin(1, 0)], "unexpected", "A Begin behind ExportFailed."),
    ("unavailable-not-produced", unavailable + [notProduced(0)], "unexpected", "A second ExportFailed."),
    (
        "given-up-begun-otherwise", taken + [failed(0), begin(1, 0, 1)], "unexpected",
        "A Begin of a representation that was neither taken nor given up."
    ),
    (
        "given-up-and-settled", taken + [failed(0), notProduced(0), begin(1, 0)], "unexpected",
        "A Begin of an item that was given up, behind its ExportFailed."
    ),
    ("inline-begun", tookInline + [begin(1, 0)], "unexpected", "A Begin of an item that was taken inline."),
    ("second-offer", offered + [offer([page], id: 2)], "unexpected", "An Offer before the last one was answered."),
    ("second-offer-before-begin", taken + [offer([page], id: 2)], "unexpected", "An Offer while items are due."),
    (
        "second-offer-before-receipt", one + [begin(1, 0), data(1), end(1), offer([page], id: 2)], "unexpected",
        "An Offer before the Receipt."
    ),
    (
        "second-offer-while-discarding", one + [begin(1, 0), failed(0), offer([page], id: 2)], "unexpected",
        "An Offer while the content of an item that was given up is still coming."
    ),
    (
        "second-offer-with-number-again",
        one + [begin(1, 0), data(1), end(1), stored(0), offer([page])], "unexpected",
        "A second Offer with the number of the first."
    ),
]

// MARK: - Ways through the states

private let ways: [(String, [CourseStep], String)] = [
    (
        "second-choice-after-export",
        unavailable + [
            answer(take(0, 1)), begin(1, 1), data(1), end(1), stored(1), begin(2, 0, 1), data(2), end(2), stored(0),
        ] + ends,
        "The other representation is taken where the first could not be produced; the other item comes first."
    ),
    (
        "second-choice-after-end",
        one + [begin(1, 0), data(1), end(1), answer(take(0, 1)), begin(2, 0, 1), data(2), end(2), stored(0)] + ends,
        "The other representation is taken after the first has come whole."
    ),
    (
        "second-choice-after-failure",
        one + [begin(1, 0), end(1, failure: 2), answer(take(0, 1)), begin(2, 0, 1), data(2), end(2), stored(0)]
            + ends, "The other representation is taken after the first broke off."
    ),
    (
        "declined-after-export", one + [notProduced(0), answer(decline(0))] + ends,
        "What cannot be produced is declined."
    ),
    ("failed-after-export", one + [notProduced(0), failed(0)] + ends, "What cannot be produced is failed."),
    ("failed-after-failure", one + [begin(1, 0), end(1, failure: 3), failed(0)] + ends, "What broke off is failed."),
    ("failed-after-end", one + [begin(1, 0), data(1), end(1), failed(0)] + ends, "What came whole is not stored."),
    (
        "failed-while-queued", taken + [failed(1), begin(1, 0), data(1), end(1), stored(0)] + ends,
        "An item is given up before its turn, and nothing of it is sent."
    ),
    (
        "failed-while-sending", one + [begin(1, 0), failed(0), end(1, failure: 4)] + ends,
        "An item is given up while it is sent; the sender breaks off, and gets no second Receipt."
    ),
    (
        "offer-after-all-was-given-up", one + [failed(0), offer([page], id: 2), answer(decline(0), offer: 2)] + ends,
        "An Offer after an item was given up of which nothing was sent."
    ),
    ("pending", hellos + [offer([page]), pending(), answer(decline(0))] + ends, "A person is asked, and declines."),
    (
        "inline", tookInline + [stored(0), begin(1, 1), data(1), end(1), stored(1)] + ends,
        "Content that came with the offer is stored while another item is sent."
    ),
]

/// The failed Receipt has crossed what the sender sends next.
private let crossings: [(String, [CourseStep], String)] = [
    (
        "given-up-begun",
        taken + [failed(0), begin(1, 0), data(1), end(1), begin(2, 1), data(2), end(2), stored(1)] + ends,
        "An item that was given up comes nevertheless; it is dropped without a word."
    ),
    (
        "given-up-not-produced", taken + [failed(0), notProduced(0), begin(1, 1), data(1), end(1), stored(1)] + ends,
        "An item that was given up could not be produced."
    ),
    (
        "given-up-broken", taken + [failed(0), begin(1, 0), end(1, failure: 4), failed(1), notProduced(1)] + ends,
        "An item that was given up comes and breaks off."
    ),
]
