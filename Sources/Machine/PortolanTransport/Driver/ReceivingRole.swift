import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// This side's role as a receiver in a session: the peer's offers and the items of them.
final class ReceivingRole: SessionRole {
    private struct State {
        /// Makes the reception of an unrequested offer.
        var makeReception: (@Sendable () -> Reception)?
        /// Memory of the peer's unsettled offer; nil if there is none.
        var offerBytes: Int?
    }

    let routes: Set<MessageRoute> = [.receiving]
    let lanes: IncomingLanes
    private let handle: SessionHandle
    private let meet: (@Sendable () async throws -> @Sendable () -> Reception)?
    private let pacing: Pacer?
    private let requesting: RequestingRole
    private let mailbox: Mailbox<ReceivingRun.Input>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - meet: `SessionRoles.receiving`.
    ///   - requesting: has the receptions of offers that this side requested.
    init(
        _ handle: SessionHandle, _ meet: (@Sendable () async throws -> @Sendable () -> Reception)?, _ pacing: Pacer?,
        _ requesting: RequestingRole
    ) {
        self.handle = handle
        self.meet = meet
        self.pacing = pacing
        self.requesting = requesting
        let mailbox = Mailbox<ReceivingRun.Input>(limit: 2) { input in
            switch input {
            case .noticed, .refused: false
            case .message, .payload: true
            }
        }
        self.mailbox = mailbox
        lanes = IncomingLanes(of: handle.session, pacing) { mailbox.post(.noticed) }
    }

    func meetPeer() async throws {
        guard let meet else { return }
        let makeReception = try await handle.session.runtime.withLookupThread { try await meet() }
        state.withLock { $0.makeReception = makeReception }
    }

    func receive(_ message: Message) async throws {
        if case .offer(let offer) = message { try hold(offer) }
        await mailbox.put(.message(message))
    }

    /// Takes a payload record, as a message is taken.
    func receive(_ payload: Record) async { await mailbox.put(.payload(payload)) }

    func run() async throws {
        let driver = handle.driver
        var run = ReceivingRun(
            of: driver.session, from: mailbox, lanes: lanes, pacing: pacing,
            findReception: { [self] in try await findReception(for: $0) },
            isSettling: { [self] in letGoOfOffer() },
            hasSettled: { [self] offer in
                if let request = offer.request { requesting.settled(request) }
                handle.endWork()
            }, isPutOut: { driver.isPutOut }, fail: { driver.fail($0) })
        try await run.run()
        driver.tookLastWord()
    }

    func peerEnded() { mailbox.close() }

    func refuse(_ error: TransportError) { mailbox.post(.refused(error)) }

    func fail(_ error: any Error) { mailbox.close(error) }

    var breakage: (any Error)? { lanes.breakage }

    // MARK: Offers

    /// Reserves memory for an offer until it is settled. Another offer in the meantime is refused unread.
    private func hold(_ offer: Offer) throws {
        // The offer is in memory twice: as decoded, and as shown for the decision.
        let footprint = 2 * offer.footprint
        let isFirst = state.withLock { state in
            defer { state.offerBytes = state.offerBytes ?? footprint }
            return state.offerBytes == nil
        }
        guard isFirst else { throw ProtocolViolation(.unexpected, "An offer came before the last one was settled.") }
        guard handle.session.held.add(footprint) else { throw TransportError.busy }
    }

    /// Releases the memory of the settled offer, so that another one is accepted.
    private func letGoOfOffer() {
        let bytes = state.withLock { $0.offerBytes.take() }
        handle.session.held.remove(bytes ?? 0)
    }

    /// Finds the reception for an offer; nil if the offer came after this side's last message, or crossed it.
    private func findReception(for offer: Offer) async throws -> Reception? {
        let driver = handle.driver
        if let request = offer.request {
            // A peer that has ended its side meanwhile has withdrawn the request: nil.
            guard let reception = try requesting.reception(of: request) else { return nil }
            _ = driver.work.begin(by: .peer, evenIfEnding: true)
            return reception
        }
        guard let make = state.withLock(\.makeReception), handle.beginWork() else { return nil }
        return try await handle.session.runtime.withBlockingThread {
            // The answer depends on them.
            try handle.tellRosters()
            return make()
        }
    }
}
