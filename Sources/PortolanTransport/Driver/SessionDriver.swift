import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization

/// Owns the input of one session and hands what comes to the roles that this side plays in it.
///
/// Both sides may offer and request, several times and at once; the two directions do not wait for each other. A session in which nothing
/// is going on costs its connection and no thread.
package final class SessionDriver: Sendable {
    package let session: Session
    private let rosters: SessionRosters
    let work: SessionWork
    private let roles: SessionRoles
    private let incoming: IncomingLanes
    private let outgoing: OutgoingLanes
    private let receivingBox: Mailbox<ReceivingRole.Input>
    private let offeringBox: Mailbox<OfferingRole.Input>
    private let requesting: RequestingRole
    private let agreed = OneShot<Capabilities, any Error>()
    private let peerHasEnded = OneShot<Void, any Error>()
    /// Settled when everything that the peer has said was handed on, or the session has failed.
    private let inputEnded = OneShot<Void, Never>()
    private let state = Mutex(State())

    private struct State {
        /// Why the session ended early.
        var failure: (any Error)?
        /// Makes who sees to an offer that nobody requested.
        var makeReception: (@Sendable () -> Reception)?
        /// Memory of the peer's offer that is not settled; nil if there is none.
        var offerBytes: Int?
        /// Its last word was said in order.
        var hasFinished = false
        var serving: ServingRole?
    }

    private init(_ session: Session, _ ledger: any TeamLedger, _ roles: SessionRoles) {
        work = SessionWork(on: session.runtime)
        self.session = session
        rosters = SessionRosters(session, ledger)
        self.roles = roles
        let receivingBox = Mailbox<ReceivingRole.Input>(limit: 2) { if case .noticed = $0 { false } else { true } }
        self.receivingBox = receivingBox
        offeringBox = Mailbox(limit: 4) { if case .message = $0 { true } else { false } }
        incoming = IncomingLanes(of: session, roles.pacing) { receivingBox.post(.noticed) }
        outgoing = OutgoingLanes(session)
        requesting = RequestingRole(session)
        guard let serving = roles.serving else { return }
        let role = ServingRole(session, serving) { [unowned self] order in
            try await self.order(order)
        } answered: { [work] in
            work.end(by: .peer)
        }
        state.withLock { $0.serving = role }
    }

    /// Runs a session: plays `roles` in it, and ends it when `body` has returned and nothing is owed to the peer any more.
    ///
    /// - Parameter body: what this side wants of the session. For a side that only answers, ``waitForPeer()``; for one that keeps the session,
    ///   ``stay()``.
    /// - Throws: what ended the session early; what `body` throws, with which the session is closed.
    package static func run<Result: Sendable>(
        on session: Session, ledger: any TeamLedger, roles: SessionRoles = SessionRoles(),
        _ body: @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let driver = SessionDriver(session, ledger, roles)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            // On the same threads, and on those that may block: one task hands on to the next without waking another thread.
            let threads = session.runtime.itemExecutor
            tasks.addTask(executorPreference: threads) {
                await driver.guarding { try await driver.route() }
                driver.inputEnded.settle()
            }
            tasks.addTask(executorPreference: threads) { await driver.guarding { try await driver.receive() } }
            tasks.addTask(executorPreference: threads) {
                await driver.guarding { try await driver.offerWhatIsOrdered() }
            }
            // Not on those, which a disk may hold.
            tasks.addTask(executorPreference: session.runtime.controlExecutor) { await session.alarms.run() }
            if let time = roles.idleTime { tasks.addTask { await driver.endAfterRest(of: time) } }
            if let serving = driver.serving {
                tasks.addTask(executorPreference: threads) { await driver.guarding { try await serving.run() } }
            }
            do {
                let result = try await body(driver)
                try await driver.finish()
                tasks.cancelAll()
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

    // MARK: For whoever has the session

    /// What the peer says it does, once the teams' rosters have been exchanged.
    package var peerCapabilities: Capabilities {
        get async throws { try await agreed.value() }
    }

    /// Makes an offer, after those that were ordered before.
    ///
    /// Where the task is cancelled when the offer has been made, the session ends: an offer cannot be taken back otherwise.
    ///
    /// - Parameters:
    ///   - answerWait: how long the other side may take to decide.
    ///   - wasHeard: called with each word of the other side about the offer.
    /// - Returns: what became of each item; nil if no offer was made.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and what `offering` throws.
    package func offer(
        _ offering: any Offering, answerWait: Duration, manner: SendingManner = SendingManner(),
        wasHeard: @escaping @Sendable () -> Void = {}
    ) async throws -> [ItemOutcome]? {
        guard try await peerCapabilities.contains(.takes) else { throw TransportError.takesNothing }
        return try await order(
            OfferOrder(offering, answering: nil, answerWait: answerWait, manner: manner, wasHeard: wasHeard))
    }

    private func order(_ order: OfferOrder) async throws -> [ItemOutcome]? {
        guard offeringBox.post(.order(order)) else { throw cause ?? TransportError.truncated }
        return try await abandoningIfCancelled {
            try await order.outcomes
        } unless: {
            order.withdraw()
        }
    }

    /// Returns when the peer has said its last word.
    package func waitForPeer() async throws {
        try await withTaskCancellationHandler {
            try await peerHasEnded.value()
        } onCancel: {
            fail(CancellationError())
        }
    }

    /// A part of what the peer shows this side, in the peer's order.
    ///
    /// - Parameters:
    ///   - after: `next` of the part before; empty for the first.
    ///   - most: how many items are wanted at most; 0 leaves that to the peer.
    /// - Throws: `TransportError.sharesNothing`, `.refused`, `.endedUnanswered`, and what ends the session.
    package func list(after: [UInt8] = [], most: Int = 0) async throws -> Message.Listing {
        try await requesting.list(after: after, most: most) { try await prepareToAsk() }
    }

    /// Fetches an item: returns when `reception` has had its last word on what is offered for it.
    ///
    /// Where the task is cancelled when the item has been requested, the session ends.
    ///
    /// - Throws: `TransportError.sharesNothing`, `.refused`, `.endedUnanswered`, and what ends the session.
    package func fetch(_ item: ItemID, _ reception: Reception) async throws {
        let settled = try await requesting.request(item, reception) { try await prepareToAsk() }
        try await abandoningIfCancelled { try await settled.value() }
    }

    private func prepareToAsk() async throws {
        guard try await peerCapabilities.contains(.serves) else { throw TransportError.sharesNothing }
        session.offerMade()
        try await session.runtime.withLookupThread { try tellRosters() }
    }

    /// Runs `body`, and ends the session if the task is cancelled meanwhile.
    ///
    /// - Parameter isDone: whether the session need not end.
    private func abandoningIfCancelled<Result: Sendable>(
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

    /// Tells the peer what is new of the teams that it shares, before anything is said that depends on it. May block.
    private func tellRosters() throws {
        // The next session has room for the rest.
        if try !rosters.tell() { work.retire() }
    }

    // MARK: The input

    private func route() async throws {
        var dialogue = session.dialogue()
        let capabilities = try await rosters.exchange(roles.capabilities) { try await dialogue.next() }
        let isKept = roles.capabilities.intersection(capabilities).contains(.stays)
        if isKept { session.offerMade() }
        if let meet = roles.receiving {
            let makeReception = try await session.runtime.withLookupThread { try await meet() }
            state.withLock { $0.makeReception = makeReception }
        }
        work.open(isKept: isKept)
        agreed.settle(.success(capabilities))
        while let record = try await dialogue.records.next() {
            switch record.type {
            case .control:
                let message = try await decode(record)
                try await handOn(message)
            case .payload: await receivingBox.put(.payload(record))
            case .end: break
            case .tree, .packed: preconditionFailure("The records of lanes are refused on a session")
            }
        }
        try Task.checkCancellation()
        try rosters.endOfInput()
        receivingBox.close()
        offeringBox.post(.peerEnded)
        requesting.peerEnded()
        serving?.peerEnded()
    }

    /// An offer is held until it is settled. Another one that comes meanwhile is refused before anybody looks at it.
    private func decode(_ record: Record) async throws -> Message {
        let message = try await MessageDecoding.decode(record, of: session)
        guard case .offer(let offer) = message else { return message }
        // The offer is in memory twice: as it came, and as it is shown to the one who decides.
        let footprint = 2 * offer.footprint
        let isFirst = state.withLock { state in
            defer { state.offerBytes = state.offerBytes ?? footprint }
            return state.offerBytes == nil
        }
        guard isFirst else { throw ProtocolViolation(.unexpected, "An offer came before the last one was settled.") }
        guard session.held.add(footprint) else { throw TransportError.busy }
        return message
    }

    /// Another offer may come.
    private func letGoOfOffer() {
        let bytes = state.withLock { $0.offerBytes.take() }
        session.held.remove(bytes ?? 0)
    }

    private func handOn(_ message: Message) async throws {
        try roles.capabilities.check(message)
        switch message.route {
        case .driver: try answer(message)
        case .offering: await offeringBox.put(.message(message))
        case .receiving: await receivingBox.put(.message(message))
        case .requesting: try requesting.receive(message)
        case .serving:
            session.offerMade()
            if work.begin(by: .peer) != nil { try await serving?.receive(message) }
        case .opening:
            if case .teamUpdate(let update) = message { return try await rosters.receive(update) }
            throw ProtocolViolation(.unexpected, "\(message.name) came when the beginning of the session was over.")
        }
    }

    private func answer(_ message: Message) throws {
        switch message {
        case .ping(let id): session.send(.pong(id: id))
        case .laneRequest(let number):
            // A request that crosses this side's end record is passed over (PORTOLAN.md 6.10-12).
            guard !state.withLock(\.hasFinished) else { break }
            try session.incomingLanes.connect(number)
        case .close(let close): throw TransportError.closedByPeer(close)
        default: break
        }
    }

    // MARK: Roles

    private func receive() async throws {
        var role = ReceivingRole(
            of: session, from: receivingBox, lanes: incoming, pacing: roles.pacing,
            findReception: { [self] in try await findReception(for: $0) },
            isSettling: { [self] in letGoOfOffer() },
            hasSettled: { [self] offer in
                if let request = offer.request { requesting.settled(request) }
                work.end(by: .peer)
            }, fail: { [self] in fail($0) })
        try await role.run()
        peerHasEnded.settle()
        work.peerEnded()
    }

    /// Who sees to an offer; nil for one that came when this side had said its last word, or is about to.
    private func findReception(for offer: Offer) async throws -> Reception? {
        if let request = offer.request {
            // A peer that has ended its side meanwhile has withdrawn the request: nil.
            guard let reception = try requesting.reception(of: request) else { return nil }
            _ = work.begin(by: .peer, evenIfEnding: true)
            return reception
        }
        guard let make = state.withLock(\.makeReception), work.begin(by: .peer) != nil else { return nil }
        return try await session.runtime.withBlockingThread {
            // The answer depends on them.
            try tellRosters()
            return make()
        }
    }

    private func offerWhatIsOrdered() async throws {
        var role = OfferingRole(of: session, from: offeringBox, lanes: outgoing) { [self] in
            try tellRosters()
        } fail: { [self] in
            fail($0)
        }
        do {
            try await role.run()
        } catch {
            if case TransportError.truncated = error {
                // The peer may have ended the session, and its lanes with it: the input says why.
                offeringBox.close(error)
                await inputEnded.value(ifCancelled: .success(()))
            }
            fail(error)
            // The box is closed before it is drained, so that no order comes after the last one drained.
            offeringBox.close(cause ?? error)
            for case .order(let order) in offeringBox.drain() { order.settle(.failure(cause ?? error)) }
            throw error
        }
    }

    private var serving: ServingRole? { state.withLock(\.serving) }

    // MARK: The end

    /// Says the last word, when nothing is going on any more.
    private func finish() async throws {
        try await work.drain()
        // A peer that reads nothing from a lane any more keeps it waiting.
        try await withTaskCancellationHandler {
            try await session.runtime.withBlockingThread { try endLanes() }
        } onCancel: {
            session.close(Message.Close(.cancelled))
        }
        state.withLock { $0.hasFinished = true }
        agreed.settle(.failure(TransportError.truncated))
        await session.finish()
    }

    private func endLanes() throws {
        do {
            try outgoing.end()
        } catch is TransportError {
            // All work is done, and a peer that has said its end record closes its lanes after a while (PORTOLAN.md 6.10-2).
        }
    }

    private func guarding(_ body: () async throws -> Void) async {
        do { try await body() } catch { fail(error) }
    }

    /// The session is over early; whoever waits for something of it learns why. Only the first cause counts.
    func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            guard state.failure == nil, !state.hasFinished else { return false }
            state.failure = error
            return true
        }
        guard isFirst else { return }
        // An error of a lane says more than the end of the session that it causes.
        let error = cause ?? error
        switch error {
        case is CancellationError where roles.receiving != nil: session.close(Message.Close(.goingAway))
        // The peer goes on elsewhere with what else it has begun.
        case TransportError.abandoned where work.isShared: session.close(Message.Close(.goingAway))
        default: session.close(because: error)
        }
        receivingBox.close(error)
        offeringBox.close(error)
        serving?.fail(error)
        requesting.fail(error)
        agreed.settle(.failure(error))
        peerHasEnded.settle(.failure(error))
        work.fail(error)
    }

    /// Why the session ended early.
    var cause: (any Error)? { incoming.breakage ?? state.withLock(\.failure) }
}
