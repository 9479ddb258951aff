/// Questions about folders and their answers: which message may come when, and with which word another one is refused
/// (SYNC.md 7).
func syncCourses() -> [Scenario] {
    (refusals + withoutCapability + limits).map { name, steps, kind, comment in
        Scenario.course("sync-" + name, steps, refused: kind, comment)
    } + courses.map { name, steps, comment in Scenario.course("sync-" + name, steps, comment) }
}

private func hellos(_ initiator: UInt64, _ responder: UInt64) -> [CourseStep] {
    [.initiator(Say.hello(nil, capabilities: initiator)), .responder(Say.hello(nil, capabilities: responder))]
}

private let begun = hellos(SyncBytes.syncs, SyncBytes.syncs)
/// The responder answers lists, too.
private let serving = hellos(SyncBytes.syncs, SyncBytes.syncs + 2)
private let ends: [CourseStep] = [.initiatorEnds, .responderEnds]

/// Questions of the initiator.
private func since(_ question: UInt64, contents: UInt64 = 0) -> CourseStep {
    .initiator(SyncBytes.since(question, contents: contents))
}

private func want(_ request: UInt64) -> CourseStep { .initiator(SyncBytes.want(request)) }

private func list(_ request: UInt64) -> CourseStep { .initiator(Proto.field(20, SyncBytes.number(1, request))) }

/// Answers of the responder.
private func part(_ question: UInt64, _ records: [[UInt8]] = [plain], contents: [[UInt8]] = []) -> CourseStep {
    .responder(SyncBytes.changes(question, records, contents: contents))
}

private func last(_ question: UInt64, _ records: [[UInt8]] = [], contents: [[UInt8]] = []) -> CourseStep {
    .responder(SyncBytes.changes(question, records, last: 9, contents: contents))
}

private func offer(_ request: UInt64, id: UInt64 = 1) -> CourseStep {
    .responder(SyncBytes.contents(for: request, id: id))
}

/// Missing content, or no right to it.
private func gone(_ request: UInt64) -> CourseStep {
    .responder(Proto.field(23, SyncBytes.number(1, request) + Proto.field(2, 1)))
}

private func refusal(_ question: UInt64) -> CourseStep { .responder(SyncBytes.refusal(question)) }

/// Answer of the initiator to an offer.
private func declined(_ offer: UInt64) -> CourseStep {
    .initiator(Say.answer([Proto.field(3, Proto.field(1, 1))], offer: offer))
}

private let plain = SyncBytes.record(1, Array("a".utf8))
private let small: [UInt8] = [1, 2, 3]
private let file = SyncBytes.file(2, "b", small)
private let otherFile = SyncBytes.file(3, "c", [4])

private typealias Refused = (name: String, steps: [CourseStep], kind: String, comment: String)

private let refusals: [Refused] = [
    (
        "before-hello",
        [.responder(Say.hello(nil, capabilities: SyncBytes.syncs)), .initiator(SyncBytes.folders([]))], "unexpected",
        "A SyncFolders before the Hello."
    ),
    (
        "of-another-version", hellos(SyncBytes.syncs, 8) + [.initiator(SyncBytes.folders([]))], "unexpected",
        "A SyncFolders to a side that keeps folders alike by version 1 alone."
    ),
    (
        "of-version-4", hellos(SyncBytes.syncs, 64) + [.initiator(SyncBytes.want(1))], "unexpected",
        "A SyncWant to a side that keeps folders alike by version 4 alone."
    ),
    ("changes-unasked", begun + [last(1)], "unexpected", "A SyncChanges that nobody asked for."),
    (
        "changes-unasked-of-initiator", begun + [.initiator(SyncBytes.changes(1, last: 9))], "unexpected",
        "A SyncChanges of the initiator that nobody asked for."
    ),
    ("offer-unasked", begun + [offer(1)], "unexpected", "An Offer for a SyncWant that nobody sent."),
    ("gone-unasked", begun + [gone(1)], "unexpected", "A Refusal of a SyncWant that nobody sent."),
    ("refusal-unasked", begun + [refusal(1)], "unexpected", "A SyncRefusal of what nobody asked for."),
    ("changes-of-other-number", begun + [since(1), last(2)], "unexpected", "A SyncChanges for another question."),
    ("changes-for-want", begun + [want(1), last(1)], "unexpected", "A SyncChanges for a SyncWant."),
    ("sync-refusal-for-want", begun + [want(1), refusal(1)], "unexpected", "A SyncRefusal for a SyncWant."),
    (
        "listing-for-want", begun + [want(1), .responder(Say.listing(1, []))], "unexpected", "A Listing for a SyncWant."
    ),
    ("offer-for-since", begun + [since(1), offer(1)], "unexpected", "An Offer for a SyncSince."),
    ("gone-for-since", begun + [since(1), gone(1)], "unexpected", "A Refusal for a SyncSince."),
    ("offer-of-other-number", begun + [want(1), offer(2)], "unexpected", "An Offer for another SyncWant."),
    ("changes-after-last", begun + [since(1), last(1), last(1)], "unexpected", "A second last part."),
    ("part-after-last", begun + [since(1), last(1), part(1)], "unexpected", "A part behind the last one."),
    ("changes-after-refusal", begun + [since(1), refusal(1), last(1)], "unexpected", "Changes after all."),
    (
        "offer-twice", begun + [want(1), offer(1), declined(1), offer(1, id: 2)], "unexpected",
        "A second Offer for a SyncWant."
    ),
    ("offer-after-gone", begun + [want(1), gone(1), offer(1)], "unexpected", "An Offer after all."),
    ("gone-after-offer", begun + [want(1), offer(1), gone(1)], "unexpected", "A Refusal after the Offer."),
    ("gone-twice", begun + [want(1), gone(1), gone(1)], "unexpected", "A second Refusal."),
    ("refusal-twice", begun + [since(1), refusal(1), refusal(1)], "unexpected", "A second SyncRefusal."),
    (
        "offer-while-one-is-open", begun + [want(1), want(2), offer(1), offer(2, id: 2)], "unexpected",
        "An Offer while another one has no Answer."
    ),
    (
        "refusal-after-last", begun + [since(1), last(1), refusal(1)], "unexpected",
        "A SyncRefusal of what was answered."
    ),
    ("number-twice", begun + [since(4), last(4), since(4)], "unexpected", "A number that was used before."),
    ("number-0-twice", begun + [since(0), refusal(0), since(0)], "unexpected", "The number 0 was used before."),
    ("number-less", begun + [since(4), since(3)], "unexpected", "A number less than the one before."),
    ("17", begun + (1...17).map { since($0) }, "limit", "Seventeen questions without an answer."),
    ("want-number-twice", begun + [want(4), gone(4), want(4)], "unexpected", "A number of a SyncWant that was used."),
    ("want-number-0-twice", begun + [want(0), gone(0), want(0)], "unexpected", "The number 0 was used before."),
    ("want-number-less", begun + [want(4), want(3)], "unexpected", "A number less than that of another SyncWant."),
    (
        "want-number-of-list", serving + [list(4), want(4)], "unexpected", "A SyncWant with the number of a List."
    ),
    ("list-number-of-want", serving + [want(4), list(4)], "unexpected", "A List with the number of a SyncWant."),
    ("17-wants", begun + (1...17).map { want($0) }, "limit", "Seventeen SyncWants without an answer."),
    (
        "17-with-parts", begun + (1...16).map { since($0) } + (1...16).map { part($0) } + [since(17)], "limit",
        "A part is no answer: sixteen questions wait for their last parts."
    ),
    (
        "contents-unasked", begun + [since(1), last(1, [file], contents: [small])], "unexpected",
        "A content that was not asked for."
    ),
    (
        "contents-unasked-part", begun + [since(1), part(1, [file], contents: [small])], "unexpected",
        "A content that was not asked for, in a part."
    ),
    (
        "contents-unnamed", begun + [since(1, contents: 2), last(1, [otherFile], contents: [small])], "malformed",
        "A content that no record of the answer names."
    ),
    (
        "contents-of-other-size",
        begun + [since(1, contents: 2), last(1, [SyncBytes.file(2, "b", small, size: 4)], contents: [small])],
        "malformed", "A content of another size than its version has."
    ),
    (
        "contents-twice", begun + [since(1, contents: 2), last(1, [file], contents: [small, small])], "malformed",
        "A content twice."
    ),
    (
        "contents-twice-in-parts",
        begun + [since(1, contents: 2), part(1, [file], contents: [small]), part(1, [], contents: [small])],
        "malformed", "A content in two parts."
    ),
    (
        "contents-named-elsewhere",
        begun + [since(1, contents: 2), since(2, contents: 2), part(1, [file]), last(2, [plain], contents: [small])],
        "malformed", "A content that the answer to another question names."
    ),
]

private let withoutCapability: [Refused] = {
    let messages: [(String, [UInt8])] = [
        ("folders", SyncBytes.folders([])), ("since", SyncBytes.since(1)), ("changes", SyncBytes.changes(1, last: 1)),
        ("heard", SyncBytes.heard(1)), ("want", SyncBytes.want(1)),
        ("refusal", SyncBytes.refusal(1)),
    ]
    return messages.map { name, bytes in
        (
            name + "-without-capability", hellos(SyncBytes.syncs, 1) + [.initiator(bytes)], "unexpected",
            "A message about folders to a responder that did not say SYNCS."
        )
    }
}()

private let limits: [Refused] = {
    /// Records, as many as fit, the part first in which there is one more.
    func tooMany(_ name: [UInt8], _ count: Int) -> (part: CourseStep, bytes: Int) {
        let record = Proto.field(3, SyncBytes.record(1, name))
        let head = SyncBytes.number(1, 1) + SyncBytes.replica
        let length = head.count + count * record.count
        let parts: [CourseStep.Part] = [
            .bytes(Proto.varint(66 << 3 | 2) + Proto.varint(UInt64(length)) + head), .repeated(record, count),
        ]
        return (.responder(parts: parts), length)
    }
    let many = tooMany(Array("a".utf8), 256).part
    let large = tooMany([UInt8](repeating: 0x61, count: 255), 225)
    return [
        (
            "32769-records", begun + [since(1), many.times(128), part(1)], "limit",
            "A record too many in all parts of an answer."
        ),
        (
            "8388609-bytes", begun + [since(1), large.part.times(8_388_608 / large.bytes), large.part], "limit",
            "More bytes of records in all parts of an answer than there may be."
        ),
    ]
}()

private let courses: [(String, [CourseStep], String)] = [
    (
        "answers-in-any-order",
        begun + [
            since(1), want(1), since(2), want(2), part(2), gone(2), part(1), last(2), offer(1), last(1), declined(1),
            .initiator(SyncBytes.heard(9)),
        ] + ends,
        "Two questions about one folder, whose parts come by turns, and two SyncWants; each kind has its numbers."
    ),
    (
        "both-directions",
        begun + [
            since(1), .responder(SyncBytes.since(1)), .initiator(SyncBytes.changes(1, last: 3)), last(1),
            .responder(SyncBytes.heard(3)), .initiator(SyncBytes.heard(9)),
        ] + ends, "Both sides ask, and number their questions by themselves."
    ),
    (
        "16-and-one-more", begun + (1...16).map { since($0) } + [part(9), last(9), since(17)] + ends,
        "As many questions as may be unanswered, and one more for an answer; the session ends without the others."
    ),
    (
        "folders-again",
        begun + [
            .initiator(SyncBytes.folders([])), .responder(SyncBytes.folders([(SyncBytes.folder, 1)])),
            .responder(SyncBytes.folders([(SyncBytes.unknown, 1), (SyncBytes.folder, 2)])),
            .responder(SyncBytes.folders([])), .responder(SyncBytes.folders([])),
        ] + ends, "Each SyncFolders replaces the one before; folders may go and come."
    ),
    (
        "heard-beyond",
        begun + [
            .initiator(SyncBytes.heard(5)), .initiator(SyncBytes.heard(4)), .initiator(SyncBytes.heard(1 << 62)),
            .initiator(SyncBytes.heard(5, epoch: 8)), .initiator(SyncBytes.heard(5, of: SyncBytes.unknown)),
        ] + ends,
        "A SyncHeard unasked, of an earlier position, beyond the latest change, of another epoch and of an unknown folder."
    ),
    (
        "replicas-twice",
        begun + [
            since(1),
            .responder(
                Proto.field(
                    66,
                    Proto.field(1, 1) + SyncBytes.replica
                        + Proto.field(2, Proto.field(1, fixedBytes(0x40)) + Proto.fixed(2, 7))
                        + SyncBytes.replica + Proto.field(3, plain) + Proto.field(4, 1) + Proto.fixed(5, 7))),
        ] + ends, "An answer whose replicas hold one that no record names, and one twice."
    ),
    ("nothing-new", begun + [since(1), last(1)] + ends, "An answer without records."),
    (
        "contents-before-records",
        begun + [since(1, contents: 2), part(1, [], contents: [small]), part(1, [otherFile]), last(1, [file])] + ends,
        "A content in a part before that of the record which names it."
    ),
    (
        "contents-left-out", begun + [since(1, contents: 1), last(1, [file, otherFile], contents: [small])] + ends,
        "One of two contents comes along."
    ),
    (
        "wants-of-both-sides",
        begun + [
            want(1), .responder(SyncBytes.want(1)), offer(1), .initiator(SyncBytes.contents(for: 1)), declined(1),
            .responder(Say.answer([Proto.field(3, Proto.field(1, 1))])),
        ] + ends, "Both sides send a SyncWant, and each its Offer; neither said TAKES or SERVES."
    ),
    (
        "offers-one-after-the-other",
        begun + [want(1), want(2), offer(2), declined(1), offer(1, id: 2), declined(2)] + ends,
        "Two SyncWants in any order; the second Offer comes when the first is settled."
    ),
    (
        "16-wants-and-one-more", begun + (1...16).map { want($0) } + [gone(9), want(17)] + ends,
        "As many SyncWants as may be unanswered, and one more for an answer; the session ends without the others."
    ),
    (
        "wants-and-lists",
        serving + [list(1), want(2), list(3), gone(2), .responder(Say.listing(3, [])), .responder(Say.listing(1, []))]
            + ends, "Lists and SyncWants have their numbers together."
    ),
    (
        "folder-asked-before-it-is-told", begun + [since(1), refusal(1), want(1), gone(1)] + ends,
        "Questions before any SyncFolders, which are refused."
    ),
]
