import Foundation
import PortolanConcurrency
import PortolanProtocol
import PortolanTransport
import Synchronization
import Testing

/// Roles that the driver of a session does not know: implemented with the interface for other targets.
@Suite(.timeLimit(.minutes(20))) struct FurtherRoleTests {
    /// Answers each List with the position from which it was asked, reversed: the unchanged position would be refused.
    private final class Echo: SessionRole {
        let handle: SessionHandle
        let routes: Set<MessageRoute> = [.serving]

        init(handle: SessionHandle) { self.handle = handle }

        func receive(_ message: Message) throws {
            guard case .list(let list) = message else { return }
            handle.send(.listing(try Message.Listing(id: list.id, items: [], next: list.after.reversed())))
        }
    }

    @Test("a further role takes the messages of its route beside the roles of offers and requests")
    func echo() async throws {
        var roles = SessionRoles()
        roles.receiving = { { Reception(Taking(sinks: [Counting()])) } }
        roles.additional = [RoleMaker(saying: .serves) { Echo(handle: $0) }]
        try await SessionPair.with { [roles] pair in
            async let answered: Bool = SessionDriver.run(on: pair.receiver, ledger: NoTeams(), roles: roles) {
                try await $0.stay()
                return $0.role(Echo.self) != nil
            }
            let (echo, outcomes) = try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { driver in
                let echo = try await driver.list(after: [1, 2, 3]).next
                return (echo, try await driver.offer(Offered([.bytes(Data(count: 9))]), answerWait: .seconds(200)))
            }
            #expect(echo == [3, 2, 1])
            #expect(outcomes?.count == 1)
            #expect(try await answered)
        }
    }

    /// Takes nothing, and notes the calls of the driver.
    private final class Noting: SessionRole {
        let routes: Set<MessageRoute> = []
        private let handle: SessionHandle
        private let work: @Sendable (SessionDriver) async throws -> Void
        private let notes: Mutex<[String]> = Mutex([])

        var log: [String] { notes.withLock(\.self) }

        init(_ handle: SessionHandle, _ work: @escaping @Sendable (SessionDriver) async throws -> Void) {
            self.handle = handle
            self.work = work
        }

        func meetPeer() { notes.withLock { $0.append("met") } }
        func receive(_ message: Message) { notes.withLock { $0.append(message.name) } }
        func run() async throws { try await work(handle.driver) }
        func peerEnded() { notes.withLock { $0.append("peer ended") } }
        func finish() { notes.withLock { $0.append("finished") } }
        func fail(_ error: any Error) { notes.withLock { $0.append("\(error)") } }
    }

    @Test("a further role orders an offer, and is told of the beginning and of both ends of a session")
    func order() async throws {
        let isStored = OneShot<Void, Never>()
        var giving = SessionRoles()
        giving.additional = [
            RoleMaker { handle in
                Noting(handle) { driver in
                    // The signal is given after a failure, too, so that its waiters end.
                    defer { isStored.settle() }
                    let outcomes = try await driver.offer(
                        Offered([.bytes(Data(count: 9))]), answerWait: .seconds(200))
                    #expect(outcomes?.count == 1)
                }
            }
        ]
        var taking = SessionRoles()
        let sink = Counting()
        taking.receiving = { { Reception(Taking(sinks: [sink])) } }
        try await SessionPair.with { [giving, taking] pair in
            async let given: Noting? = SessionDriver.run(on: pair.receiver, ledger: NoTeams(), roles: giving) {
                try await $0.stay()
                return $0.role(Noting.self)
            }
            try await SessionDriver.run(on: pair.sender, ledger: NoTeams(), roles: taking) { _ in
                await isStored.value(ifCancelled: .success(()))
            }
            // The order of the two ends is not defined.
            #expect(try await given?.log.sorted() == ["finished", "met", "peer ended"])
        }
        #expect(sink.count == 9)
    }

    private struct Broken: Error {}

    @Test("an error of a further role ends the session, and is told to each role")
    func failure() async throws {
        let made = OneShot<Noting, Never>()
        var roles = SessionRoles()
        roles.additional = [
            RoleMaker { handle in
                let role = Noting(handle) { _ in throw Broken() }
                made.settle(.success(role))
                return role
            }
        ]
        try await SessionPair.with { pair in
            await #expect(throws: Broken.self) {
                try await SessionDriver.run(on: pair.receiver, ledger: NoTeams(), roles: roles) {
                    try await $0.stay()
                }
            }
            #expect(await made.value().log == ["Broken()"])
        }
    }

    @Test("a message that no role takes ends the session")
    func noRole() async throws {
        var roles = SessionRoles()
        roles.additional = [RoleMaker(saying: .serves) { Noting($0) { _ in } }]
        try await SessionPair.with { pair in
            let running = Task { [roles] in
                try await SessionDriver.run(on: pair.receiver, ledger: NoTeams(), roles: roles) {
                    try await $0.stay()
                }
            }
            pair.sender.send(.hello(try Message.Hello(teams: [], capabilities: [])))
            pair.sender.send(.list(Message.List(id: 1, after: [], most: 0)))
            #expect(await pair.sender.closeCodes() == [.protocolViolation])
            await #expect(throws: ProtocolViolation.self) { try await running.value }
        }
    }
}
