import PortolanTransport
import Testing

@testable import Portolan

/// The kinds of errors that end a session.
@Suite struct SessionErrorTests {
    @Test("a peer that speaks no common version is there, so that waiting for it is of no use")
    func versions() throws {
        func kind(_ error: TransportError) -> NodeError.Kind? { (NodeError.ofSession(error) as? NodeError)?.kind }
        #expect(kind(.laneVersionRefused(2...3)) == .inputOutput)
        #expect(kind(.deadlinePassed("it")) == .unreachable)
    }
}
