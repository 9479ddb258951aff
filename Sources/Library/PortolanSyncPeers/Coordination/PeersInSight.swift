import Portolan
import PortolanConcurrency
import PortolanTransport
import Synchronization

/// Peers in sight, with the sessions that this device opens, and the pauses before the next one.
final class PeersInSight: Sendable {
    private struct State {
        var peers: [Peer] = []
        /// Peers with an open session, one that is being opened, or a pause.
        var busy: Set<String> = []
        /// Ends of pauses.
        var pauses: [String: OneShot<Void, Never>] = [:]
        var retries: [String: RetryPause] = [:]
    }

    private let runtime: Runtime
    private let state = Mutex(State())
    /// Signal after each change, for one task.
    let changes: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation

    init(_ runtime: Runtime) {
        self.runtime = runtime
        (changes, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    var peers: [Peer] { state.withLock(\.peers) }

    /// Signals that a session may be of use.
    func look() { caller.yield() }

    /// Replaces the peers. A pause before a session with a peer that has appeared or changed ends.
    func see(_ peers: [Peer]) {
        let pauses = state.withLock { state in
            let before = Set(state.peers)
            state.peers = peers
            return peers.filter { !before.contains($0) }.compactMap { state.pauses[$0.id] }
        }
        for pause in pauses { pause.settle() }
        look()
    }

    /// - Returns: false if there is a session with the peer, or a pause.
    func begin(_ peer: Peer) -> Bool { state.withLock { $0.busy.insert(peer.id).inserted } }

    /// Pauses after the end of a session, and permits the next one.
    ///
    /// - Parameters:
    ///   - lasted: time from the attempt to connect to the end.
    ///   - longest: longest pause; nil for one that grows with each short session in a row.
    func end(_ peer: Peer, lasted: Duration, longest: Duration?) async throws {
        let isSeen = OneShot<Void, Never>()
        let growing = state.withLock { state in
            state.pauses[peer.id] = isSeen
            return state.retries[peer.id, default: RetryPause()].next(lasted: lasted)
        }
        defer {
            state.withLock { state in
                state.busy.remove(peer.id)
                state.pauses[peer.id] = nil
                if !state.peers.contains(where: { $0.id == peer.id }) { state.retries[peer.id] = nil }
            }
            look()
        }
        // Announcements that change all the time cause no more than one attempt in this time.
        try await runtime.sleep(for: RetryPause.shortest)
        let rest = (longest ?? growing) - RetryPause.shortest
        guard rest > .zero else { return }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await isSeen.value(ifCancelled: .success(())) }
            tasks.addTask { [runtime] in try? await runtime.sleep(for: rest) }
            await tasks.next()
            tasks.cancelAll()
        }
        try Task.checkCancellation()
    }
}

/// Pauses before the next session with a peer.
struct RetryPause: Sendable {
    static let shortest = Duration.seconds(1)
    static let longest = Duration.seconds(5)

    /// Sessions that were short or failed, in a row.
    private var failures = 0

    init() {}

    /// Returns the next pause.
    ///
    /// - Parameter lasted: time from the attempt to connect to the end of the session.
    mutating func next(lasted: Duration) -> Duration {
        if lasted > .seconds(10) { failures = 0 }
        defer { failures += 1 }
        return min(Self.shortest * (1 << min(failures, 3)), Self.longest)
    }
}
