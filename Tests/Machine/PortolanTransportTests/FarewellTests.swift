import Dispatch
import Foundation
import NIOCore
import PortolanCompression
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanTransport

/// Close codes that the other side receives when a session ends because of an error.
@Suite(.timeLimit(.minutes(20))) struct FarewellTests {
    /// Errors by their close codes.
    private static let cases: [(errors: [any Error], words: Farewell)] = [
        (
            [
                ProtocolViolation(.unexpected, "x"), ExpandError.damaged("x").asSessionError,
                TransportError.laneVersionRefused(1...1),
            ], .close(.protocolViolation)
        ),
        ([ProtocolViolation(.limit, "x")], .close(.limit)),
        ([ExpandError.noMemory.asSessionError, TransportError.system("x")], .close(.internal)),
        ([TransportError.withdrawn], .close(.badIndex)),
        ([CancellationError()], .close(.cancelled)),
        ([TransportError.closedByPeer(Message.Close(.busy))], .endRecord),
        (
            [
                TransportError.truncated, TransportError.silent(seconds: 1), TransportError.senderLeft,
                TransportError.deadlinePassed("x"), TransportError.unreachable("x"), RecordError.forged,
            ], .nothing
        ),
    ]

    @Test(arguments: cases.indices)
    func errorsMapToCloseCodes(_ number: Int) async throws {
        for error in Self.cases[number].errors {
            let words = Self.cases[number].words
            #expect(Farewell(after: error) == words)
            try await SessionPair.with { pair in
                pair.receiver.close(because: error)
                let heard = await Self.heard(on: pair.sender)
                #expect(heard == words, "\(error)")
            }
        }
    }

    /// Reads the other side's Close and end record.
    private static func heard(on session: Session) async -> Farewell {
        var code: CloseCode?
        do {
            for try await record in session.incoming where record.type == .control {
                if case .close(let close) = try Message(decoding: record.body.readableBytesView) { code = close.code }
            }
            return code.map { .close($0) } ?? .endRecord
        } catch {
            return code.map { .close($0) } ?? .nothing
        }
    }

    /// Runs a side that reads its input, sends Hello, and answers an offer as given.
    private static func answer(
        on session: Session, _ reply: @escaping @Sendable (Session) async -> Void
    ) async throws -> Farewell {
        session.send(.hello(try Message.Hello(teams: [], capabilities: [.takes])))
        var code: CloseCode?
        do {
            for try await record in session.incoming where record.type == .control {
                switch try Message(decoding: record.body.readableBytesView) {
                case .offer: await reply(session)
                case .close(let close): code = close.code
                default: continue
                }
            }
            return code.map { .close($0) } ?? .endRecord
        } catch {
            return code.map { .close($0) } ?? .nothing
        }
    }

    @Test("a receiver that ends before every item is settled breaks the protocol")
    func anEarlyEndIsUnexpected() async throws {
        try await SessionPair.with { pair in
            async let words = Self.answer(on: pair.receiver) { session in
                let choice = ItemChoice(item: 0, .take(representation: 0))
                // Content may be in transit before the sender learns of the end.
                session.allowPayload()
                if let answer = try? Message.Answer(offer: 1, choices: [choice]) { session.send(.answer(answer)) }
                session.writer.sendEnd()
            }
            let thrown = await #expect(throws: ProtocolViolation.self) { try await pair.send([.bytes(Data([1]))]) }
            #expect(thrown?.kind == .unexpected)
            let heard = try await words
            #expect(heard == .close(.protocolViolation))
        }
    }

    @Test("a receiver that ends before it has answered has not seen the offer, and the sender ends in order")
    func anEndMayCrossTheOffer() async throws {
        try await SessionPair.with { pair in
            async let words = Self.answer(on: pair.receiver) { $0.writer.sendEnd() }
            do {
                _ = try await pair.send([.bytes(Data([1]))])
                Issue.record("it was sent")
            } catch TransportError.endedUnanswered {}
            let heard = try await words
            #expect(heard == .endRecord)
        }
    }

    @Test("a holder that ends before it has answered was asked nothing, and the requester ends in order")
    func anEndMayCrossTheQuestion() async throws {
        try await SessionPair.with { pair in
            let ending = Task {
                pair.receiver.send(.hello(try Message.Hello(teams: [], capabilities: [.serves])))
                var code: CloseCode?
                for try await record in pair.receiver.incoming where record.type == .control {
                    switch try Message(decoding: record.body.readableBytesView) {
                    case .list: pair.receiver.writer.sendEnd()
                    case .close(let close): code = close.code
                    default: continue
                    }
                }
                return code
            }
            do {
                _ = try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { try await $0.list() }
                Issue.record("it was answered")
            } catch TransportError.endedUnanswered {}
            // The last record was the end record, without a Close before it.
            #expect(try await ending.value == nil)
        }
    }

    @Test("a sender answers Close with the end record at most")
    func aSenderDoesNotAnswerClose() async throws {
        try await SessionPair.with { pair in
            async let words = Self.answer(on: pair.receiver) { $0.send(.close(Message.Close(.busy))) }
            do {
                _ = try await pair.send([.bytes(Data([1]))])
                Issue.record("it was sent")
            } catch TransportError.closedByPeer(let close) {
                #expect(close.code == .busy)
            }
            let heard = try await words
            #expect(heard == .endRecord)
        }
    }

    /// Items that are offered, with a call for each outcome.
    private struct Noting: OfferSource {
        let offered: Offered
        let note: @Sendable (ItemOutcome) -> Void

        func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
            try offered.makeOffer(id, answering: request)
        }
        func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { offered.seen(among: places) }
        func maySee(_ restriction: Restriction) -> Bool { offered.maySee(restriction) }
        func contentAtHand(at place: OfferedPlace) -> OfferedContent? { offered.contentAtHand(at: place) }
        func produce(_ place: OfferedPlace) -> OfferedContent { offered.produce(place) }
        func report(_ event: OfferingEvent) { if case .settled(_, let outcome) = event { note(outcome) } }
    }

    @Test("a receipt that came before Close counts, also if it had not been handled when Close was read")
    func receiptBeforeClose() async throws {
        try await SessionPair.with { pair in
            let hold = DispatchSemaphore(value: 0)
            let isHandling = OneShot<Void, Never>()
            let outcomes = Mutex<[ItemOutcome]>([])
            let offered = Offered([.bytes(Data([1]))], isAtHand: true) {
                // The answer is being handled: the receipt waits behind it.
                isHandling.settle()
                hold.wait()
                hold.signal()
                return true
            }
            let source = Noting(offered: offered) { outcome in outcomes.withLock { $0.append(outcome) } }
            async let words = Self.answer(on: pair.receiver) { session in
                let choice = ItemChoice(item: 0, .take(representation: 0), isInline: true)
                if let answer = try? Message.Answer(offer: 1, choices: [choice]) { session.send(.answer(answer)) }
                await isHandling.value()
                session.send(
                    .receipt(Message.Receipt(offer: 1, item: 0, outcome: .failed(StoringFailure(.noSpace)))))
                session.send(.close(Message.Close(.internal)))
            }
            let sending = Task {
                try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { driver in
                    try await driver.offer(source, answerWait: .seconds(300))
                }
            }
            // The sender ends its side when it has read Close.
            let heard = try await words
            hold.signal()
            #expect(heard == .endRecord)
            // The offer ends with its last receipt: Close may be read before or after that.
            if case .failure(let error) = await sending.result { #expect(error is TransportError) }
            #expect(outcomes.withLock { $0 } == [.failed(StoringFailure(.noSpace), after: nil)])
        }
    }

    @Test("a receiver answers Close with the end record at most")
    func aReceiverDoesNotAnswerClose() async throws {
        try await SessionPair.with { pair in
            let receiving = Task { try await pair.receive(with: Taking(sinks: [Counting()])) }
            pair.sender.send(.hello(try Message.Hello(teams: [], capabilities: [.takes])))
            pair.sender.send(.close(Message.Close(.cancelled)))
            #expect(await Self.heard(on: pair.sender) == .endRecord)
            await #expect(throws: TransportError.self) { try await receiving.value }
        }
    }

    @Test("a sender whose lanes close before the other side's last word is read reports that word")
    func lanesCloseFirst() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 30_000_000).write(to: file)
            let sink = Counting()
            try await SessionPair.with { pair in
                let receiving = Task { try await pair.receive(with: Taking(sinks: [sink])) }
                let sending = Task {
                    try await pair.send([.file(path: file.path)], Pacer(bytesPerSecond: 1_000_000))
                }
                #expect(try await comesTrue { sink.count > 0 })
                pair.receiver.incomingLanes.end()
                try await Task.sleep(for: .seconds(1))
                pair.receiver.close(Message.Close(.notTrusted))
                do {
                    _ = try await sending.value
                    Issue.record("it was sent")
                } catch TransportError.closedByPeer(let close) {
                    #expect(close.code == .notTrusted)
                }
                _ = await receiving.result
            }
        }
    }

    @Test("a session of messages alone answers Close with the end record at most")
    func aDialogueDoesNotAnswerClose() async throws {
        try await SessionPair.with { pair in
            let running = Task {
                try await Dialogue.run(on: pair.receiver) { dialogue in
                    guard case .close(let close)? = try await dialogue.next() else { return }
                    throw TransportError.closedByPeer(close)
                }
            }
            pair.sender.send(.close(Message.Close(.cancelled)))
            #expect(await Self.heard(on: pair.sender) == .endRecord)
            await #expect(throws: TransportError.self) { try await running.value }
        }
    }
}
