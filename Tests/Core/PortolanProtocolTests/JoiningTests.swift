import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Testing

@Suite struct JoiningTests {
    private let name: DeviceName
    private let team: TeamID
    private let heads: [RosterHead]

    init() throws {
        name = try DeviceName("Ada's laptop")
        team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: 16)))
        heads = try (1...3).map { mark in
            try RosterHead(
                roster: [mark], signature: [UInt8](repeating: mark, count: 64),
                secret: SecretBytes(copying: [UInt8](repeating: mark, count: 32)))
        }
    }

    private func update(_ index: UInt32, of count: UInt32 = 3, team other: TeamID? = nil) throws -> Message {
        .teamUpdate(
            try Message.TeamUpdate(team: other ?? team, index: index, count: count, head: heads[Int(index)]))
    }

    private func joining() -> JoiningMachine {
        var machine = JoiningMachine(name: name)
        _ = machine.start()
        return machine
    }

    private func request() -> Message { .joinRequest(Message.JoinRequest(name: name)) }

    @Test func joiningDeviceReceivesAndConfirmsAllHeads() throws {
        var joining = JoiningMachine(name: name)
        var admitting = AdmittingMachine()
        #expect(joining.start() == [.send(request())])
        #expect(try admitting.receive(Message(decoding: request().encode())) == [.admit(name)])
        let answers = admitting.admitted(team, heads)
        #expect(try answers == (0..<3).map { .send(try update($0)) })
        #expect(try joining.receive(update(0)).isEmpty)
        #expect(try joining.receive(update(1)).isEmpty)
        #expect(try joining.receive(update(2)) == [.adopt(team, heads)])
        #expect(throws: ProtocolViolation.self) { try joining.endOfInput() }
        #expect(throws: ProtocolViolation.self) { try admitting.endOfInput() }
        #expect(joining.stored() == [.send(.joined), .finished])
        #expect(try admitting.receive(.joined) == [.finished])
        try joining.endOfInput()
        try admitting.endOfInput()
    }

    @Test func refusedDeviceGetsTheReasonAndIsIgnored() throws {
        var admitting = AdmittingMachine()
        _ = try admitting.receive(request())
        let close = Message.Close(.notTrusted, detail: "that name is taken")
        #expect(admitting.refuse(close) == [.send(.close(close))])
        #expect(try admitting.receive(.joined).isEmpty)
        #expect(try admitting.receive(request()).isEmpty)
        try admitting.endOfInput()
        var joining = joining()
        #expect(try joining.receive(.close(close)) == [.closed(close)])
    }

    @Test func joiningDeviceAcceptsOnlyTheHeadsInOrder() throws {
        let other = try #require(TeamID(bytes: [UInt8](repeating: 8, count: 16)))
        func refused(after first: Message?, _ message: Message) throws -> ProtocolViolation.Kind? {
            var machine = joining()
            if let first { _ = try machine.receive(first) }
            return violation { _ = try machine.receive(message) }
        }
        #expect(try refused(after: nil, update(0)) == nil)
        #expect(try refused(after: nil, update(1)) == .unexpected)
        #expect(try refused(after: update(0), update(0)) == .unexpected)
        #expect(try refused(after: update(0), update(2)) == .unexpected)
        #expect(try refused(after: update(0), update(1, of: 2)) == .unexpected)
        #expect(try refused(after: update(0), update(1, team: other)) == .unexpected)
        #expect(try refused(after: update(0, of: 1), update(0, of: 1)) == .unexpected)
        for message in [Message.joined, request(), .hello(try Message.Hello(teams: [])), .offer(try sampleOffer())] {
            #expect(try refused(after: nil, message) == .unexpected)
        }
        var machine = joining()
        #expect(throws: ProtocolViolation.self) { try machine.endOfInput() }
        #expect(try machine.receive(.ping(id: 1)) == [.send(.pong(id: 1))])
    }

    @Test func administratorAcceptsOneRequestAndOneConfirmation() throws {
        func refused(_ prepare: (inout AdmittingMachine) throws -> Void, _ message: Message) rethrows
            -> ProtocolViolation.Kind?
        {
            var machine = AdmittingMachine()
            try prepare(&machine)
            return violation { _ = try machine.receive(message) }
        }
        func asked(_ machine: inout AdmittingMachine) throws { _ = try machine.receive(request()) }
        func admitted(_ machine: inout AdmittingMachine) throws {
            try asked(&machine)
            _ = machine.admitted(team, heads)
        }
        func joined(_ machine: inout AdmittingMachine) throws {
            try admitted(&machine)
            _ = try machine.receive(.joined)
        }
        let others = [
            Message.hello(try Message.Hello(teams: [])), try update(0), .offer(try sampleOffer()),
            .pending(Message.Pending(offer: 1)),
        ]
        for message in others + [.joined] { #expect(refused({ _ in }, message) == .unexpected) }
        for message in others + [.joined, request()] { #expect(try refused(asked, message) == .unexpected) }
        for message in others + [request()] { #expect(try refused(admitted, message) == .unexpected) }
        for message in others + [.joined, request()] { #expect(try refused(joined, message) == .unexpected) }
        #expect(throws: ProtocolViolation.self) { try AdmittingMachine().endOfInput() }
    }
}
