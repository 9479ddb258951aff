import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanTransport

/// Lanes of real sessions over loopback, honest and not.
@Suite(.timeLimit(.minutes(20))) struct SessionLaneTests {
    /// Sends one record and the end, and takes both.
    private static func use(_ sending: SendingLane, _ receiving: ReceivingLane) async throws {
        let sender = try WorkerThread(named: "sender") {
            try sending.send(.tree) { buffer in
                buffer.copyBytes(from: [1, 2, 3, 4, 5, 6])
                return 6
            }
            try sending.end()
        }
        let receiver = try WorkerThread(named: "receiver") {
            let record = try receiving.next().map { Array($0.plaintext) }
            return record == [1, 2, 3, 4, 5, 6] ? try receiving.next() == nil : false
        }
        #expect(try await receiver.value)
        try await sender.value
    }

    @Test("lanes open beside a session and carry records, each with separate keys")
    func opensLanes() async throws {
        try await SessionPair.with { pair in
            for index in [0, 3, 15] as [UInt32] {
                let (sending, receiving) = try await pair.lane(index)
                try await Self.use(sending, receiving)
            }
            // The session continues beside them.
            pair.sender.send(.ping(id: 7))
            var records = pair.receiver.incoming.makeAsyncIterator()
            #expect(try await records.next()?.type == .control)
        }
    }

    enum Wrong: CaseIterable {
        case unknownID, wrongToken, reserved, ofAnotherLane
    }

    @Test("a forbidden lane is closed without a reply, and other peers notice nothing", arguments: Wrong.allCases)
    func refusesStrangers(wrong: Wrong) async throws {
        try await SessionPair.with { pair in
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(2) { arrived.add($0, $1) }
            let keys = pair.sender.outgoingLanes.keys
            var preface = keys.preface(1).encode()
            switch wrong {
            case .unknownID: preface[24] ^= 1
            case .wrongToken: preface[63] ^= 1
            case .reserved: preface[11] = 1
            case .ofAnotherLane: preface[15] = 0
            }
            #expect(try await pair.connection(saying: preface).isHungUpOn())
            #expect(arrived.count == 0)
            try await Self.use(try await pair.open(1), try await arrived.next(1))
        }
    }

    @Test("a lane too many is hung up on: the sender may have ended some that are not read to their ends")
    func refusesTooMany() async throws {
        try await SessionPair.with { pair in
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(1) { arrived.add($0, $1) }
            var open: [(SendingLane, ReceivingLane)] = []
            for number in 0..<18 as Range<UInt32> {
                open.append((try await pair.open(number), try await arrived.next(number)))
            }
            let preface = pair.sender.outgoingLanes.keys.preface(18).encode()
            #expect(try await pair.connection(saying: preface).isHungUpOn())
            for (sending, receiving) in open { try await Self.use(sending, receiving) }
        }
    }

    @Test(
        "a lane of another version is answered with the versions that are spoken, after its ninth byte",
        arguments: [0, 1, 3, 255] as [UInt8])
    func namesItsVersions(version: UInt8) async throws {
        try await SessionPair.with { pair in
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(1) { arrived.add($0, $1) }
            var preface = pair.sender.outgoingLanes.keys.preface(0).encode()
            preface[8] = version
            for length in [LanePreface.versionEnd, preface.count] {
                let connection = try await pair.connection(saying: Array(preface.prefix(length)))
                #expect(try await connection.words() == Array("PORTLANE".utf8) + [0, 2, 2, 0])
            }
            #expect(arrived.count == 0)
            // The session and its lanes are as before.
            try await Self.use(try await pair.open(0), try await arrived.next(0))
        }
    }

    @Test(
        "a device that does not accept strangers closes a lane of another version without a byte, and reports the reason locally"
    )
    func hidesItsVersions() async throws {
        try await SessionPair.with { pair in
            let listener = try await Listener(
                sockets: ListeningSocket.open(port: 0, interfaces: ["lo"]),
                identity: LocalIdentity(.init(name: pair.receiver.peer.name, key: .generate())), door: .closed,
                timing: SessionDeadlines(offerDeadline: .seconds(600)))
            let other = SessionPair(listener: listener, sender: pair.sender, receiver: pair.receiver)
            let connection = try await other.connection(saying: Array("PORTLANE".utf8) + [1])
            #expect(try await connection.isHungUpOn())
            var arrivals = listener.arrivals.makeAsyncIterator()
            guard case .refused(_, let reason)? = await arrivals.next() else {
                Issue.record("nobody is told")
                return
            }
            #expect(reason.contains("version 1") && reason.contains("version 2"))
            await listener.close()
        }
    }

    @Test("a lane's preface is valid once: a repetition is disconnected")
    func refusesRepetition() async throws {
        try await SessionPair.with { pair in
            let (sending, receiving) = try await pair.lane(0)
            let preface = pair.sender.outgoingLanes.keys.preface(0).encode()
            #expect(try await pair.connection(saying: preface).isHungUpOn())
            try await Self.use(sending, receiving)
            // Connections after the end are closed, too.
            #expect(try await pair.connection(saying: preface).isHungUpOn())
        }
    }

    @Test("lanes are refused before the session allows them, and after it has ended")
    func refusesUntimelyLanes() async throws {
        try await SessionPair.with { pair in
            let preface = pair.sender.outgoingLanes.keys.preface(0).encode()
            let early = try await pair.connection(saying: preface)
            #expect(try await early.isHungUpOn())
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(1) { arrived.add($0, $1) }
            pair.receiver.close(Message.Close(.cancelled))
            await pair.receiver.waitUntilClosed()
            await pair.sender.waitUntilClosed()
            #expect(try await pair.connection(saying: preface).isHungUpOn())
            #expect(arrived.count == 0)
            await #expect(throws: TransportError.self) { try await pair.open(0) }
            // Too late, and harmless.
            pair.receiver.allowLanes(1) { arrived.add($0, $1) }
            #expect(try await pair.connection(saying: preface).isHungUpOn())
        }
    }

    @Test(
        "a peer that sends only the beginning of a preface is disconnected at the deadline", arguments: [0, 5, 8, 63])
    func hangsUpOnSilence(bytes: Int) async throws {
        try await SessionPair.with { pair in
            let listener = try await Listener(
                sockets: ListeningSocket.open(port: 0, interfaces: ["lo"]),
                identity: LocalIdentity(.init(name: pair.receiver.peer.name, key: .generate())), door: .open,
                timing: SessionDeadlines(offerDeadline: .milliseconds(300)))
            let other = SessionPair(listener: listener, sender: pair.sender, receiver: pair.receiver)
            let preface = pair.sender.outgoingLanes.keys.preface(0).encode()
            #expect(try await other.connection(saying: Array(preface.prefix(bytes))).isHungUpOn())
            await listener.close()
        }
    }

    @Test("a preface may arrive byte by byte")
    func doesNotCareAboutCuts() async throws {
        try await SessionPair.with { pair in
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(1) { arrived.add($0, $1) }
            let preface = pair.sender.outgoingLanes.keys.preface(0).encode()
            let connection = try await pair.connection(saying: [])
            for byte in preface {
                _ = try [byte].withUnsafeBytes { try connection.send($0) }
                try await Task.sleep(for: .milliseconds(1))
            }
            let sending = SendingLane(
                socket: connection, sealer: pair.sender.outgoingLanes.keys.makeSealer(0))
            try await Self.use(sending, try await arrived.next(0))
        }
    }

    @Test("garbage on a lane ends the session, and both sides learn of it")
    func endsOnGarbage() async throws {
        try await SessionPair.with { pair in
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(1) { arrived.add($0, $1) }
            let preface = pair.sender.outgoingLanes.keys.preface(0).encode()
            let connection = try await pair.connection(saying: preface + [RecordType.control.rawValue, 0, 0, 20])
            let lane = try await arrived.next(0)
            let receiver = try WorkerThread(named: "receiver") { try lane.next() != nil }
            await #expect(throws: ProtocolViolation.self) { try await receiver.value }
            #expect(await failure(of: pair.receiver) is ProtocolViolation)
            var reasons: [CloseCode] = []
            do {
                for try await record in pair.sender.incoming where record.type == .control {
                    if case .close(let close) = try Message(decoding: record.body.readableBytesView) {
                        reasons.append(close.code)
                    }
                }
            } catch {}
            #expect(reasons == [.protocolViolation])
            #expect(try await connection.isHungUpOn())
        }
    }

    @Test("a lane that breaks in the middle ends the session as truncated, on both sides")
    func endsOnTruncation() async throws {
        try await SessionPair.with { pair in
            let (sending, receiving) = try await pair.lane(0)
            let receiver = try WorkerThread(named: "receiver") { try receiving.next() != nil }
            sending.shutDown()
            await #expect(throws: TransportError.self) { try await receiver.value }
            guard case TransportError.truncated? = await failure(of: pair.receiver) else {
                Issue.record("the receiver's session goes on")
                return
            }
            #expect(await failure(of: pair.sender) != nil)
        }
    }

    @Test("a receiver that sends something on a lane ends the session")
    func endsOnAnswers() async throws {
        try await SessionPair.with { pair in
            let (sending, receiving) = try await pair.lane(0)
            _ = try [UInt8(0)].withUnsafeBytes { try receiving.socket.send($0) }
            let sender = try WorkerThread(named: "sender") {
                while true { try sending.send(.payload) { $0.count } }
            }
            await #expect(throws: ProtocolViolation.self) { try await sender.value }
            #expect(await failure(of: pair.sender) is ProtocolViolation)
        }
    }

    enum End: CaseIterable {
        case senderCloses, receiverCloses, senderFinishes
    }

    @Test("threads that send or receive on lanes return when the session ends", arguments: End.allCases)
    func endsWithTheSession(end: End) async throws {
        try await SessionPair.with { pair in
            let (full, unread) = try await pair.lane(0)
            let (idle, waiting) = try await pair.lane(1)
            let sender = try WorkerThread(named: "sender") { while true { try full.send(.payload) { $0.count } } }
            let receiver = try WorkerThread(named: "receiver") { try waiting.next() != nil }
            while full.bytesSent < 100_000 { try await Task.sleep(for: .milliseconds(1)) }
            switch end {
            case .senderCloses: pair.sender.close(Message.Close(.cancelled))
            case .receiverCloses: pair.receiver.close(Message.Close(.cancelled))
            case .senderFinishes: await pair.sender.finish()
            }
            await #expect(throws: TransportError.self) { try await sender.value }
            await #expect(throws: TransportError.self) { try await receiver.value }
            // Later readers get the error at once.
            let late = try WorkerThread(named: "late") { while try unread.next() != nil {} }
            await #expect(throws: TransportError.self) { try await late.value }
            let later = try WorkerThread(named: "later") { try idle.send(.payload) { $0.count } }
            await #expect(throws: TransportError.self) { _ = try await later.value }
        }
    }

    @Test("lanes count neither as sessions nor, once they are in, as half-open connections")
    func leavesRoomForSessions() async throws {
        try await SessionPair.with { pair in
            let arrived = ArrivedLanes()
            pair.receiver.allowLanes(16) { arrived.add($0, $1) }
            var lanes: [SendingLane] = []
            var others: [ReceivingLane] = []
            for index in 0..<16 as Range<UInt32> {
                lanes.append(try await pair.open(index))
                others.append(try await arrived.next(index))
            }
            let stranger = try await pair.connection(saying: Preface.initiation + [0, 32, 9])
            #expect(try await stranger.isHungUpOn(within: .milliseconds(200)) == false)
            for (lane, other) in zip(lanes, others) { try await Self.use(lane, other) }
        }
    }

    @Test("a session that is let go of keeps no descriptor open")
    func closesEverything() async throws {
        var sockets: Set<String> = []
        try await SessionPair.with { pair in
            let (sending, receiving) = try await pair.lane(0)
            try await Self.use(sending, receiving)
            // The further lanes are one that is never finished, one that is never taken, and those of strangers.
            let unfinished = try await pair.lane(1)
            pair.receiver.allowLanes(16) { _, _ in }
            let untaken = try await pair.open(2)
            let strangers = [
                try await pair.connection(saying: []), try await pair.connection(saying: Array("PORTLANE".utf8)),
            ]
            sockets = try openSockets(onPort: pair.listener.port)
            // The listener, two ends of the session and of the lane, and one of each other at least.
            withExtendedLifetime((unfinished, untaken, strangers)) { #expect(sockets.count >= 8) }
        }
        // The event loops close theirs in their own time.
        let end = ContinuousClock.now + .seconds(200)
        while try !sockets.isDisjoint(with: openSockets().values), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try sockets.isDisjoint(with: openSockets().values))
    }
}
