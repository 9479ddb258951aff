import NIOCore
import PortolanProtocol

extension Session {
    /// Makes a session of an incoming connection: runs the responder's side of the handshake on it.
    ///
    /// - Parameters:
    ///   - channel: must not have read anything before.
    ///   - address: origin of the connection, for display.
    ///   - lanes: table of the lanes that the session will have.
    /// - Throws: `TransportError`, `HandshakeError`.
    package static func accept(
        on channel: any NIOCore.Channel, from address: String, as identity: LocalIdentity, at door: Door,
        _ timing: SessionDeadlines, lanes: LaneDirectory, runtime: Runtime = .system
    ) async throws -> Session {
        let loop = channel.eventLoop
        let identified = loop.makePromise(of: RemoteIdentity.self)
        let established = loop.makePromise(of: Session.self)
        identified.futureResult.whenFailure { _ in }
        try await loop.submit {
            let handler = SessionHandler(
                handshake: identity.handshake(at: door), deadline: loop.now + timing.offerDeadline,
                silence: timing.silence, address: address, lanes: .admitting(by: lanes), identified: identified,
                established: established, on: loop, runtime: runtime)
            try channel.pipeline.syncOperations.addHandler(handler)
        }.get()
        try await channel.setOption(.autoRead, value: true).get()
        return try await established.futureResult.get()
    }
}
