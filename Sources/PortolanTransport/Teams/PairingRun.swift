import PortolanProtocol

/// The whole of a session by which two devices get to know each other: each ends it when it has written the other down.
package enum PairingRun {
    /// Runs the side that entered the code: keeps the other side's key when that one has kept this device's.
    ///
    /// - Parameter store: keeps it durably. May block.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and errors of `store`. The session is
    ///   closed then.
    package static func initiate<Kept: Sendable>(
        on session: Session, store: @Sendable () throws -> Kept
    ) async throws -> Kept {
        try await Dialogue.run(on: session) { dialogue in
            while let message = try await dialogue.next() {
                switch message {
                case .ping(let id): session.send(.pong(id: id))
                case .pong: continue
                case .close(let close): throw TransportError.closedByPeer(close)
                default:
                    throw ProtocolViolation(.unexpected, "A device that is being paired sent more than its end.")
                }
            }
            return try store()
        }
    }

    /// Runs the side that made the code. The result is stored before the other side hears of it.
    package static func respond<Kept: Sendable>(
        on session: Session, store: @Sendable () throws -> Kept
    ) async throws -> Kept {
        try await Dialogue.run(on: session) { _ in try store() }
    }
}
