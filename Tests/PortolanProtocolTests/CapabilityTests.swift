import PortolanProtocol
import TestSupport
import Testing

@Suite struct CapabilityTests {
    private static let item = ItemID([UInt8](repeating: 7, count: 16))

    /// What a side of these capabilities makes of a message.
    private func refused(_ message: Message, by capabilities: Capabilities) -> ProtocolViolation.Kind? {
        violation { try capabilities.check(message) }
    }

    @Test func onlyASideThatSaysSoGetsOffersAndQuestions() throws {
        let item = try #require(Self.item)
        let offer = Message.offer(try sampleOffer(items: 1))
        let answer = Message.offer(try Offer(id: 1, items: sampleOffer(items: 1).items, request: 1))
        let list = Message.list(Message.List(id: 1, after: [], most: 0))
        let request = Message.request(Message.Request(id: 2, item: item))
        #expect(refused(offer, by: [.serves, .stays]) == .unexpected)
        #expect(refused(offer, by: .takes) == nil)
        #expect(refused(answer, by: []) == nil, "it was asked for")
        for question in [list, request] {
            #expect(refused(question, by: [.takes, .stays]) == .unexpected)
            #expect(refused(question, by: .serves) == nil)
        }
    }

    @Test func whatFollowsFromAnOfferNeedsNoCapability() throws {
        for message in try MessageTests.samples() {
            switch message {
            case .offer, .list, .request: continue
            default: #expect(refused(message, by: []) == nil)
            }
        }
    }

    @Test func capabilitiesOfALaterVersionArePassedOver() throws {
        // Field 2 of the Hello inside field 16.
        let hello: [UInt8] = [0x82, 0x01, 3, 2 << 3, 0x8D, 0x01]
        guard case .hello(let read) = try Message(decoding: hello) else { throw VectorError("No Hello") }
        #expect(read.capabilities == [.takes, .stays])
        #expect(read == (try Message.Hello(teams: [], capabilities: [.takes, .stays])))
    }

    @Test func eachSideLearnsTheOthersCapabilities() throws {
        var one = TeamExchange(own: [], capabilities: [.takes])
        var other = TeamExchange(own: [], capabilities: [.serves, .stays])
        guard case .send(let first)? = one.start().first, case .send(let second)? = other.start().first else {
            throw VectorError("No Hello")
        }
        #expect(one.peerCapabilities.isEmpty)
        #expect(try one.receive(Message(decoding: second.encode())) == [.complete])
        #expect(try other.receive(Message(decoding: first.encode())) == [.complete])
        #expect(one.peerCapabilities == [.serves, .stays] && other.peerCapabilities == .takes)
    }

    @Test func nothingIsAskedBeforeTheTeamsAreThrough() throws {
        let item = try #require(Self.item)
        let early: [Message] = [
            .offer(try sampleOffer()), .list(Message.List(id: 1, after: [], most: 0)),
            .listing(try Message.Listing(id: 1, items: [], next: [])), .request(Message.Request(id: 1, item: item)),
            .refusal(Message.Refusal(id: 1, reason: .gone)), .laneRequest(LaneNumber(round: 0, index: 0)),
        ]
        for message in early {
            var exchange = TeamExchange(own: [], capabilities: [.takes, .serves, .stays])
            _ = exchange.start()
            #expect(violation { _ = try exchange.receive(message) } == .unexpected)
        }
    }

    // MARK: Routes

    /// The route of each kind of message, by its name in the vectors.
    private static let routes: [String: MessageRoute] = [
        "ping": .driver, "pong": .driver, "close": .driver, "lane_request": .driver,
        "answer": .offering, "pending": .offering, "receipt": .offering, "wanted": .offering, "holding": .offering,
        "offer": .receiving, "begin": .receiving, "total": .receiving, "end": .receiving, "export_failed": .receiving,
        "listing": .requesting, "refusal": .requesting, "list": .serving, "request": .serving,
        "hello": .opening, "team_update": .opening, "join_request": .opening, "joined": .opening,
    ]

    @Test func theKindOfAMessageTellsWhereItGoes() throws {
        var seen: Set<String> = []
        for vector in try VectorFile.all(ofKind: "message") {
            defer { vector.leaveRest() }
            guard let meaning = try vector.optional("meaning"), let name = meaning.keys.first else { continue }
            seen.insert(name)
            #expect(try Message(meaning: meaning).route == Self.routes[name], "\(vector.path)")
        }
        #expect(seen == Set(Self.routes.keys), "Every kind has a vector")
    }
}
