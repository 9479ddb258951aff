import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Items that this process is receiving. A dead session that is still open is ended when its sender opens another one
/// for the same item.
final class Arrivals: Sendable {
    /// Item that is being received.
    final class Arrival: Sendable {
        fileprivate let session: Session

        fileprivate init(on session: Session) {
            self.session = session
        }
    }

    /// Longest wait for a sender's sign of life.
    private static let answerWait = Duration.seconds(2)
    /// Longest time for storing the partials of a session that has ended.
    private static let endWait = Duration.seconds(5)

    private struct State {
        var arrivals: [ItemIdentity: Arrival] = [:]
        /// Called after each change of an arrival.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    private let runtime: Runtime
    private let state = Mutex(State())

    init(on runtime: Runtime) { self.runtime = runtime }

    func begin(_ identity: ItemIdentity, on session: Session) -> Arrival {
        let arrival = Arrival(on: session)
        state.withLock { state in
            state.arrivals[identity] = arrival
            for watcher in state.watchers.values { watcher.yield() }
        }
        return arrival
    }

    func end(_ identity: ItemIdentity, _ arrival: Arrival) {
        state.withLock { state in
            guard state.arrivals[identity] === arrival else { return }
            state.arrivals[identity] = nil
            for watcher in state.watchers.values { watcher.yield() }
        }
    }

    /// Ends other sessions that receive some of the same items and whose sender does not answer, and waits until their
    /// partials can be resumed. All are waited for at once.
    func makeRoom(for identities: some Sequence<ItemIdentity>, on session: Session) async {
        let old = state.withLock { state in
            Set(identities).compactMap { identity in
                state.arrivals[identity].flatMap { $0.session === session ? nil : (identity: identity, arrival: $0) }
            }
        }
        let sessions = Dictionary(old.map { (ObjectIdentifier($0.arrival.session), $0.arrival.session) }) { one, _ in
            one
        }
        let dead = await withTaskGroup(of: Session?.self) { tasks in
            for session in sessions.values {
                tasks.addTask { await session.isAnswering(within: Self.answerWait) ? nil : session }
            }
            return await tasks.reduce(into: Set<ObjectIdentifier>()) { dead, session in
                guard let session else { return }
                session.close(Message.Close(.goingAway))
                dead.insert(ObjectIdentifier(session))
            }
        }
        let ending = old.filter { dead.contains(ObjectIdentifier($0.arrival.session)) }
        guard !ending.isEmpty else { return }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try? await self.runtime.sleep(for: Self.endWait) }
            tasks.addTask {
                await self.wait { arrivals in ending.allSatisfy { arrivals[$0.identity] !== $0.arrival } }
            }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Waits until a condition of the arrivals holds, or the task is cancelled.
    private func wait(until hasCome: ([ItemIdentity: Arrival]) -> Bool) async {
        let (changes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = watcher
            return state.lastWatcher
        }
        defer { state.withLock { $0.watchers[number] = nil } }
        // A change may have happened before the watcher was added.
        watcher.yield()
        for await _ in changes {
            if state.withLock({ hasCome($0.arrivals) }) { return }
        }
    }
}
