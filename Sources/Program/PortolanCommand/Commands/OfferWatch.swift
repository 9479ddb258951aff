import Portolan
import Synchronization

/// Measures the time in which no peer has offered anything, and no item of an offer makes progress.
final class OfferWatch: Sendable {
    private struct State {
        /// Sessions with an open offer or a running transfer.
        var sessions: Set<RandomID> = []
        var idleSince = ContinuousClock.now
        var hasOffered = false
        var hasStored = false
        /// Sessions among them in which an item was accepted.
        var taking: Set<RandomID> = []
        /// True if the last session broke off, so that the sender may return.
        var isBroken = false
    }

    private let state = Mutex(State())
    /// Has an element when a session or a pause may have ended.
    private let news: AsyncStream<Void>
    private let feed: AsyncStream<Void>.Continuation
    /// True if an offer without an accepted item counts as activity, too.
    private let countsDeclined: Bool

    init(countsDeclined: Bool) {
        self.countsDeclined = countsDeclined
        (news, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// There was an offer.
    var hasOffered: Bool { state.withLock(\.hasOffered) }

    /// An item was received.
    var hasStored: Bool { state.withLock(\.hasStored) }

    func report(_ event: ReceiveEvent) {
        switch event {
        case .offered(let offer): begin(offer.peer)
        // A resumed item is not offered again.
        case .started(let transfer, _), .resumed(let transfer, _): begin(transfer.peer, isTaken: true)
        case .stored(let item):
            state.withLock { state in
                state.hasStored = true
                state.taking.insert(item.peer.session)
            }
        case .declined(let peer, _):
            // An offer without an importable item is declined without a decision.
            state.withLock { $0.hasOffered = true }
            end(peer, isBroken: false)
        case .finished(let peer): end(peer, isBroken: false)
        case .disconnected(let peer, _): end(peer, isBroken: true)
        default: break
        }
    }

    private func begin(_ peer: RemotePeer, isTaken: Bool = false) {
        state.withLock { state in
            state.sessions.insert(peer.session)
            if isTaken { state.taking.insert(peer.session) }
            state.hasOffered = true
        }
    }

    private func end(_ peer: RemotePeer, isBroken: Bool) {
        state.withLock { state in
            let isTaken = state.taking.remove(peer.session) != nil
            guard state.sessions.remove(peer.session) != nil, isTaken || countsDeclined else { return }
            state.idleSince = .now
            state.isBroken = isBroken
        }
        feed.yield()
    }

    /// Returns after an idle time of this length. Called once.
    ///
    /// - Parameters:
    ///   - time: idle time at the beginning, and after the end of a session.
    ///   - retryTime: idle time after a broken session.
    /// - Returns: the time of the two that has passed.
    /// - Throws: `CancellationError`
    func waitUntilIdle(for time: Duration, afterBreak retryTime: Duration) async throws -> Duration {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            // End of the last pause.
            var pauseEnd: ContinuousClock.Instant?
            feed.yield()
            for await _ in news {
                let now = ContinuousClock.now
                let (isIdle, since, isBroken) = state.withLock { ($0.sessions.isEmpty, $0.idleSince, $0.isBroken) }
                // The end of the open session is reported separately.
                guard isIdle else { continue }
                let limit = isBroken ? retryTime : time
                let end = since + limit
                if end <= now { return limit }
                // A pause that ends before is followed by another one.
                if let pauseEnd, now < pauseEnd, pauseEnd <= end { continue }
                pauseEnd = end
                tasks.addTask { [feed] in
                    try await Task.sleep(until: end, clock: .continuous)
                    feed.yield()
                }
            }
            throw CancellationError()
        }
    }
}
