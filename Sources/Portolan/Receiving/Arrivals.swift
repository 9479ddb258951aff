import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Items that this process is receiving, so that a dead session that is still open gives way to the one that its sender
/// has opened in its place.
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

    private let runtime: Runtime
    private let arrivals = Mutex<[ItemIdentity: Arrival]>([:])

    init(on runtime: Runtime) { self.runtime = runtime }

    func begin(_ identity: ItemIdentity, on session: Session) -> Arrival {
        let arrival = Arrival(on: session)
        arrivals.withLock { $0[identity] = arrival }
        return arrival
    }

    func end(_ identity: ItemIdentity, _ arrival: Arrival) {
        arrivals.withLock { if $0[identity] === arrival { $0[identity] = nil } }
    }

    /// Ends other sessions that transfer some of the same items and whose sender does not answer, and waits until their
    /// partials can be resumed. All of them together are waited for as long as one.
    func makeRoom(for identities: some Sequence<ItemIdentity>, on session: Session) async {
        let old = arrivals.withLock { arrivals in
            Set(identities).compactMap { identity in
                arrivals[identity].flatMap { $0.session === session ? nil : (identity: identity, arrival: $0) }
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
        let end = runtime.now + Self.endWait
        while !Task.isCancelled, runtime.now < end,
            arrivals.withLock({ arrivals in ending.contains { arrivals[$0.identity] === $0.arrival } })
        {
            try? await runtime.sleep(for: .milliseconds(20))
        }
    }
}
