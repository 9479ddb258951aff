import PortolanProtocol
import PortolanTransport
import Synchronization

extension NodeSessions {
    /// Runs an operation in a session with a peer. The session is opened for the operation and ended after it, unless
    /// both sides keep sessions.
    ///
    /// If the answering instance of the peer does not have the wanted activities, another instance is tried.
    ///
    /// - Parameter pacing: bytes a second at which the peer may send; such a session is not shared.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, and errors of `accept` and `body`.
    func with<Result: Sendable>(_ use: SessionUse<Result>, pacing: UInt64? = nil) async throws -> Result {
        // Each look-up is no hand-over to another thread then.
        try await withBlockingThread {
            let address = Mutex("")
            var use = use
            let opened = use.opened
            use.opened = { session in
                address.withLock { $0 = session.address }
                opened(session)
            }
            var refusal: (any Error)?
            while true {
                do {
                    return try await runOnce(use, pacing)
                } catch let error where error.isForOtherInstances {
                    let port = address.withLock { $0.split(separator: ":").last.flatMap { UInt16($0) } }
                    guard let port, use.peer.mayBeReplaced(at: port, doing: use.wanted),
                        use.avoided.insert(port).inserted
                    else { throw error }
                    refusal = error
                } catch TransportError.unreachable where refusal != nil {
                    // No other instance is left.
                    throw refusal ?? TransportError.takesNothing
                }
            }
        }
    }

    private func runOnce<Result: Sendable>(_ use: SessionUse<Result>, _ pacing: UInt64?) async throws -> Result {
        if environment.configuration.keepsSessions, pacing == nil { return try await run(use) }
        let session = try await environment.connect(
            to: use.peer, wanting: use.wanted, avoiding: use.avoided, decide: use.accept)
        use.opened(session)
        var roles = SessionRoles()
        roles.pacing = pacing.map { Pacer(bytesPerSecond: $0) }
        return try await SessionDriver.run(
            on: session, ledger: environment.ledger(), roles: roles, awaitsEnd: false
        ) { try await self.passing($0, use.body) }
    }
}

extension Error {
    /// True if another process of the same device may have the missing activities.
    fileprivate var isForOtherInstances: Bool {
        switch self as any Error {
        case TransportError.takesNothing, TransportError.sharesNothing: true
        default: false
        }
    }
}
