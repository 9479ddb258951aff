import PortolanCrypto
import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

@Suite(.aside) struct TeamExchangeTests: RosterSpeaker {
    private typealias Action = TeamExchange.Action

    private func hello(_ teams: (UInt8, [UInt8])...) throws -> Message {
        .hello(try Message.Hello(teams: teams.map { try TeamDigest(team: team($0.0), digest: digest($0.1)) }))
    }

    private func update(
        _ number: UInt8, _ index: UInt32 = 0, of count: UInt32 = 1, _ mark: UInt8 = 1, size: Int = 3
    ) throws -> Message {
        .teamUpdate(try teamUpdate(number, index, of: count, mark, size: size))
    }

    /// Returns an exchange that has sent its Hello.
    private func started(_ own: [SharedTeam] = []) -> TeamExchange {
        var exchange = TeamExchange(own: own, capabilities: [])
        _ = exchange.start()
        return exchange
    }

    // MARK: Both sides

    /// Exchanges all messages of two sides in a random order, and returns the heads that each is to adopt.
    private func run(
        _ one: [SharedTeam], _ other: [SharedTeam], _ random: inout SeededGenerator
    ) throws -> (one: [Action], other: [Action]) {
        var sides = [TeamExchange(own: one, capabilities: []), TeamExchange(own: other, capabilities: [])]
        var inboxes: [[[UInt8]]] = [[], []]
        var taken: [[Action]] = [[], []]
        func perform(_ actions: [Action], by side: Int) {
            for action in actions {
                if case .send(let message) = action {
                    inboxes[1 - side].append(message.encode())
                } else {
                    taken[side].append(action)
                }
            }
        }
        perform(sides[0].start(), by: 0)
        perform(sides[1].start(), by: 1)
        while let side = [0, 1].filter({ !inboxes[$0].isEmpty }).randomElement(using: &random) {
            perform(try sides[side].receive(Message(decoding: inboxes[side].removeFirst())), by: side)
        }
        for (side, exchange) in sides.enumerated() {
            #expect(exchange.isComplete)
            #expect(taken[side].last == .complete)
            #expect(taken[side].count { $0 == .complete } == 1)
            try exchange.endOfInput()
        }
        return (taken[0].dropLast(), taken[1].dropLast())
    }

    @Test func differentHeadsAreExchanged() throws {
        var random = SeededGenerator(seed: 1)
        let (one, other) = try run(
            [shared(1, 10), shared(2, 20), shared(3, 30, 31)], [shared(2, 21), shared(1, 10), shared(4, 40)], &random)
        #expect(one == [.adopt(try team(2), [try head(21)]), .adopt(try team(4), [try head(40)])])
        #expect(other == [.adopt(try team(2), [try head(20)]), .adopt(try team(3), [try head(30), try head(31)])])
    }

    @Test func withoutSharedTeamsOnlyEmptyHellosAreSent() throws {
        var random = SeededGenerator(seed: 2)
        let (one, other) = try run([], [], &random)
        #expect(one.isEmpty && other.isEmpty)
        let hello = started().isComplete
        #expect(!hello)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func eachSideGetsExactlyTheMissingHeads(seed: UInt64) {
        withSeed(seed) { random in
            var sides: [[SharedTeam]] = [[], []]
            var marks: [[UInt8: [UInt8]]] = [[:], [:]]
            for side in 0..<2 {
                for number in 0..<UInt8(16) where random.chance(2) {
                    let own = (0..<(1 + random.below(8))).map { _ in UInt8(random.below(2)) }
                    let heads = try own.map { try head($0) }
                    sides[side].append(SharedTeam(team: try team(number), digest: digest(own), heads: heads))
                    marks[side][number] = own
                }
                sides[side].shuffle(using: &random)
            }
            let (one, other) = try run(sides[0], sides[1], &random)
            for (side, taken) in [one, other].enumerated() {
                let expected = try sides[1 - side].compactMap { sent -> Action? in
                    let number = sent.team.bytes[0]
                    guard let theirs = marks[1 - side][number], digest(theirs) != marks[side][number].map(digest) else {
                        return nil
                    }
                    return .adopt(sent.team, try theirs.map { try head($0) })
                }
                guard taken == expected else { throw VectorError("Side \(side) adopts something else") }
            }
        }
    }

    @Test func teamsBeyondTheLimitAreNotAnnounced() throws {
        let many = try (0..<20).map { try shared($0, 1) }
        var exchange = TeamExchange(own: many, capabilities: [])
        guard case .send(.hello(let hello)) = exchange.start().first else { throw VectorError("No Hello") }
        #expect(try hello.teams.map(\.team) == (0..<16).map { try team($0) })
        // Eight heads of 224 KiB are 1.75 MiB: two such teams fit, a third does not, a small one behind it does.
        func large(_ number: UInt8) throws -> SharedTeam { try shared(number, 1, 2, 3, 4, 5, 6, 7, 8, size: 229_376) }
        exchange = TeamExchange(own: [try large(1), try large(2), try large(3), try shared(4, 1)], capabilities: [])
        guard case .send(.hello(let less)) = exchange.start().first else { throw VectorError("No Hello") }
        #expect(try less.teams.map(\.team) == [team(1), team(2), team(4)])
        var other = started()
        for action in [.send(.hello(less))] + (try exchange.receive(.hello(Message.Hello(teams: [])))) {
            if case .send(let message) = action { _ = try other.receive(Message(decoding: message.encode())) }
        }
        #expect(other.isComplete)
    }

    // MARK: Violations by a peer

    @Test func messageBeforeTheHelloIsRefused() throws {
        let early: [Message] = [
            try update(1), .offer(try sampleOffer()), .pending(Message.Pending(offer: 1)), .joined,
            .joinRequest(Message.JoinRequest(name: try DeviceName("n"))),
        ]
        for message in early {
            var exchange = started([try shared(1, 1)])
            #expect(violation { _ = try exchange.receive(message) } == .unexpected)
        }
        #expect(throws: ProtocolViolation.self) { try started().endOfInput() }
    }

    @Test func offerWaitsForTheAnnouncedHeads() throws {
        var exchange = started()
        #expect(try exchange.receive(hello((1, [1]))).isEmpty)
        #expect(!exchange.isComplete)
        #expect(violation { _ = try exchange.receive(.offer(sampleOffer())) } == .unexpected)
        #expect(throws: ProtocolViolation.self) { try exchange.endOfInput() }
        #expect(try exchange.receive(update(1)) == [.adopt(team(1), [head(1)]), .complete])
        #expect(violation { _ = try exchange.receive(update(1)) } == .unexpected)
        #expect(violation { _ = try exchange.receive(hello()) } == .unexpected)
    }

    @Test func unexpectedHeadsAreRefused() throws {
        func refused(_ messages: Message...) throws -> ProtocolViolation.Kind? {
            // Team 3 is the same on both sides; 1 and 2 must be sent, in this order.
            var exchange = started([try shared(3, 3), try shared(2, 9)])
            _ = try exchange.receive(hello((3, [3]), (1, [1]), (2, [2])))
            for message in messages.dropLast() { _ = try exchange.receive(message) }
            return violation { _ = try exchange.receive(messages[messages.count - 1]) }
        }
        #expect(try refused(update(1), update(2)) == nil)
        #expect(try refused(hello()) == .unexpected)
        #expect(try refused(update(2)) == .unexpected)
        #expect(try refused(update(3)) == .unexpected)
        #expect(try refused(update(4)) == .unexpected)
        #expect(try refused(update(1), update(1)) == .unexpected)
        #expect(try refused(update(1), update(2), update(2)) == .unexpected)
        #expect(try refused(update(1, 1, of: 2)) == .unexpected)
        #expect(try refused(update(1, 0, of: 2), update(1, 0, of: 2)) == .unexpected)
        #expect(try refused(update(1, 0, of: 2), update(1, 1, of: 3)) == .unexpected)
        #expect(try refused(update(1, 0, of: 3), update(1, 2, of: 3)) == .unexpected)
        #expect(try refused(update(1, 0, of: 2), update(2)) == .unexpected)
        #expect(try refused(update(1, 0, of: 2), update(1, 1, of: 2), update(1, 1, of: 2)) == .unexpected)
    }

    @Test func moreThanFourMebibytesOfRostersAreRefused() throws {
        var exchange = started()
        _ = try exchange.receive(hello((1, [1]), (2, [2]), (3, [3])))
        var taken = 0
        let refused = violation {
            for number in 1...3 as ClosedRange<UInt8> {
                for index in 0..<8 as Range<UInt32> {
                    _ = try exchange.receive(update(number, index, of: 8, size: 229_376))
                    taken += 229_376
                }
            }
        }
        #expect(refused == .limit)
        #expect(taken <= 4 << 20 && taken + 229_376 > 4 << 20)
    }

    @Test func aPeerMayAskWhetherAnyoneIsThereAndMayEnd() throws {
        var exchange = started()
        #expect(try exchange.receive(.ping(id: 3)) == [.send(.pong(id: 3))])
        #expect(try exchange.receive(.pong(id: 3)).isEmpty)
        let close = Message.Close(.goingAway)
        #expect(try exchange.receive(.close(close)) == [.closed(close)])
    }

    @Test func randomMessagesNeverBringMoreThanWasAnnounced() {
        var adopted = 0
        var violations = 0
        for number in 0..<400 as Range<UInt64> {
            withSeed(0x7EA_0000 + number) { random in
                let own = try (0..<UInt8(random.below(4))).map { try shared($0, UInt8(random.below(3))) }
                var exchange = started(own)
                var due: [TeamID]?
                for _ in 0..<30 where !exchange.isComplete {
                    let message: Message
                    switch random.below(8) {
                    case 0, 1:
                        let teams = Set((0..<random.below(4)).map { _ in UInt8(random.below(5)) })
                        message = .hello(
                            try Message.Hello(
                                teams: teams.map {
                                    try TeamDigest(team: team($0), digest: digest([UInt8(random.below(3))]))
                                }))
                    case 2: message = .ping(id: 0)
                    case 3: message = random.chance(2) ? .joined : .offer(try sampleOffer())
                    default:
                        let next = random.chance(4) ? nil : due?.first
                        let count = 1 + UInt32(random.below(2))
                        message = .teamUpdate(
                            try Message.TeamUpdate(
                                team: next ?? team(UInt8(random.below(5))), index: UInt32(random.below(Int(count))),
                                count: count, head: head(1)))
                    }
                    do {
                        let isFirst = due == nil
                        let actions = try exchange.receive(message)
                        if isFirst, case .hello(let hello) = message { due = dueTeams(hello, own) }
                        for action in actions {
                            if case .adopt(let team, let heads) = action {
                                adopted += 1
                                guard due?.first == team, (1...8).contains(heads.count) else {
                                    throw VectorError("What nobody announced is adopted")
                                }
                                due?.removeFirst()
                            }
                            if action == .complete, due?.isEmpty == false { throw VectorError("Complete too early") }
                        }
                    } catch is ProtocolViolation {
                        violations += 1
                    }
                }
            }
        }
        #expect(adopted > 100 && violations > 500, "The runs must reach both to mean something")
    }

    private func dueTeams(_ hello: Message.Hello, _ own: [SharedTeam]) -> [TeamID] {
        hello.teams.filter { theirs in
            !own.contains { $0.team == theirs.team && $0.digest == theirs }
        }.map(\.team)
    }
}
