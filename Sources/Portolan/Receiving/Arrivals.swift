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
        private let heard = Mutex(ContinuousClock.now)

        fileprivate init(on session: Session) {
            self.session = session
        }

        /// Something of it came.
        func progressed() { heard.withLock { $0 = .now } }

        fileprivate var silence: Duration { .now - heard.withLock(\.self) }
    }

    /// Whoever sends is heard of more often than this.
    private static let silence = Duration.seconds(1)
    private static let patience = Duration.seconds(5)

    private let arrivals = Mutex<[ItemIdentity: Arrival]>([:])

    func begin(_ identity: ItemIdentity, on session: Session) -> Arrival {
        let arrival = Arrival(on: session)
        arrivals.withLock { $0[identity] = arrival }
        return arrival
    }

    func end(_ identity: ItemIdentity, _ arrival: Arrival) {
        arrivals.withLock { if $0[identity] === arrival { $0[identity] = nil } }
    }

    /// Ends another session that the same item was coming on and that nothing is heard of, and waits until what came on it can be gone on
    /// with. Blocks.
    func makeRoom(for identity: ItemIdentity, on session: Session) async {
        guard let old = arrivals.withLock({ $0[identity] }), old.session !== session, old.silence > Self.silence
        else { return }
        old.session.close(Message.Close(.goingAway))
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end, arrivals.withLock({ $0[identity] === old }) {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}
