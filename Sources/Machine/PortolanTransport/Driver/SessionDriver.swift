import NIOCore
import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// Owns the input of one session and hands each message to the ``SessionRole`` that takes it.
///
/// Both sides may offer and request, repeatedly and at the same time; the two directions do not wait for each other. An
/// idle session costs its connection and no thread.
package final class SessionDriver: Sendable {
    package let session: Session
    private let rosters: SessionRosters
    let work: SessionWork
    let questions = Mutex(ServingMachine())
    private let capabilities: Capabilities
    private let agreed = OneShot<Capabilities, any Error>()
    /// Settled when all input of the peer was handed on, or the session has failed.
    private let inputEnded = OneShot<Void, Never>()
    /// Number of received messages and payload records, without signs of life.
    let heard = Atomic(0)
    private let state = Mutex(State())

    private struct State {
        /// Error that ended the session early.
        var failure: (any Error)?
        /// True if the session ended in order.
        var hasFinished = false
        /// Condition for the first offer that everybody may see (SESSION.md 6.1-10).
        var beginning = SessionStart.open
        /// Set in the initialiser, and not changed.
        var table = RoleTable([])
    }

    /// Beginning of the session, in which both sides exchange the rosters of their teams.
    private enum SessionStart {
        case open
        /// This side makes an offer before the peer has sent anything.
        case makesOffer
        /// The offer was sent.
        case hasOffer
        case over
    }

    private init(_ session: Session, _ ledger: any TeamLedger, _ roles: SessionRoles) {
        work = SessionWork(on: session.runtime)
        self.session = session
        rosters = SessionRosters(session, ledger)
        capabilities = roles.capabilities
        let table = RoleTable(roles.makeRoles(SessionHandle(self)))
        state.withLock { $0.table = table }
    }

    /// Runs a session: plays `roles` in it, and ends it when `body` has returned and all work for the peer is done.
    ///
    /// - Parameters:
    ///   - awaitsEnd: true to wait a moment for the peer's end record. Unnecessary for a side that expects nothing
    ///     after `body`.
    ///   - body: work of this side in the session. ``stay()`` for a side that only answers, or that keeps the session.
    /// - Throws: the error that ended the session early; errors of `body`, with which the session is closed.
    package static func run<Result: Sendable>(
        on session: Session, ledger: any TeamLedger, roles: SessionRoles = SessionRoles(), awaitsEnd: Bool = true,
        _ body: @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let driver = SessionDriver(session, ledger, roles)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            // On the same threads as blocking calls, so that one task continues another without waking a thread.
            let threads = session.runtime.itemExecutor
            tasks.addTask(executorPreference: threads) {
                await driver.guarding { try await driver.route() }
                driver.inputEnded.settle()
            }
            for role in driver.roles {
                tasks.addTask(executorPreference: threads) { await driver.guarding { try await role.run() } }
            }
            // Alarms do not run on the shared executors, since a disk may block those.
            tasks.addTask(executorPreference: session.runtime.controlExecutor) { await session.alarms.run() }
            if let time = roles.idleTime { tasks.addTask { await driver.endAfterRest(of: time) } }
            do {
                var result: Result?
                do {
                    result = try await body(driver)
                } catch TransportError.endedUnanswered {
                    // An end without an error: the peer has ended the session, and this side ends it in order, too.
                }
                try await driver.finish(awaitsEnd: awaitsEnd)
                tasks.cancelAll()
                guard let result else { throw TransportError.endedUnanswered }
                return result
            } catch {
                driver.fail(error)
                tasks.cancelAll()
                try? await tasks.waitForAll()
                if case TransportError.abandoned? = driver.cause, Task.isCancelled { throw CancellationError() }
                throw driver.cause ?? error
            }
        }
    }

    // MARK: For users of the session

    /// Capabilities of the peer, available after the exchange of the teams' rosters.
    package var peerCapabilities: Capabilities {
        get async throws { try await agreed.value() }
    }

    /// True if an offer that does not depend on rosters may be sent before the peer's capabilities are known: this side
    /// has sent a Hello without teams, and the peer's Hello has not come yet.
    var offersEarly: Bool {
        get async throws {
            guard try await rosters.greeting.value() else { return false }
            return state.withLock { state in
                guard state.beginning != .over else { return false }
                if state.beginning == .open { state.beginning = .makesOffer }
                return true
            }
        }
    }

    /// Notes that an offer was made. If it was made before the peer's Hello, a silent peer is not waited for any
    /// longer.
    func offerMade() {
        let isOver = state.withLock { state in
            if state.beginning == .makesOffer { state.beginning = .hasOffer }
            return state.beginning == .over
        }
        if isOver { session.offerMade() }
    }

    /// Returns the role of a type, for the operations that its extensions of the driver offer; nil if this side does
    /// not play it.
    package func role<Role: SessionRole>(_ type: Role.Type) -> Role? {
        roles.lazy.compactMap { $0 as? Role }.first
    }

    /// Runs `body`, and ends the session if the task is cancelled.
    ///
    /// - Parameter isDone: true if the session need not end.
    func abandoningIfCancelled<Result: Sendable>(
        _ body: () async throws -> Result, unless isDone: @Sendable () -> Bool = { false }
    ) async throws -> Result {
        do {
            return try await withTaskCancellationHandler {
                try await body()
            } onCancel: {
                if !isDone() { fail(TransportError.abandoned) }
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// Sends the peer changes of shared teams, before any message that depends on them. May block.
    func tellRosters(evenLater: Bool = false) throws {
        // The next session has room for the rest.
        if try !rosters.tell(evenLater: evenLater) { work.retire() }
    }

    // MARK: The input

    private func route() async throws {
        var dialogue = session.dialogue()
        let peerCapabilities = try await rosters.exchange(capabilities) { try await dialogue.next() }
        let beginning = state.withLock { exchange(&$0.beginning, with: .over) }
        guard beginning == .open || peerCapabilities.contains(.takes) else { throw TransportError.takesNothing }
        // An offer that is still being made ends the deadline when it is sent.
        if beginning == .hasOffer { session.offerMade() }
        let isKept = capabilities.intersection(peerCapabilities).contains(.stays)
        if isKept { session.offerMade() }
        let table = state.withLock(\.table)
        for role in table.roles { try await role.meetPeer() }
        work.open(isKept: isKept)
        agreed.settle(.success(peerCapabilities))
        while let record = try await dialogue.records.next() {
            switch record.type {
            case .control:
                let message = try await MessageDecoder.decode(record, of: session)
                if message.route != .driver { heard.wrappingAdd(1, ordering: .relaxed) }
                try await handOn(message, to: table)
            case .payload:
                heard.wrappingAdd(1, ordering: .relaxed)
                await table.payload?.receive(record)
            case .end: break
            case .tree, .packed: preconditionFailure("The records of lanes are refused on a session")
            }
        }
        try Task.checkCancellation()
        try rosters.endOfInput()
        for role in table.roles { role.peerEnded() }
    }

    private func handOn(_ message: Message, to table: RoleTable) async throws {
        try capabilities.check(message)
        switch message.route {
        case .driver: try answer(message)
        case .opening:
            if case .teamUpdate(let update) = message { return try await rosters.receive(update) }
            throw ProtocolViolation(.unexpected, "\(message.name) came when the beginning of the session was over.")
        default:
            guard let role = table.role(for: message) else {
                throw ProtocolViolation(.unexpected, "\(message.name) came, and nothing here takes it.")
            }
            try await role.receive(message)
        }
    }

    private func answer(_ message: Message) throws {
        switch message {
        case .ping(let id): session.send(.pong(id: id))
        case .laneRequest(let number):
            // A request that crosses this side's end record is passed over (SESSION.md 6.10-12).
            guard !state.withLock(\.hasFinished) else { break }
            try session.incomingLanes.connect(number)
        case .close(let close): throw TransportError.closedByPeer(close)
        default: break
        }
    }

    // MARK: The end

    /// Sends the end record after all work is done.
    private func finish(awaitsEnd: Bool) async throws {
        try await work.drain()
        let roles = self.roles
        // A peer that has stopped reading a lane would keep the lane waiting.
        try await withTaskCancellationHandler {
            try await session.runtime.withBlockingThread { for role in roles { try role.finish() } }
        } onCancel: {
            session.close(Message.Close(.cancelled))
        }
        state.withLock { $0.hasFinished = true }
        agreed.settle(.failure(TransportError.truncated))
        await session.finish(isWaiting: awaitsEnd)
    }

    private var roles: [any SessionRole] { state.withLock(\.table.roles) }

    /// Has the roles refuse the open work of a peer that has lost its rights.
    func refuse(_ error: TransportError) { for role in roles { role.refuse(error) } }

    /// Notes that every message before the peer's end record was handled.
    func tookLastWord() {
        work.peerEnded()
    }

    /// Returns when all input of the peer was handed on, or the session has failed.
    func waitForInput() async { await inputEnded.value(ifCancelled: .success(())) }

    private func guarding(_ body: () async throws -> Void) async {
        do { try await body() } catch { fail(error) }
    }

    /// Ends the session early; its waiters get the error. Only the first cause counts.
    func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            guard state.failure == nil, !state.hasFinished else { return false }
            state.failure = error
            return true
        }
        guard isFirst else { return }
        // The error of a lane is more specific than the end of the session that it causes.
        let error = cause ?? error
        switch error {
        case is CancellationError where capabilities.contains(.takes): session.close(Message.Close(.goingAway))
        // Other work of the peer continues.
        case TransportError.abandoned where work.isShared: session.close(Message.Close(.goingAway))
        default: session.close(because: error)
        }
        for role in roles { role.fail(error) }
        agreed.settle(.failure(error))
        rosters.greeting.settle(.failure(error))
        work.fail(error)
    }

    /// True if the peer has ended the session because this device may not take part any more.
    var isPutOut: Bool {
        guard case TransportError.closedByPeer(let close)? = state.withLock(\.failure) else { return false }
        return close.code == .notTrusted
    }

    /// Error that ended the session early.
    var cause: (any Error)? { roles.lazy.compactMap(\.breakage).first ?? state.withLock(\.failure) }
}
