import PortolanProtocol
import Testing

@testable import PortolanTransport

/// A session that is over leaves nothing in memory, its keys included.
@Suite struct SessionLifetimeTests {
    private struct Trace {
        weak var session: Session?
        weak var incoming: SessionLanes?
        weak var outgoing: SessionLanes?

        init(_ session: Session) {
            self.session = session
            incoming = session.incomingLanes
            outgoing = session.outgoingLanes
        }

        var isGone: Bool { session == nil && incoming == nil && outgoing == nil }
    }

    @Test func endedSessionIsReleased() async throws {
        var traces: [Trace] = []
        try await SessionPair.with { pair in
            traces = [Trace(pair.sender), Trace(pair.receiver)]
            #expect(!traces[0].isGone && !traces[1].isGone)
        }
        let places = traces
        #expect(try await comesTrue { places.allSatisfy(\.isGone) })
    }
}
