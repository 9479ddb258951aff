import NIOCore
import PortolanConcurrency
import PortolanProtocol
import PortolanTrust
import Synchronization

/// Owns the input of one session and hands what comes to the roles that this side plays in it.
///
/// Both sides may offer and request, several times and at once; the two directions do not wait for each other. A session in which nothing
/// is going on costs its connection and no thread.
package final class SessionDriver: Sendable {
    let session: Session
    private let ledger: any TeamLedger
    private let roles: SessionRoles
    private let incoming: IncomingLanes
    private let outgoing: OutgoingLanes
    private let receivingBox: Mailbox<ReceivingRole.Input>
    private let offeringBox: Mailbox<OfferingRole.Input>
    private let requesting: RequestingRole
    private let agreed = OneShot<Capabilities, any Error>()
    private let peerHasEnded = OneShot<Void, any Error>()
    private let state = Mutex(State())

    private struct State {
        /// Why the session ended early.
        var failure: (any Error)?
        /// Makes who sees to an offer that nobody requested.
        var makeReception: (@Sendable () -> Reception)?
        /// Nothing new is begun any more.
        var isEnding = false
        /// What the peer has offered or asked for and has had no last word on.
        var owed = 0
        var atRest: OneShot<Void, any Error>?
        /// Its last word was said in order.
        var hasFinished = false
        var serving: ServingRole?
    }

    private init(_ session: Session, _ ledger: any TeamLedger, _ roles: SessionRoles) {
        self.session = session
        self.ledger = ledger
        self.roles = roles
        let receivingBox = Mailbox<ReceivingRole.Input>(limit: 4) { if case .noticed = $0 { false } else { true } }
        self.receivingBox = receivingBox
        offeringBox = Mailbox(limit: 8) { if case .message = $0 { true } else { false } }
        incoming = IncomingLanes(of: session, roles.pacing) { receivingBox.post(.noticed) }
        outgoing = OutgoingLanes(session)
        requesting = RequestingRole(session)
        guard let serving = roles.serving else { return }
        let role = ServingRole(session, serving) { [unowned self] order in
            try await self.order(order)
        } answered: { [unowned self] in
            settleDebt()
        }
        state.withLock { $0.serving = role }
    }

    /// Runs a session: plays `roles` in it, and ends it when `body` has returned and nothing is owed to the peer any more.
    ///
    /// - Parameter body: what this side wants of the session. For a side that only answers, ``waitForPeer()``.
    /// - Throws: what ended the session early; what `body` throws, with which the session is closed.
    package static func run<Result: Sendable>(
        on session: Session, ledger: any TeamLedger, roles: SessionRoles = SessionRoles(),
        _ body: @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let driver = SessionDriver(session, ledger, roles)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await driver.guarding { try await driver.route() } }
            tasks.addTask { await driver.guarding { try await driver.receive() } }
            tasks.addTask { await driver.guarding { try await driver.offerWhatIsOrdered() } }
            if let serving = driver.serving { tasks.addTask { await driver.guarding { try await serving.run() } } }
            do {
                let result = try await body(driver)
                try await driver.finish()
                tasks.cancelAll()
                return result
            } catch {
                driver.fail(error)
                tasks.cancelAll()
                try? await tasks.waitForAll()
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
    /// - Parameter answerWait: how long the other side may take to decide.
    /// - Returns: what became of each item; nil if no offer was made.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and what `offering` throws.
    package func offer(
        _ offering: any Offering, answerWait: Duration, manner: SendingManner = SendingManner()
    ) async throws -> [ItemOutcome]? {
        guard try await peerCapabilities.contains(.takes) else { throw TransportError.takesNothing }
        return try await order(OfferOrder(offering, answering: nil, answerWait: answerWait, manner: manner))
    }

    private func order(_ order: OfferOrder) async throws -> [ItemOutcome]? {
        guard offeringBox.post(.order(order)) else { throw cause ?? TransportError.truncated }
        return try await withTaskCancellationHandler {
            try await order.outcomes
        } onCancel: {
            // What was offered cannot be taken back but by ending the session.
            fail(CancellationError())
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
        try await requireServing()
        return try await withTaskCancellationHandler {
            try await requesting.list(after: after, most: most)
        } onCancel: {
            fail(CancellationError())
        }
    }

    /// Fetches an item: returns when `reception` has had its last word on what is offered for it.
    ///
    /// - Throws: `TransportError.sharesNothing`, `.refused`, `.endedUnanswered`, and what ends the session.
    package func fetch(_ item: ItemID, _ reception: Reception) async throws {
        try await requireServing()
        try await withTaskCancellationHandler {
            try await requesting.request(item, reception)
        } onCancel: {
            fail(CancellationError())
        }
    }

    private func requireServing() async throws {
        guard try await peerCapabilities.contains(.serves) else { throw TransportError.sharesNothing }
        session.offerMade()
    }

    // MARK: The input

    private func route() async throws {
        var dialogue = session.dialogue()
        let capabilities = try await TeamExchanging(session: session, ledger: ledger, capabilities: roles.capabilities)
            .run { try await dialogue.next() }
        if roles.stays, capabilities.contains(.stays) { session.offerMade() }
        if let meet = roles.receiving {
            let makeReception = try await session.runtime.withLookupThread { try await meet() }
            state.withLock { $0.makeReception = makeReception }
        }
        agreed.settle(.success(capabilities))
        while let record = try await dialogue.records.next() {
            switch record.type {
            case .control:
                let message = try Message(decoding: record.body.readableBytesView)
                session.recycle(record)
                try await handOn(message)
            case .payload: await receivingBox.put(.payload(record))
            case .end: break
            case .tree, .packed: preconditionFailure("The records of lanes are refused on a session")
            }
        }
        try Task.checkCancellation()
        receivingBox.close()
        offeringBox.post(.peerEnded)
        requesting.peerEnded()
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
            if owe() { try await serving?.receive(message) }
        case .opening:
            throw ProtocolViolation(.unexpected, "\(message.name) came when the beginning of the session was over.")
        }
    }

    private func answer(_ message: Message) throws {
        switch message {
        case .ping(let id): session.send(.pong(id: id))
        case .laneRequest(let number):
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
            hasSettled: { [self] offer in
                if let request = offer.request { requesting.settled(request) }
                settleDebt()
            }, fail: { [self] in fail($0) })
        try await role.run()
        peerHasEnded.settle()
    }

    /// Who sees to an offer; nil for one that came when this side had said its last word, or is about to.
    private func findReception(for offer: Offer) async throws -> Reception? {
        if let request = offer.request {
            let reception = try requesting.reception(of: request)
            _ = owe(evenIfEnding: true)
            return reception
        }
        guard owe(), let make = state.withLock(\.makeReception) else { return nil }
        return await session.runtime.withLookupThread { make() }
    }

    private func offerWhatIsOrdered() async throws {
        var role = OfferingRole(of: session, from: offeringBox, lanes: outgoing) { [self] in fail($0) }
        try await role.run()
    }

    private var serving: ServingRole? { state.withLock(\.serving) }

    // MARK: The end

    /// Something of the peer's is to be answered for.
    ///
    /// - Returns: false if nothing new is begun any more.
    private func owe(evenIfEnding: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.isEnding || evenIfEnding else { return false }
            state.owed += 1
            return true
        }
    }

    private func settleDebt() {
        state.withLock { state in
            state.owed -= 1
            return state.owed == 0 ? state.atRest : nil
        }?.settle()
    }

    /// Says the last word, when nothing is owed to the peer any more.
    private func finish() async throws {
        let atRest = OneShot<Void, any Error>()
        let isAtRest = state.withLock { state in
            state.isEnding = true
            state.atRest = atRest
            return state.owed == 0
        }
        if !isAtRest { try await atRest.value() }
        // A peer that reads nothing from a lane any more keeps it waiting.
        try await withTaskCancellationHandler {
            try await session.runtime.withBlockingThread { try outgoing.end() }
        } onCancel: {
            session.close(Message.Close(.cancelled))
        }
        state.withLock { $0.hasFinished = true }
        await session.finish()
    }

    private func guarding(_ body: () async throws -> Void) async {
        do { try await body() } catch { fail(error) }
    }

    /// The session is over early; whoever waits for something of it learns why. Only the first cause counts.
    private func fail(_ error: any Error) {
        let (isFirst, atRest) = state.withLock { state in
            guard state.failure == nil, !state.hasFinished else { return (false, nil as OneShot<Void, any Error>?) }
            state.failure = error
            return (true, state.atRest)
        }
        guard isFirst else { return }
        // An error of a lane says more than the end of the session that it causes.
        let error = cause ?? error
        if error is CancellationError, roles.receiving != nil {
            session.close(Message.Close(.goingAway))
        } else {
            session.close(because: error)
        }
        receivingBox.close(error)
        offeringBox.close(error)
        serving?.fail(error)
        requesting.fail(error)
        agreed.settle(.failure(error))
        peerHasEnded.settle(.failure(error))
        atRest?.settle(.failure(error))
    }

    /// Why the session ended early.
    private var cause: (any Error)? { incoming.breakage ?? state.withLock(\.failure) }
}
