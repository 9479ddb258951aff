import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

/// Operation of a node in a session with a peer.
struct SessionUse<Result: Sendable>: Sendable {
    let peer: Peer
    /// Activities that the peer must announce in the session.
    var wanted: Activities = []
    /// Ports of instances of the peer that turned out not to do that.
    var avoided: Set<UInt16> = []
    /// Throws if the proved key is not acceptable. Called before this device reveals its identity, and for each kept
    /// session.
    let accept: @Sendable (RemoteIdentity) async throws -> Void
    /// Called with each session that is used.
    var opened: @Sendable (Session) -> Void = { _ in }
    /// True if the peer has answered the operation in part, so that it is not repeated automatically.
    var isAnswered: @Sendable () -> Bool = { false }
    let body: @Sendable (SessionDriver) async throws -> Result
}
