import PortolanConcurrency
import Synchronization

/// Counts the work of a session, and decides when the session ends.
///
/// Work is an unsettled offer or question of the peer, and each use of the session by this side. A session that ends in
/// order accepts no new work, finishes its work, and sends its end record.
final class SessionWork: Sendable {
    enum Origin: Sendable {
        case peer, own
    }

    private struct State {
        var own = 0
        var peers = 0
        /// Since when there has been no work; nil before the rosters have been exchanged.
        var restingSince: ContinuousClock.Instant?
        /// True if both sides keep the session.
        var isKept = false
        /// True if the session ends as soon as there is no work.
        var isRetired = false
        /// True if no new work is begun.
        var isEnding = false
        /// Settled when there is no work.
        var drained: OneShot<Void, any Error>?

        var count: Int { own + peers }
        var isAtRest: Bool { count == 0 && restingSince != nil }

        /// Ends the session if it is retired and without work.
        ///
        /// - Returns: true if it ends.
        mutating func endIfRetired() -> Bool {
            guard isRetired, isAtRest else { return false }
            isEnding = true
            return true
        }
    }

    private let runtime: Runtime
    private let state = Mutex(State())
    /// Settled when the session is to end.
    private let over = OneShot<Void, any Error>()

    /// - Parameter runtime: its clock measures the idle time.
    init(on runtime: Runtime) { self.runtime = runtime }

    // MARK: Work

    /// Begins a piece of work.
    ///
    /// - Parameter evenIfEnding: true for the answer to an earlier question.
    /// - Returns: true if there was no work before; nil if the session accepts no new work.
    func begin(by origin: Origin, evenIfEnding: Bool = false) -> Bool? {
        state.withLock { state in
            guard !state.isEnding || evenIfEnding else { return nil }
            defer { if origin == .own { state.own += 1 } else { state.peers += 1 } }
            return state.isAtRest
        }
    }

    /// Ends a piece of work.
    func end(by origin: Origin) {
        let (drained, isOver) = state.withLock { state in
            if origin == .own { state.own -= 1 } else { state.peers -= 1 }
            guard state.count == 0 else { return (nil as OneShot<Void, any Error>?, false) }
            if state.restingSince != nil { state.restingSince = runtime.now }
            return (state.drained, state.endIfRetired())
        }
        drained?.settle()
        if isOver { over.settle() }
    }

    /// Allows work, after the exchange of the rosters.
    ///
    /// - Parameter isKept: true if both sides keep the session.
    func open(isKept: Bool) {
        let isOver = state.withLock { state in
            state.restingSince = runtime.now
            state.isKept = isKept
            return state.endIfRetired()
        }
        if isOver { over.settle() }
    }

    /// Begin of the idle time; nil while there is work, and when the session is ending.
    var restingSince: ContinuousClock.Instant? {
        state.withLock { $0.isAtRest && !$0.isEnding ? $0.restingSince : nil }
    }

    /// True if there is no work, or there never could be.
    var isAtRest: Bool { state.withLock(\.isAtRest) }

    /// True if there is more work than one use.
    var isShared: Bool { state.withLock { $0.count > 1 } }

    var hasWorkOfPeer: Bool { state.withLock { $0.peers > 0 } }

    // MARK: The end

    /// Returns when the session is to end.
    func untilOver() async throws { try await over.value() }

    /// Ends the session as soon as there is no work.
    func retire() {
        let isOver = state.withLock { state in
            state.isRetired = true
            return state.endIfRetired()
        }
        if isOver { over.settle() }
    }

    /// Ends the session now, if both sides keep it and there is no work.
    ///
    /// - Returns: true if it does.
    func endAtRest() -> Bool {
        let isOver = state.withLock { state in
            guard state.isAtRest, state.isKept else { return false }
            state.isEnding = true
            return true
        }
        if isOver { over.settle() }
        return isOver
    }

    /// Notes that the peer has ended the session.
    func peerEnded() {
        state.withLock { $0.isEnding = true }
        over.settle()
    }

    /// Ends the session when there has been no work for `time`. Returns then, or when the task is cancelled.
    func endAfterRest(of time: Duration) async {
        while true {
            let left = state.withLock { state -> Duration? in
                guard state.isAtRest, let since = state.restingSince else { return time }
                let left = time - since.duration(to: runtime.now)
                guard left <= .zero else { return left }
                state.isEnding = true
                return nil
            }
            guard let left else {
                over.settle()
                return
            }
            guard (try? await runtime.sleep(for: left)) != nil else { return }
        }
    }

    /// Accepts no new work, and returns when there is no work.
    func drain() async throws {
        let drained = OneShot<Void, any Error>()
        let isDrained = state.withLock { state in
            state.isEnding = true
            state.drained = drained
            return state.count == 0
        }
        if !isDrained { try await drained.value() }
    }

    func fail(_ error: any Error) {
        let drained = state.withLock { state in
            state.isEnding = true
            return state.drained
        }
        over.settle(.failure(error))
        drained?.settle(.failure(error))
    }
}
