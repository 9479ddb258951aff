import Foundation
import NIOCore
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanTransport

/// Sessions that both sides keep open when nothing is transferred.
@Suite(.timeLimit(.minutes(20))) struct KeptSessionTests {
    /// Side that takes all items, and records the order of events.
    private final class Side: Sendable, TeamLedger {
        private let state = Mutex((teams: [SharedTeam](), adopted: [(TeamID, [RosterHead])](), log: [String]()))
        private let hold: OneShotGate?

        init(_ teams: [SharedTeam] = [], holding hold: OneShotGate? = nil) {
            self.hold = hold
            state.withLock { $0.teams = teams }
        }

        var log: [String] { state.withLock(\.log) }
        var adopted: [(TeamID, [RosterHead])] { state.withLock(\.adopted) }

        func note(_ event: String) { state.withLock { $0.log.append(event) } }

        func change(_ teams: [SharedTeam]) { state.withLock { $0.teams = teams } }

        func teams(sharedWith peer: RemoteIdentity) -> [SharedTeam] { state.withLock(\.teams) }

        func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) -> Bool {
            state.withLock { state in
                state.adopted.append((team, heads))
                state.log.append("roster \(heads[0].roster)")
            }
            return false
        }

        func roles(idleTime: Duration? = .seconds(600)) -> SessionRoles {
            var roles = SessionRoles()
            roles.idleTime = idleTime
            roles.receiving = { [self] in
                { [self] in
                    note("offer")
                    return Reception(Slow(Taking(sinks: [Counting()]), hold))
                }
            }
            return roles
        }
    }

    /// Gate that a test opens once.
    private final class OneShotGate: Sendable {
        private let (stream, feed) = AsyncStream.makeStream(of: Void.self)

        func open() { feed.finish() }

        func wait() async { for await _ in stream {} }
    }

    /// Receiver that decides when the test opens the gate, or when it is cancelled.
    private struct Slow: ItemReceiver {
        let taking: Taking
        let hold: OneShotGate?

        init(_ taking: Taking, _ hold: OneShotGate?) {
            self.taking = taking
            self.hold = hold
        }

        func decide(on offer: Offer) async -> [ItemDecision] {
            await hold?.wait()
            return taking.decide(on: offer)
        }

        func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }
        func receive(
            item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
        ) -> any ItemSink { taking.sinks[item] }
        func report(_ event: ReceivingEvent) {}
    }

    /// Runs both ends of a session; `body` has the drivers of both while they last.
    private static func run(
        _ one: Side, _ other: Side, idleTime: Duration = .seconds(600),
        _ body: @escaping @Sendable (SessionDriver, SessionDriver) async throws -> Void
    ) async throws {
        try await SessionPair.with { pair in
            let drivers = [OneShotDriver(), OneShotDriver()]
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for (session, side, driver) in [
                    (pair.sender, one, drivers[0]), (pair.receiver, other, drivers[1]),
                ] {
                    tasks.addTask {
                        try await SessionDriver.run(
                            on: session, ledger: side, roles: side.roles(idleTime: idleTime)
                        ) {
                            _ = try await $0.peerCapabilities
                            driver.set($0)
                            try await $0.stay()
                        }
                    }
                }
                tasks.addTask { try await body(drivers[0].value(), drivers[1].value()) }
                try await tasks.waitForAll()
            }
        }
    }

    /// A driver that has begun.
    private final class OneShotDriver: Sendable {
        private let (stream, feed) = AsyncStream.makeStream(of: SessionDriver.self)

        func set(_ driver: SessionDriver) { feed.yield(driver) }

        func value() async throws -> SessionDriver {
            for await driver in stream { return driver }
            throw CancellationError()
        }
    }

    private static func send(_ driver: SessionDriver) async throws -> Bool? {
        try await driver.use(expectingSign: true) { driver in
            let outcomes = try await driver.offer(Offered([.bytes(Data(count: 3))]), answerWait: .seconds(200))
            guard case .stored? = outcomes?.first else { return false }
            return true
        }
    }

    @Test("either side can offer in a session that both keep, and the session ends when it is retired")
    func bothOffer() async throws {
        let (one, other) = (Side(), Side())
        try await Self.run(one, other) { first, second async throws in
            for _ in 0..<3 {
                #expect(try await Self.send(first) == true)
                #expect(try await Self.send(second) == true)
            }
            // The work of an offer ends a moment after its outcome is known.
            while !first.isAtRest || first.restingSince == nil { try await Task.sleep(for: .milliseconds(1)) }
            first.retire()
            #expect(try await Self.send(first) == nil, "nothing is begun in a session that ends")
        }
        #expect(one.log.count == 3 && other.log.count == 3)
    }

    @Test("both sides end an idle session at the same time, after the time for which they keep it")
    func idleEnd() async throws {
        try await Self.run(Side(), Side(), idleTime: .milliseconds(50)) { first, _ async throws in
            // Perhaps in the moment in which the session ends, which is no error of either side.
            _ = try? await Self.send(first)
        }
    }

    @Test("both sides may end a session at once, and in the midst of an offer it ends with a reason")
    func stopping() async throws {
        try await Self.run(Side(), Side()) { first, second async throws in
            first.stop()
            second.stop()
        }
        let gate = OneShotGate()
        let other = Side(holding: gate)
        let ended = await Self.failure {
            try await Self.run(Side(), other) { first, second async throws in
                let sending = Task { try await Self.send(first) }
                #expect(try await comesTrue { other.log == ["offer"] })
                second.stop()
                let error = await Self.failure { _ = try await sending.value }
                #expect(error is TransportError)
            }
        }
        // Either side may be the first to end.
        #expect(ended is CancellationError || ended is TransportError)
        gate.open()
    }

    @Test("cancelling an offer that waits for its turn sends nothing; cancelling one that was sent ends the session")
    func cancelling() async throws {
        let gate = OneShotGate()
        let other = Side(holding: gate)
        let ended = await Self.failure {
            try await Self.run(Side(), other) { first, _ async throws in
                let made = Task { try await Self.send(first) }
                #expect(try await comesTrue { other.log == ["offer"] })
                let waiting = Task { try await Self.send(first) }
                let another = Task { try await Self.send(first) }
                waiting.cancel()
                let waitingError = await Self.failure { _ = try await waiting.value }
                #expect(waitingError is CancellationError)
                made.cancel()
                let madeError = await Self.failure { _ = try await made.value }
                #expect(madeError is CancellationError)
                // The other tasks get an error that says that they were not the cause.
                let anotherError = await Self.failure { _ = try await another.value }
                #expect(anotherError is TransportError)
            }
        }
        gate.open()
        switch ended {
        case TransportError.abandoned?: break
        case TransportError.closedByPeer(let close)?: #expect(close.code == .goingAway || close.code == .cancelled)
        default: #expect(ended is CancellationError)
        }
        #expect(other.log == ["offer"])
    }

    private static func failure(of body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("a peer that gives no sign of life is not waited for longer than that")
    func silence() async throws {
        // The peer's end of the connection sends a sign of life after a third of its own time of silence.
        try await SessionPair.with(silence: .seconds(30), peerSilence: .seconds(6000)) { pair in
            var roles = Side().roles()
            roles.receiving = nil
            let answering = Task {
                // The messages are those that begin a session, and no more.
                pair.receiver.send(.hello(try Message.Hello(teams: [], capabilities: [.takes, .stays])))
            }
            let ended = await #expect(throws: TransportError.self) {
                try await SessionDriver.run(on: pair.sender, ledger: NoTeams(), roles: roles) { driver in
                    _ = try await driver.peerCapabilities
                    _ = try await driver.use(expectingSign: true) {
                        try await $0.offer(Offered([.bytes(Data([1]))]), answerWait: .seconds(600))
                    }
                }
            }
            try await answering.value
            // A tenth of the time after which the connection itself ends.
            guard case .silent(seconds: 3)? = ended else {
                Issue.record("\(String(describing: ended))")
                return
            }
        }
    }

    // MARK: Rosters

    private static func team(_ number: UInt8, _ mark: UInt8) throws -> SharedTeam {
        let head = try RosterHead(
            roster: [mark], signature: [UInt8](repeating: mark, count: 64),
            secret: SecretBytes(copying: [UInt8](repeating: mark, count: 32)))
        let id = try #require(TeamID(bytes: [UInt8](repeating: number, count: 16)))
        return SharedTeam(team: id, digest: [UInt8](repeating: mark, count: 32), heads: [head])
    }

    @Test("a changed roster is sent once, before the next offer or before the answer to one")
    func rostersChange() async throws {
        let (one, other) = (Side([try Self.team(1, 1)]), Side([try Self.team(1, 1), try Self.team(2, 1)]))
        try await Self.run(one, other) { first, _ async throws in
            #expect(try await Self.send(first) == true)
            #expect(other.log == ["offer"])
            one.change([try Self.team(1, 2)])
            other.change([try Self.team(1, 1), try Self.team(2, 3)])
            #expect(try await Self.send(first) == true)
            #expect(try await Self.send(first) == true)
            first.retire()
        }
        #expect(other.log == ["offer", "roster [2]", "offer", "offer"])
        // Team 2 was sent at the beginning, because this side knew nothing of it.
        #expect(one.log == ["roster [1]", "roster [3]"])
    }

    @Test("a session that may carry no more rosters ends as soon as nothing is going on in it")
    func rostersWithoutEnd() async throws {
        let (one, other) = (Side(), Side())
        try await Self.run(one, other) { first, _ async throws in
            for mark in 1...64 as ClosedRange<UInt8> {
                one.change([try Self.team(1, mark)])
                #expect(try await Self.send(first) == true)
            }
            one.change([try Self.team(1, 65)])
            #expect(try await Self.send(first) == true)
            #expect(try await Self.send(first) == nil)
        }
        #expect(other.adopted.count == 64)
    }

    @Test(
        "a peer that sends endless rosters, or mixes those of several teams, is disconnected", arguments: [false, true])
    func hostileRosters(mixes: Bool) async throws {
        let side = Side()
        try await SessionPair.with { pair in
            let running = Task {
                try await SessionDriver.run(on: pair.receiver, ledger: side, roles: side.roles()) {
                    try await $0.stay()
                }
            }
            pair.sender.send(.hello(try Message.Hello(teams: [], capabilities: [.stays])))
            let team = try Self.team(1, 1)
            for number in 0..<65 {
                pair.sender.send(
                    .teamUpdate(
                        try Message.TeamUpdate(
                            team: mixes && number == 1 ? Self.team(2, 1).team : team.team, index: 0,
                            count: mixes ? 2 : 1, head: team.heads[0])))
            }
            #expect(await pair.sender.closeCodes() == [mixes ? .protocolViolation : .limit])
            await #expect(throws: ProtocolViolation.self) { try await running.value }
        }
        #expect(side.adopted.count == (mixes ? 0 : 64))
    }
}
