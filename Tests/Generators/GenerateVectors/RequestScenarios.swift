import PortolanCrypto
import PortolanProtocol
import PortolanValues

/// Lists and requests, and the lanes that a responder asks for.
func requestMessageScenarios() throws -> [Scenario] {
    let item = sampleItem(0xA0)
    let listed = try sampleOffer().items
    let small = try OfferedItem(
        title: "a note",
        representations: [OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)])
    let messages: [(String, String, Message)] = [
        ("list", "The first part of a list.", .list(Message.List(id: 1, after: [], most: 0))),
        (
            "list-further", "At most 50 items behind a place that the holder has named.",
            .list(Message.List(id: 2, after: Array(fixedBytes(0x10)), most: 50))
        ),
        (
            "list-0", "The number 0, which protobuf leaves away, is a number as any.",
            .list(Message.List(id: 0, after: [], most: 0))
        ),
        (
            "listing", "Two items, the second for groups of a team, and more to come.",
            .listing(
                try Message.Listing(
                    id: 1,
                    items: [.init(id: item, item: listed[0]), .init(id: sampleItem(0xB0), item: listed[1])],
                    next: sampleItem(0xB0).bytes))
        ),
        (
            "listing-nothing", "Nothing is listed, and nothing follows.",
            .listing(try Message.Listing(id: 2, items: [], next: []))
        ),
        (
            "listing-nothing-yet", "A part without items, behind which others follow.",
            .listing(try Message.Listing(id: 3, items: [], next: [0]))
        ),
        ("request", "One item.", .request(Message.Request(id: 3, item: item))),
        (
            "offer-request", "The item that was requested.",
            .offer(try Offer(id: 8, items: [small], request: 3))
        ),
        (
            "offer-request-0", "The item of request 0: a number that is said although it is 0.",
            .offer(try Offer(id: 9, items: [small], request: 0))
        ),
        ("refusal-gone", "It is not there, or not for you.", .refusal(Message.Refusal(id: 4, reason: .gone))),
        ("refusal-busy", "Too much to do.", .refusal(Message.Refusal(id: 5, reason: .busy))),
        ("refusal-unspecified", "No reason.", .refusal(Message.Refusal(id: 6, reason: .unspecified))),
        (
            "lane-request", "A lane of a great number.", .laneRequest(0x0102_0304)
        ),
        (
            "lane-request-first", "The first lane: a number that protobuf leaves away.", .laneRequest(0)
        ),
    ]
    return messages.map { name, comment, message in
        Scenario(
            "message-" + name, kind: "message", comment,
            ["bytes": hex(message.encode()), "meaning": Meaning.of(message)])
    }
}

/// Returns the identifier of a sample item.
func sampleItem(_ label: UInt8) -> ItemID {
    guard let id = ItemID(Array(fixedBytes(label).prefix(16))) else { fatalError("16 bytes are an item's id") }
    return id
}

/// Control records about lists, requests and lanes that no decoder may take, put together by hand.
func refusedRequestMessageScenarios() -> [Scenario] {
    func refused(_ name: String, _ bytes: [UInt8], _ kind: String, _ comment: String) -> Scenario {
        Scenario("message-refused-" + name, kind: "message", comment, ["bytes": hex(bytes), "refused": kind])
    }
    func bytes(_ count: Int, _ first: UInt8 = 0x61) -> [UInt8] { [first] + [UInt8](repeating: 0x61, count: count - 1) }
    func item(_ more: [UInt8] = []) -> [UInt8] {
        Proto.field(2, Proto.field(1, Proto.field(1, "public.data")) + Proto.field(3, 1) + more)
    }
    func listed(_ id: [UInt8], _ item: [UInt8]) -> [UInt8] {
        Proto.field(2, Proto.field(1, id) + Proto.field(2, item))
    }
    func listing(_ entries: [UInt8]) -> [UInt8] { Proto.field(21, Proto.field(1, 1) + entries) }
    return [
        refused(
            "offer-request-two-items",
            Proto.field(1, Proto.field(1, 1) + [item(), item()].flatMap { Proto.field(2, $0) } + Proto.field(3, 4)),
            "malformed", "Two items for one request."),
        refused(
            "list-long-after", Proto.field(20, Proto.field(1, 1) + Proto.field(2, bytes(33))), "limit",
            "A place of 33 bytes."),
        refused(
            "listing-long-next", listing(Proto.field(3, bytes(33))), "limit", "A place of 33 bytes."),
        refused(
            "listing-1025-items", listing((0..<1025).flatMap { _ in Proto.field(2, [UInt8]()) }), "limit",
            "One item too many."),
        refused(
            "listing-item-twice", listing(listed(bytes(16), item()) + listed(bytes(16), item())), "malformed",
            "One item twice."),
        refused("listing-short-id", listing(listed(bytes(15), item())), "malformed", "An item's id of 15 bytes."),
        refused("listing-without-id", listing(Proto.field(2, Proto.field(2, item()))), "malformed", "No item's id."),
        refused(
            "listing-without-item", listing(Proto.field(2, Proto.field(1, bytes(16)))), "malformed", "An id alone."),
        refused(
            "listing-source", listing(listed(bytes(16), item(Proto.field(8, bytes(16))))), "malformed",
            "A source, which only an offer names."),
        refused(
            "listing-inline",
            listing(listed(bytes(16), item() + Proto.field(4, Proto.field(4, "x")))), "malformed",
            "Content, which only an offer brings."),
        refused(
            "listing-own-process", listing(listed(bytes(16), item(Proto.field(2, 3)))), "malformed",
            "What never leaves its process."),
        refused(
            "request-short-id", Proto.field(22, Proto.field(1, 1) + Proto.field(2, bytes(15))), "malformed",
            "An item's id of 15 bytes."),
        refused("request-without-id", Proto.field(22, Proto.field(1, 1)), "malformed", "A request for nothing."),
        refused("reserved-request", Proto.field(24, [UInt8]()), "malformed", "A message number reserved for requests."),
    ]
}
