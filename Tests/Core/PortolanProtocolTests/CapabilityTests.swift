import Foundation
import PortolanProtocol
import TestSupport
import Testing

@Suite struct CapabilityTests {
    private static let item = ItemID([UInt8](repeating: 7, count: 16))

    /// Returns the kind of violation that a side of these capabilities finds in a message.
    private func refused(_ message: Message, by capabilities: Capabilities) -> ProtocolViolation.Kind? {
        violation { try capabilities.check(message) }
    }

    @Test func offersAndQuestionsNeedTheCapability() throws {
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

    @Test func messagesAboutAnOfferNeedNoCapability() throws {
        for message in try MessageTests.samples() {
            switch message {
            case .offer, .list, .request: continue
            case _ where message.route == .syncing: #expect(refused(message, by: [.takes]) == .unexpected)
            default: #expect(refused(message, by: []) == nil)
            }
        }
    }

    @Test func capabilitiesOfALaterVersionArePassedOver() throws {
        // Field 2 of the Hello inside field 16: 5 and 2048.
        let hello: [UInt8] = [0x82, 0x01, 3, 2 << 3, 0x85, 0x10]
        guard case .hello(let read) = try Message(decoding: hello) else { throw VectorError("No Hello") }
        #expect(read.capabilities == [.takes, .stays])
        #expect(read == (try Message.Hello(teams: [], capabilities: [.takes, .stays])))
    }

    /// SESSION.md 5.13.
    @Test func versionsOfFoldersKeptAlikeAreNumbersOfTheirOwn() throws {
        #expect(Capabilities.syncs.rawValue == 1024 && Capabilities.syncs.syncVersions == [8])
        for version in 1...8 {
            let said = Capabilities(rawValue: 4 << UInt64(version))
            let hello = Message.hello(try Message.Hello(teams: [], capabilities: said)).encode()
            guard case .hello(let read) = try Message(decoding: hello) else { throw VectorError("No Hello") }
            #expect(read.capabilities == said && read.capabilities.syncVersions == [version])
            #expect(read.capabilities.contains(.syncs) == (version == 8))
        }
        #expect(Capabilities([.takes, .serves, .stays]).syncVersions.isEmpty)
    }

    @Test func sidesExchangeCapabilities() throws {
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

    @Test func questionsWaitForTheExchangeOfTeams() throws {
        let item = try #require(Self.item)
        let early: [Message] = [
            .offer(try sampleOffer()), .list(Message.List(id: 1, after: [], most: 0)),
            .listing(try Message.Listing(id: 1, items: [], next: [])), .request(Message.Request(id: 1, item: item)),
            .refusal(Message.Refusal(id: 1, reason: .gone)), .laneRequest(0),
        ]
        for message in early {
            var exchange = TeamExchange(own: [], capabilities: [.takes, .serves, .stays])
            _ = exchange.start()
            #expect(violation { _ = try exchange.receive(message) } == .unexpected)
        }
    }

    // MARK: Kinds

    /// The names of the kinds of message in the schema: its lines between the braces of the `oneof`.
    private static func kinds() throws -> Set<String> {
        let schema = try String(
            contentsOf: VectorFile.folder.appending(path: "../portolan.proto").standardizedFileURL, encoding: .utf8)
        let lines = schema.split(separator: "\n").drop { !$0.contains("oneof message {") }.dropFirst()
        return Set(lines.prefix { !$0.contains("}") }.map { String($0.split(separator: " ")[1]) })
    }

    @Test func everyKindOfMessageInTheSchemaHasAVectorAndItsOwnName() throws {
        var names: [String: String] = [:]
        for vector in try VectorFile.all(ofKind: "message") {
            defer { vector.leaveRest() }
            guard let meaning = try vector.optional("meaning"), let kind = meaning.keys.first else { continue }
            names[kind] = try Message(meaning: meaning).name
        }
        #expect(try Set(names.keys) == Self.kinds())
        for (kind, name) in names { #expect(snake(name) == "_" + kind) }
    }
}
