import PortolanProtocol

/// Messages of a requester and its holder, put together by hand.
func questionScenarios() -> [Scenario] {
    QuestionScenario.answered + QuestionScenario.refusedByHolder + QuestionScenario.refusedByRequester
}

private struct QuestionScenario {
    private enum Step {
        case asks([UInt8])
        case answers([UInt8])

        var json: [String: Any] {
            switch self {
            case .asks(let bytes): ["from": "requester", "plaintext": hex(bytes)]
            case .answers(let bytes): ["from": "holder", "plaintext": hex(bytes)]
            }
        }
    }

    private static let item = sampleItem(0xA0).bytes

    private static func list(_ id: UInt64, after: [UInt8] = [], most: UInt64 = 0) -> Step {
        .asks(
            Proto.field(
                20,
                number(id) + (after.isEmpty ? [] : Proto.field(2, after)) + (most == 0 ? [] : Proto.field(3, most))))
    }

    private static func request(_ id: UInt64) -> Step {
        .asks(Proto.field(22, number(id) + Proto.field(2, item)))
    }

    private static func listing(_ id: UInt64, items: Int = 0, next: [UInt8] = []) -> Step {
        let listed = (0..<items).flatMap { place in
            Proto.field(2, Proto.field(1, [UInt8(place)] + item.dropFirst()) + Proto.field(2, offered))
        }
        return .answers(Proto.field(21, number(id) + listed + (next.isEmpty ? [] : Proto.field(3, next))))
    }

    /// - Parameter number: of the offer.
    private static func offer(_ id: UInt64, number: UInt64 = 1) -> Step {
        .answers(Proto.field(1, Proto.field(1, number) + Proto.field(2, offered) + Proto.field(3, id)))
    }

    private static func refusal(_ id: UInt64) -> Step { .answers(Proto.field(23, number(id) + Proto.field(2, 1))) }

    private static func number(_ id: UInt64) -> [UInt8] { id == 0 ? [] : Proto.field(1, id) }

    private static let offered = Proto.field(
        2, Proto.field(1, Proto.field(1, "public.data")) + Proto.field(3, 1))

    private static func scenario(
        _ name: String, _ steps: [Step], _ comment: String, _ outcome: [String: Any]
    ) -> Scenario {
        Scenario(
            "questions-" + name, kind: "questions", comment, ["steps": steps.map(\.json), "outcome": outcome])
    }

    static var answered: [Scenario] {
        func good(_ name: String, _ steps: [Step], unanswered: [UInt64] = [], _ comment: String) -> Scenario {
            scenario(name, steps, comment, ["unanswered": unanswered.map { "\($0)" }])
        }
        return [
            good(
                "in-any-order",
                [list(1), request(2), request(3), list(4), refusal(3), offer(2), refusal(4), listing(1, items: 2)],
                "Two lists and two requests; each kind of answer, and the first question is answered last."),
            good(
                "list-in-parts",
                [
                    list(1, most: 2), listing(1, items: 2, next: [7]), list(2, after: [7], most: 2),
                    listing(2, next: [8]), list(3, after: [8], most: 2), listing(3, items: 1),
                ], "Three parts, the second of which is empty."),
            good(
                "16", (1...16).map { request($0) } + [refusal(9), request(17)],
                unanswered: (1...17).filter { $0 != 9 }, "As many as may be unanswered, and one more for an answer."),
            good(
                "most-is-reached", [list(1, most: 3), listing(1, items: 3, next: [1])], "As many items as wanted."),
            good("nothing-listed", [list(1), listing(1)], "A list of nothing; its place is the question's: none."),
        ]
    }

    static var refusedByHolder: [Scenario] {
        func bad(_ name: String, _ steps: [Step], _ kind: String, _ comment: String) -> Scenario {
            scenario(name, steps, comment, ["by": "holder", "refused": kind])
        }
        return [
            bad("number-twice", [list(4), refusal(4), list(4)], "unexpected", "A number that was used before."),
            bad("number-0-twice", [request(0), refusal(0), request(0)], "unexpected", "The number 0 was used before."),
            bad("number-less", [list(4), request(3)], "unexpected", "A request with a number less than a list's."),
            bad("17", (0...16).map { request($0) }, "limit", "Seventeen questions without an answer."),
        ]
    }

    static var refusedByRequester: [Scenario] {
        func bad(_ name: String, _ steps: [Step], _ kind: String, _ comment: String) -> Scenario {
            scenario(name, steps, comment, ["by": "requester", "refused": kind])
        }
        return [
            bad("listing-of-nothing", [listing(1)], "unexpected", "A Listing that nobody asked for."),
            bad("listing-twice", [list(1), listing(1), listing(1)], "unexpected", "A second Listing."),
            bad("listing-after-refusal", [list(1), refusal(1), listing(1)], "unexpected", "A Listing after all."),
            bad("listing-for-request", [request(1), listing(1)], "unexpected", "A Listing for a Request."),
            bad("offer-for-list", [list(1), offer(1)], "unexpected", "An Offer for a List."),
            bad("offer-of-nothing", [list(1), offer(2)], "unexpected", "An Offer for a request that was never made."),
            bad(
                "offer-twice", [request(1), offer(1), offer(1, number: 2)], "unexpected",
                "Two offers for one request."),
            bad("refusal-of-nothing", [request(1), refusal(2)], "unexpected", "A Refusal of what nobody asked for."),
            bad("refusal-twice", [request(1), refusal(1), refusal(1)], "unexpected", "A second Refusal."),
            bad(
                "more-than-wanted", [list(1, most: 2), listing(1, items: 3)], "unexpected",
                "Three items where two were wanted."),
            bad(
                "back-to-the-same", [list(1), listing(1, next: [7]), list(2, after: [7]), listing(2, next: [7])],
                "unexpected", "A part that leads back to where it began."),
        ]
    }
}
