import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// What this process is receiving at the moment, so that a session which is dead and does not know it yet gives way to the one that its
/// sender has opened in its place.
final class Arrivals: Sendable {
    /// One item on its way in.
    final class Arrival: Sendable {
        fileprivate let session: Session

        fileprivate init(on session: Session) {
            self.session = session
        }
    }

    /// How long a sender may take to give a sign of life when it is asked for one.
    private static let answerWait = Duration.seconds(2)
    /// How long what came on a session that is over may take to be put away.
    private static let endWait = Duration.seconds(5)

    private let arrivals = Mutex<[ItemIdentity: Arrival]>([:])

    func begin(_ identity: ItemIdentity, on session: Session) -> Arrival {
        let arrival = Arrival(on: session)
        arrivals.withLock { $0[identity] = arrival }
        return arrival
    }

    func end(_ identity: ItemIdentity, _ arrival: Arrival) {
        arrivals.withLock { if $0[identity] === arrival { $0[identity] = nil } }
    }

    /// Ends another session that the same item was coming on and whose sender does not answer, and waits until what came on it can be
    /// gone on with.
    func makeRoom(for identity: ItemIdentity, on session: Session) async {
        guard let old = arrivals.withLock({ $0[identity] }), old.session !== session,
            await !old.session.isAnswering(within: Self.answerWait)
        else { return }
        old.session.close(Message.Close(.goingAway))
        let end = ContinuousClock.now + Self.endWait
        while ContinuousClock.now < end, arrivals.withLock({ $0[identity] === old }) {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}
