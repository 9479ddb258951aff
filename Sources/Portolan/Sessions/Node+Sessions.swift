import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// What a node wants of a session with a peer.
struct SessionUse<Result: Sendable>: Sendable {
    let peer: Peer
    /// Activities that the peer must offer in it.
    var wanted: Activities = []
    /// Ports of instances of the peer that turned out not to do that.
    var avoided: Set<UInt16> = []
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
    /// Where the instance of the peer that answers does not do what is wanted, another one is tried.
    ///
    /// - Parameter pacing: bytes a second at which the peer may send; such a session is not shared.
    /// - Throws: `TransportError`, `HandshakeError`, `CancellationError`, and what `accept` and `body` throw.
    func withSession<Result: Sendable>(_ use: SessionUse<Result>, pacing: UInt64? = nil) async throws -> Result {
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
                    // There is no other instance.
                    throw refusal ?? TransportError.takesNothing
                }
            }
        }
    }

    private func runOnce<Result: Sendable>(_ use: SessionUse<Result>, _ pacing: UInt64?) async throws -> Result {
        if configuration.keepsSessions, pacing == nil { return try await sessions.run(use, at: self) }
        let session = try await connect(
            to: use.peer, wanting: use.wanted, avoiding: use.avoided, decide: use.accept)
        use.opened(session)
        var roles = SessionRoles()
        roles.pacing = pacing.map { Pacing(bytesPerSecond: $0) }
        return try await SessionDriver.run(on: session, ledger: ledger(), roles: roles, use.body)
    }

    /// What this node says at the beginning of a session that it does.
    var capabilities: Capabilities {
        var capabilities = service.capabilities
        if configuration.keepsSessions { capabilities.insert(.stays) }
        return capabilities
    }

    /// Ends the sessions that are kept (``NodeConfiguration/idleTime``), and breaks off what is going on in them. Others may be opened later.
    public func close() async { await sessions.close() }
}

extension Error {
    /// Whether another process of the same device may do what this one does not.
    fileprivate var isForOtherInstances: Bool {
        switch self as any Error {
        case TransportError.takesNothing, TransportError.sharesNothing: true
        default: false
        }
    }
}

extension Capabilities {
    init(_ activities: Activities) {
        self = []
        if activities.contains(.takes) { insert(.takes) }
        if activities.contains(.serves) { insert(.serves) }
    }
}

extension Activities {
    init(_ capabilities: Capabilities) {
        self = []
        if capabilities.contains(.takes) { insert(.takes) }
        if capabilities.contains(.serves) { insert(.serves) }
    }
}
