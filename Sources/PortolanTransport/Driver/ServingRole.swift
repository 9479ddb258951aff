import PortolanProtocol
import PortolanTrust
import Synchronization

/// This side's part as a holder in a session: answers lists, and requests with offers.
final class ServingRole: Sendable {
    private enum Question: Sendable {
        case list(Message.List)
        case request(Message.Request)
    }

    private let session: Session
    private let serving: any Serving
    private let order: @Sendable (OfferOrder) async throws -> [ItemOutcome]?
    private let answered: @Sendable () -> Void
    private let machine = Mutex(ServingMachine())
    /// Whether the peer has withdrawn its lists and requests.
    private let isOver = Atomic(false)
    private let mailbox = Mailbox<Question>(limit: Limits.questions) { _ in true }

    /// - Parameters:
    ///   - order: makes an offer and returns when it is settled.
    ///   - answered: called for each question that has had its last word.
    init(
        _ session: Session, _ serving: any Serving,
        order: @escaping @Sendable (OfferOrder) async throws -> [ItemOutcome]?,
        answered: @escaping @Sendable () -> Void
    ) {
        self.session = session
        self.serving = serving
        self.order = order
        self.answered = answered
    }

    /// Takes a question of the peer.
    ///
    /// - Throws: `ProtocolViolation` for one too many.
    func receive(_ message: Message) async throws {
        switch message {
        case .list(let list):
            try machine.withLock { machine throws(ProtocolViolation) in try machine.receive(list) }
            await mailbox.put(.list(list))
        case .request(let request):
            try machine.withLock { machine throws(ProtocolViolation) in try machine.receive(request) }
            await mailbox.put(.request(request))
        default: preconditionFailure("\(message.name) asks for nothing")
        }
    }

    func fail(_ error: any Error) { mailbox.close(error) }

    /// The peer has ended the session: its questions count as never asked.
    func peerEnded() {
        isOver.store(true, ordering: .relaxed)
        for _ in mailbox.drain() { answered() }
    }

    /// Answers, until the session is over.
    ///
    /// - Throws: `StoreError` where this device cannot tell what the peer may see (TEAMS.md 8.9-1).
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { offers in
            while let question = try await mailbox.next() {
                // Answers are made as they are read, so that nobody has them piled up here.
                await session.waitUntilRead()
                switch question {
                case .list(let list): try await answer(list)
                case .request(let request):
                    guard let offering = try await lookUp(request) else {
                        refuse(request.id, because: .gone)
                        answered()
                        continue
                    }
                    // Offers queue; lists do not wait for them.
                    offers.addTask { try await self.offer(offering, for: request) }
                }
            }
        }
    }

    private func answer(_ list: Message.List) async throws {
        defer { answered() }
        let listing: Message.Listing
        do {
            let page = try await session.runtime.withBlockingThread {
                try serving.items(after: list.after, most: list.most)
            }
            guard let page else { return refuse(list.id, because: .gone) }
            listing = try Message.Listing(id: list.id, items: page.items, next: page.next)
        } catch let error as StoreError {
            throw error
        } catch {
            return refuse(list.id, because: .unspecified)
        }
        guard !isOver.load(ordering: .relaxed) else { return }
        machine.withLock { $0.answered(list.id) }
        session.send(.listing(listing))
    }

    /// The offering for a request; nil for an item that is not on offer, or cannot be read.
    private func lookUp(_ request: Message.Request) async throws -> (any Offering)? {
        do {
            return try await session.runtime.withBlockingThread { try serving.offering(for: request.item) }
        } catch let error as StoreError {
            throw error
        } catch {
            return nil
        }
    }

    private func offer(_ offering: any Offering, for request: Message.Request) async throws {
        defer { answered() }
        let isOffered = Atomic(false)
        let order = OfferOrder(offering, answering: request.id, answerWait: Self.answerWait, manner: serving.manner) {
            isOffered.store(true, ordering: .relaxed)
            self.machine.withLock { $0.answered(request.id) }
        }
        do {
            _ = try await self.order(order)
        } catch let error as StoreError {
            throw error
        } catch {
            // The offering's own observer has been told of the failure.
        }
        if !isOffered.load(ordering: .relaxed) { refuse(request.id, because: .gone) }
    }

    /// Whoever requests something has decided.
    private static let answerWait = Duration.seconds(600)

    private func refuse(_ id: UInt64, because reason: RefusalReason) {
        guard !isOver.load(ordering: .relaxed) else { return }
        machine.withLock { $0.answered(id) }
        session.send(.refusal(Message.Refusal(id: id, reason: reason)))
    }
}
