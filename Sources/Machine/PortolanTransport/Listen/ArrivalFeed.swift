import PortolanConcurrency
import PortolanProtocol

/// Queue of the arrivals at a listener: sessions and refused connections.
///
/// No session is lost, since their number is limited by the places. Of refused connections, which may be a flood, only
/// a limited number of unread ones is kept.
package final class ArrivalFeed: Sendable {
    private static let mostRefusals = 256

    private let mailbox = Mailbox<Listener.Arrival>(limit: mostRefusals) {
        if case .refused = $0 { true } else { false }
    }

    package init() {}

    /// All arrivals in their order, until the feed is finished or the task is cancelled. Can be iterated once.
    package var arrivals: AsyncStream<Listener.Arrival> {
        AsyncStream { [mailbox] in (try? await mailbox.next()) ?? nil }
    }

    package func put(_ arrival: Listener.Arrival) {
        if !mailbox.postIfRoom(arrival) { Self.close(arrival) }
    }

    package func finish() { mailbox.close() }

    /// Closes the untaken sessions, and all that arrive from now on.
    package func end() {
        mailbox.close()
        for arrival in mailbox.drain() { Self.close(arrival) }
    }

    private static func close(_ arrival: Listener.Arrival) {
        if case .session(let session) = arrival { session.close(Message.Close(.goingAway)) }
    }
}
