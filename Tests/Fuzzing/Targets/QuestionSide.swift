import PortolanProtocol

/// Lists and requests of one side of a session, in both directions: it has sent some questions, and answers all at
/// once.
struct QuestionSide {
    private static let item: ItemID = {
        guard let item = ItemID([UInt8](repeating: 7, count: ItemID.length)) else { fatalError("16 bytes") }
        return item
    }()

    private let capabilities: Capabilities
    private var requesting = RequestingMachine()
    private var serving = ServingMachine()

    init(capabilities: Capabilities) {
        self.capabilities = capabilities
        for place in 0..<4 {
            let message: Message =
                place.isMultiple(of: 2)
                ? .list(requesting.list(after: [UInt8(place)], most: place)) : .request(requesting.request(Self.item))
            requireReadable(message)
        }
    }

    /// Checks an offer before other code handles it.
    mutating func check(_ offer: Offer) throws(ProtocolViolation) {
        try capabilities.check(.offer(offer))
        if let request = offer.request { try requesting.receiveOffer(answering: request) }
    }

    /// Handles a question, an answer, or a message for no machine of this side.
    ///
    /// - Returns: true if the session continues.
    mutating func take(_ message: Message) throws(ProtocolViolation) -> Bool {
        try capabilities.check(message)
        switch message {
        case .listing(let listing): try requesting.receive(listing)
        case .refusal(let refusal): try requesting.receive(refusal)
        case .list(let list):
            try serving.receive(list)
            answer(list)
        case .request(let request):
            try serving.receive(request)
            serving.answered(request.id)
            requireReadable(.refusal(Message.Refusal(id: request.id, reason: .gone)))
        case .ping(let id): requireReadable(.pong(id: id))
        case .pong, .laneRequest: break
        case .close: return false
        default: throw ProtocolViolation(.unexpected, "Nothing that could come here.")
        }
        require(requesting.unanswered <= Limits.questions && serving.unanswered == 0, "More questions than there are")
        return true
    }

    private mutating func answer(_ list: Message.List) {
        let entries = Self.entries
        let count = Message.Listing.count(fitting: entries, most: list.most)
        require(count <= (list.most == 0 ? Limits.items : list.most), "More than was wanted")
        let listing = valid { try Message.Listing(id: list.id, items: Array(entries.prefix(count)), next: list.after) }
        requireReadable(.listing(listing))
        serving.answered(list.id)
    }

    private static let entries: [Message.Listing.Entry] = valid {
        let representation = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), channel: .data, source: [UInt8](repeating: 1, count: 16))
        let item = try OfferedItem(title: String(repeating: "t", count: 1024), representations: [representation])
        return (0..<40).compactMap { place in
            ItemID([UInt8(place >> 8), UInt8(place & 255)] + [UInt8](repeating: 7, count: 14))
                .map { Message.Listing.Entry(id: $0, item: item) }
        }
    }
}
