import DequeModule
import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// This side's part as a requester in a session: asks for the list of the peer's items, and for items.
final class RequestingRole: SessionRole {
    private struct State {
        var machine = RequestingMachine()
        var lists: [UInt64: OneShot<Message.Listing, any Error>] = [:]
        var requests: [UInt64: Pending] = [:]
        /// Requests that wait until another question is allowed.
        var queue: Deque<OneShot<Void, any Error>> = []
        var end: (any Error)?
    }

    private struct Pending {
        let reception: Reception
        let settled = OneShot<Void, any Error>()
        var isOffered = false
    }

    enum Wish: Sendable {
        case item(ItemID)
        case contents([Message.SyncWant.Content], of: SyncFolderID)
    }

    let routes: Set<MessageRoute> = [.requesting]
    private let session: Session
    private let state = Mutex(State())

    init(_ session: Session) {
        self.session = session
    }

    // MARK: Asking

    /// - Parameter prepare: called before the question is sent, and again if that took long.
    func list(
        after: [UInt8], most: Int, preparedBy prepare: @Sendable () async throws -> Void
    ) async throws -> Message.Listing {
        let answer = try await ask(prepare) { [session] state in
            let list = state.machine.list(after: after, most: most)
            let answer = OneShot<Message.Listing, any Error>()
            state.lists[list.id] = answer
            session.send(.list(list))
            return answer
        }
        // The answer still arrives, and is ignored.
        return try await answer.value(ifCancelled: .failure(CancellationError()))
    }

    /// Requests an item, or contents of a folder.
    ///
    /// - Parameter prepare: the same as for a list.
    /// - Returns: settled when the item has been offered and its offer is settled.
    func request(
        _ wish: Wish, _ reception: Reception, preparedBy prepare: @Sendable () async throws -> Void
    ) async throws -> OneShot<Void, any Error> {
        try await ask(prepare) { [session] state in
            let pending = Pending(reception: reception)
            switch wish {
            case .item(let item):
                let request = state.machine.request(item)
                state.requests[request.id] = pending
                session.send(.request(request))
            case .contents(let contents, let folder):
                let want = state.machine.want(contents, of: folder)
                state.requests[want.id] = pending
                session.send(.syncWant(want))
            }
            return pending.settled
        }
    }

    /// - Parameter body: asks, under the lock: questions go out in the order of their numbers.
    private func ask<Asked: Sendable>(
        _ prepare: @Sendable () async throws -> Void, _ body: @Sendable (inout State) -> Asked
    ) async throws -> Asked {
        while true {
            try await prepare()
            let (asked, turn) = try state.withLock { state -> (Asked?, OneShot<Void, any Error>?) in
                if let end = state.end { throw end }
                if state.machine.mayAsk { return (body(&state), nil) }
                let turn = OneShot<Void, any Error>()
                state.queue.append(turn)
                return (nil, turn)
            }
            if let asked { return asked }
            if let turn { try await wait(for: turn) }
        }
    }

    private func wait(for turn: OneShot<Void, any Error>) async throws {
        do {
            try await withTaskCancellationHandler {
                try await turn.value()
            } onCancel: {
                state.withLock { $0.queue.removeAll { $0 === turn } }
                turn.settle(.failure(CancellationError()))
            }
        } catch {
            // The failed request may have been the one whose turn it was.
            callNext()
            throw error
        }
    }

    // MARK: Messages of the peer

    /// - Throws: `ProtocolViolation` for an answer without a question.
    func receive(_ message: Message) throws {
        let settle = try state.withLock { state -> () -> Void in
            switch message {
            case .listing(let listing):
                try state.machine.receive(listing)
                let answer = state.lists.removeValue(forKey: listing.id)
                return { answer?.settle(.success(listing)) }
            case .refusal(let refusal):
                try state.machine.receive(refusal)
                let error = TransportError.refused(refusal.reason)
                let (list, request) = (
                    state.lists.removeValue(forKey: refusal.id), state.requests.removeValue(forKey: refusal.id)
                )
                return {
                    list?.settle(.failure(error))
                    request?.settled.settle(.failure(error))
                }
            default: preconditionFailure("\(message.name) answers nothing")
            }
        }
        settle()
        callNext()
    }

    /// Returns the reception of an offer that answers a request.
    ///
    /// - Throws: `ProtocolViolation` if it answers none.
    func reception(of request: UInt64) throws -> Reception? {
        defer { callNext() }
        return try state.withLock { state in
            try state.machine.receiveOffer(answering: request)
            state.requests[request]?.isOffered = true
            return state.requests[request]?.reception
        }
    }

    /// Settles a request after the last message on the offer that answered it.
    func settled(_ request: UInt64) {
        state.withLock { $0.requests.removeValue(forKey: request) }?.settled.settle()
    }

    private func callNext() {
        state.withLock { $0.machine.mayAsk ? $0.queue.popFirst() : nil }?.settle()
    }

    // MARK: The end

    /// Fails the peer's unanswered questions after its end record; its offers may still be running.
    func peerEnded() { end(TransportError.endedUnanswered) { !$0.isOffered } }

    func fail(_ error: any Error) { end(error) { _ in true } }

    private func end(_ error: any Error, _ concerns: (Pending) -> Bool) {
        let (lists, requests, queue) = state.withLock { state in
            state.end = state.end ?? error
            let concerned = state.requests.filter { concerns($0.value) }
            for id in concerned.keys { state.requests[id] = nil }
            defer { (state.lists, state.queue) = ([:], []) }
            // In the order of the questions, so that a simulation is determined by its seed.
            let lists = state.lists.sorted { $0.key < $1.key }.map(\.value)
            let requests = concerned.sorted { $0.key < $1.key }.map(\.value.settled)
            return (lists, requests, Array(state.queue))
        }
        for list in lists { list.settle(.failure(error)) }
        for request in requests { request.settle(.failure(error)) }
        for turn in queue { turn.settle(.failure(error)) }
    }
}
