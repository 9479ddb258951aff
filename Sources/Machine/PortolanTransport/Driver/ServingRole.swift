import PortolanConcurrency
import PortolanProtocol
import PortolanTrust
import Synchronization

/// This side's part as a holder in a session: answers lists, and requests with offers.
final class ServingRole: SessionRole {
    private enum Question: Sendable {
        case list(Message.List)
        case request(Message.Request)
    }

    let routes: Set<MessageRoute> = [.serving]
    private let handle: SessionHandle
    private let session: Session
    private let serving: any ItemServer
    /// True if the peer has withdrawn its lists and requests.
    private let isOver = Atomic(false)
    private let mailbox = Mailbox<Question>(limit: Limits.questions) { _ in true }

    init(_ handle: SessionHandle, _ serving: any ItemServer) {
        self.handle = handle
        session = handle.session
        self.serving = serving
    }

    /// Takes a question of the peer, unless the session is ending.
    ///
    /// - Throws: `ProtocolViolation` for one too many.
    func receive(_ message: Message) async throws {
        session.offerMade()
        guard handle.beginWork() else { return }
        switch message {
        case .list(let list):
            try handle.take { machine throws(ProtocolViolation) in try machine.receive(list) }
            await mailbox.put(.list(list))
        case .request(let request):
            try handle.take { machine throws(ProtocolViolation) in try machine.receive(request) }
            await mailbox.put(.request(request))
        default: preconditionFailure("\(message.name) asks for nothing")
        }
    }

    func fail(_ error: any Error) { mailbox.close(error) }

    /// Drops the questions of a peer that has ended the session: they count as never asked.
    func peerEnded() {
        isOver.store(true, ordering: .relaxed)
        for _ in mailbox.drain() { handle.endWork() }
    }

    /// Answers questions until the session is over.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { offers in
            while let question = try await mailbox.next() {
                // The next answer is made after the peer has read the last one, so that answers cannot accumulate.
                await session.waitUntilRead()
                switch question {
                case .list(let list): try await answer(list)
                case .request(let request):
                    let (offering, refusal) = try await lookUp(request)
                    if let offering {
                        // Offers queue; lists do not wait for them.
                        offers.addTask { try await self.offer(offering, for: request) }
                    } else {
                        refuse(request.id, because: refusal)
                        handle.endWork()
                    }
                }
            }
        }
    }

    private func answer(_ list: Message.List) async throws {
        defer { handle.endWork() }
        let listing: Message.Listing
        do {
            let page = try await session.runtime.withBlockingThread {
                try serving.items(after: list.after, most: list.most)
            }
            guard let page else { return refuse(list.id, because: .gone) }
            listing = try Message.Listing(id: list.id, items: page.items, next: page.next)
        } catch let error as StoreError {
            throw error
        } catch TransportError.busy {
            return refuse(list.id, because: .busy)
        } catch {
            return refuse(list.id, because: .unspecified)
        }
        guard !isOver.load(ordering: .relaxed) else { return }
        handle.answered(list.id)
        session.send(.listing(listing))
    }

    /// Returns the offering for a request, or why there is none; `GONE` for an item that is not offered or cannot be
    /// read.
    private func lookUp(_ request: Message.Request) async throws -> ((any OfferSource)?, RefusalReason) {
        do {
            return (try await session.runtime.withBlockingThread { try serving.offering(for: request.item) }, .gone)
        } catch let error as StoreError {
            throw error
        } catch TransportError.busy {
            return (nil, .busy)
        } catch {
            return (nil, .gone)
        }
    }

    private func offer(_ offering: any OfferSource, for request: Message.Request) async throws {
        defer { handle.endWork() }
        let isOffered = Atomic(false)
        do {
            try await handle.driver.offer(offering, answering: request.id, manner: serving.manner) {
                isOffered.store(true, ordering: .relaxed)
                self.handle.answered(request.id)
            }
        } catch let error as StoreError {
            throw error
        } catch {
            // The observer of the offering has already reported the failure.
        }
        if !isOffered.load(ordering: .relaxed) { refuse(request.id, because: .gone) }
    }

    private func refuse(_ id: UInt64, because reason: RefusalReason) {
        guard !isOver.load(ordering: .relaxed) else { return }
        handle.answered(id)
        session.send(.refusal(Message.Refusal(id: id, reason: reason)))
    }
}
