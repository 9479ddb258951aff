import PortolanProtocol
import Testing

@testable import PortolanTransport

/// What a session leaves behind: nothing, and so no keys, however many there were.
@Suite struct SessionLifetimeTests {
    private struct Trace {
        weak var session: Session?
        weak var lanes: SessionLanes?

        init(_ session: Session) {
            self.session = session
            lanes = session.lanes
        }

        var isGone: Bool { session == nil && lanes == nil }
    }

    @Test func aSessionThatIsOverIsLetGoOf() async throws {
        var traces: [Trace] = []
        try await SessionPair.with { pair in
            traces = [Trace(pair.sender), Trace(pair.receiver)]
            #expect(!traces[0].isGone && !traces[1].isGone)
        }
        let places = traces
        #expect(try await comesTrue { places.allSatisfy(\.isGone) })
    }
}
