import PortolanProtocol

/// Counts of every kind, in messages that may have them.
func countScenarios() throws -> [Scenario] {
    var omissions = Omissions([Omission(path: Array("run/control.sock".utf8), reason: .specialFile)])
    omissions.count(further: 5000, missing: 4000)
    let messages: [(String, String, Message)] = [
        (
            "end-counts", "Most of what is not there is only counted.",
            .end(try Message.End(transfer: 2, entries: 4, bytes: 5, omissions: omissions, lanes: [0]))
        ),
        (
            "receipt-counts", "Every count that a stored item can have.",
            .receipt(
                Message.Receipt(
                    offer: 7, item: 1,
                    outcome: .stored(
                        try StoredItem(
                            name: Array("Photos".utf8), bytes: 1 << 33, entries: 20_001, omissions: omissions,
                            keptEntries: 19_999, keptBytes: 1 << 32, isUpdated: true, surplusEntries: 3))))
        ),
        ("total-nothing", "Nothing was found yet.", .total(try Message.Total(transfer: 3, bytes: 0, isFinal: false))),
    ]
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    }
}

/// Counts that no decoder may take, put together by hand.
func refusedCountScenarios() -> [Scenario] {
    func count(_ kind: UInt64, _ number: UInt64) -> [UInt8] {
        (kind == 0 ? [] : Proto.field(1, kind)) + (number == 0 ? [] : Proto.field(2, number))
    }
    func end(_ counts: [[UInt8]]) -> [UInt8] { Proto.field(7, counts.flatMap { Proto.field(6, $0) }) }
    func stored(_ counts: [[UInt8]]) -> [UInt8] {
        Proto.field(9, Proto.field(3, counts.flatMap { Proto.field(5, $0) }))
    }
    func total(_ counts: [[UInt8]]) -> [UInt8] { Proto.field(34, counts.flatMap { Proto.field(2, $0) }) }
    func refused(_ name: String, _ bytes: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario("message-refused-" + name, kind: "message", comment, ["bytes": hex(bytes), "refused": kind])
    }
    return [
        refused("end-counts-falling", end([count(2, 1), count(1, 2)]), "malformed", "Kinds that do not rise."),
        refused(
            "receipt-counts-twice", stored([count(3, 1), count(3, 1)]), "malformed", "Two counts of one kind."),
        refused("total-counts-of-0", total([count(7, 0)]), "malformed", "A count of 0."),
        refused("end-unknown-count-of-0", end([count(99, 0)]), "malformed", "A count of 0, of a kind nobody knows."),
        refused(
            "end-17-counts", end((1...17).map { count(100 + $0, 1) }), "limit", "One count too many, all unknown."),
        refused(
            "total-beyond", total([count(7, 1 << 63)]), "limit", "More than any file offset can say."),
    ]
}
