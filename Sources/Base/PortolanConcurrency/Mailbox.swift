import Synchronization

/// Queue of messages for one task.
///
/// Messages from a peer are bounded: the task that adds one waits for room, and reads nothing more from the peer
/// meanwhile. Messages from this side are not bounded, and never wait.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements = Queue<Element>()
        /// Number of elements from the peer, added by `put`.
        var fromPeer = 0
        var end: Result<Void, any Error>?
        var taker: CheckedContinuation<Void, Never>?
        var putter: CheckedContinuation<Void, Never>?
    }

    private let limit: Int
    private let isFromPeer: @Sendable (Element) -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: largest number of elements of the peer that wait.
    ///   - isFromPeer: returns true for an element that counts towards the limit.
    package init(limit: Int, isFromPeer: @escaping @Sendable (Element) -> Bool) {
        self.limit = limit
        self.isFromPeer = isFromPeer
    }

    /// Adds a message from the peer; waits while there is no room. For one task at a time.
    package func put(_ element: Element) async {
        post(element)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasRoom = state.withLock { state in
                    guard state.fromPeer > limit, state.end == nil, !Task.isCancelled else { return true }
                    state.putter = continuation
                    return false
                }
                if hasRoom { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.putter.take() }?.resume()
        }
    }

    /// Adds an element from the peer if there is room; else drops it.
    ///
    /// - Returns: true if there was room.
    package func postIfRoom(_ element: Element) -> Bool {
        let (hasRoom, taker) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            let counts = isFromPeer(element)
            guard state.end == nil, !counts || state.fromPeer < limit else { return (false, nil) }
            state.elements.append(element)
            if counts { state.fromPeer += 1 }
            return (true, state.taker.take())
        }
        taker?.resume()
        return hasRoom
    }

    /// Adds an element of this side.
    ///
    /// - Returns: false if the mailbox has ended.
    @discardableResult
    package func post(_ element: Element) -> Bool {
        let (isOpen, taker) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.end == nil else { return (false, nil) }
            state.elements.append(element)
            if isFromPeer(element) { state.fromPeer += 1 }
            return (true, state.taker.take())
        }
        taker?.resume()
        return isOpen
    }

    /// Waits for the next element; nil after the last one. For one task at a time.
    ///
    /// - Throws: the error of ``close(_:)``, at once; `CancellationError`.
    package func next() async throws -> Element? {
        while true {
            try Task.checkCancellation()
            if let taken = try take() { return taken.element }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isDue = state.withLock { state in
                        guard state.elements.isEmpty, state.end == nil, !Task.isCancelled else { return true }
                        state.taker = continuation
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.taker.take() }?.resume()
            }
        }
    }

    private enum Taken {
        case one(Element)
        case end

        var element: Element? { if case .one(let element) = self { element } else { nil } }
    }

    private func take() throws -> Taken? {
        let (taken, putter) = try state.withLock { state -> (Taken?, CheckedContinuation<Void, Never>?) in
            if case .failure(let error)? = state.end { throw error }
            guard let element = state.elements.popFirst() else { return (state.end == nil ? nil : .end, nil) }
            guard isFromPeer(element) else { return (.one(element), nil) }
            state.fromPeer -= 1
            return (.one(element), state.putter.take())
        }
        putter?.resume()
        return taken
    }

    /// Removes the elements that were not taken, and returns them. Later elements are not accepted.
    package func drain() -> [Element] {
        state.withLock { $0.elements.drain() }
    }

    /// Ends the mailbox: after the elements that wait, or at once with an error.
    package func close(_ error: (any Error)? = nil) {
        let (taker, putter) = state.withLock { state in
            switch (state.end, error) {
            case (.failure, _): break
            case (_, let error?): state.end = .failure(error)
            case (_, nil): state.end = .success(())
            }
            return (state.taker.take(), state.putter.take())
        }
        taker?.resume()
        putter?.resume()
    }
}
