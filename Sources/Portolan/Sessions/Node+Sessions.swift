import PortolanProtocol
import PortolanTransport
import PortolanTrust

/// What a node wants of a session with a peer.
struct SessionUse<Result: Sendable>: Sendable {
    let peer: Peer
    /// Throws if the key that was proved is not acceptable. Called before this device has said who it is, and for a session that is open.
    let accept: @Sendable (RemoteIdentity) async throws -> Void
    /// Called with each session that is used.
    var opened: @Sendable (Session) -> Void = { _ in }
    /// Whether the peer has said anything about the operation: then it is not made again by itself.
    var isAnswered: @Sendable () -> Bool = { false }
    let body: @Sendable (SessionDriver) async throws -> Result
}

extension Node {
    /// Runs something in a session with a peer. It is opened for this and ended after it, unless both sides keep sessions.
    ///
    /// - Parameter pacing: bytes a second at which the peer may send; such a session is not shared.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, and what `accept` and `body` throw.
    func withSession<Result: Sendable>(_ use: SessionUse<Result>, pacing: UInt64? = nil) async throws -> Result {
        // Each look-up is no hand-over to another thread then.
        try await withBlockingThread {
            if configuration.keepsSessions, pacing == nil { return try await sessions.run(use, at: self) }
            let session = try await connect(to: use.peer, decide: use.accept)
            use.opened(session)
            var roles = SessionRoles()
            roles.pacing = pacing.map { Pacing(bytesPerSecond: $0) }
            return try await SessionDriver.run(on: session, ledger: ledger(), roles: roles, use.body)
        }
    }

    /// What this node says at the beginning of a session that it does.
    var capabilities: Capabilities {
        var capabilities = service.capabilities
        if configuration.keepsSessions { capabilities.insert(.stays) }
        return capabilities
    }

    /// Ends the sessions that are kept (``Configuration/idleTime``), and breaks off what is going on in them. Others may be opened later.
    public func close() async { await sessions.close() }
}

extension Node.Configuration {
    var keepsSessions: Bool { idleTime.map { $0 > .zero } ?? false }
}
