import PortolanConcurrency
import PortolanProtocol

/// This side's role as a sender in a session: its offers, one after the other.
final class OfferingRole: SessionRole {
    let routes: Set<MessageRoute> = [.offering]
    private let handle: SessionHandle
    private let lanes: OutgoingLanes
    private let mailbox = Mailbox<OfferingRun.Input>(limit: 4) { if case .message = $0 { true } else { false } }

    init(_ handle: SessionHandle) {
        self.handle = handle
        lanes = OutgoingLanes(handle.session)
    }

    func receive(_ message: Message) async { await mailbox.put(.message(message)) }

    /// Queues an offer behind those that were ordered before.
    ///
    /// - Returns: false if no more offers are made.
    func take(_ order: OfferOrder) -> Bool { mailbox.post(.order(order)) }

    func run() async throws {
        let driver = handle.driver
        var run = OfferingRun(of: driver.session, from: mailbox, lanes: lanes) {
            try driver.tellRosters()
        } offerMade: {
            driver.offerMade()
        } fail: {
            driver.fail($0)
        }
        do {
            try await run.run()
        } catch {
            if case TransportError.truncated = error {
                // The peer may have ended the session with its lanes; the input has the reason.
                mailbox.close(error)
                await driver.waitForInput()
            }
            driver.fail(error)
            // The mailbox is closed before it is drained, so that no order can follow the last drained one.
            let cause = driver.cause ?? error
            mailbox.close(cause)
            for case .order(let order) in mailbox.drain() { order.settle(.failure(cause)) }
            throw error
        }
    }

    func peerEnded() { mailbox.post(.peerEnded) }

    func finish() throws {
        do {
            try lanes.end()
        } catch is TransportError {
            // All work is done, and a peer that has said its end record closes its lanes after a while (SESSION.md
            // 6.10-2).
        }
    }

    func fail(_ error: any Error) { mailbox.close(error) }
}

extension SessionDriver {
    /// Makes an offer, after those that were ordered before.
    ///
    /// If the task is cancelled after the offer was made, the session ends: an offer cannot be withdrawn otherwise.
    ///
    /// - Parameters:
    ///   - answerWait: time that the other side may take to decide.
    ///   - wasHeard: called with each message of the other side about the offer.
    /// - Returns: outcome of each item; nil if no offer was made.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and errors of `offering`.
    package func offer(
        _ offering: any OfferSource, answerWait: Duration, manner: SendingManner = SendingManner(),
        wasHeard: @escaping @Sendable () -> Void = {}
    ) async throws -> [ItemOutcome]? {
        // If the peer turns out not to take anything, the session ends then.
        let isEarly = offering.isForEveryone ? try await offersEarly : false
        if !isEarly, try await !peerCapabilities.contains(.takes) { throw TransportError.takesNothing }
        return try await order(
            OfferOrder(offering, answering: nil, answerWait: answerWait, manner: manner, wasHeard: wasHeard))
    }

    /// Makes the offer that answers a request.
    ///
    /// - Parameter hasOffered: called when the offer has been made.
    package func offer(
        _ offering: any OfferSource, answering request: UInt64, manner: SendingManner = SendingManner(),
        hasOffered: @escaping @Sendable () -> Void
    ) async throws {
        _ = try await order(
            OfferOrder(
                offering, answering: request, answerWait: Self.answerWait, manner: manner, hasOffered: hasOffered))
    }

    /// Time for the answer to a requested offer: the requester has decided already, and no person is asked.
    private static let answerWait = Duration.seconds(600)

    func order(_ order: OfferOrder) async throws -> [ItemOutcome]? {
        guard role(OfferingRole.self)?.take(order) ?? false else { throw cause ?? TransportError.truncated }
        return try await abandoningIfCancelled {
            try await order.outcomes
        } unless: {
            order.withdraw()
        }
    }
}
