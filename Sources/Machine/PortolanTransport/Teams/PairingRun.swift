import PortolanProtocol

/// Session for pairing two devices: each ends it after it has stored the other one.
package enum PairingRun {
    /// Runs the side that entered the code: stores the other side's key after that side has stored this device's.
    ///
    /// - Parameter store: stores the key durably. May block.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and errors of `store`. The session is then
    ///   closed.
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

    /// Runs the side that made the code: stores the result before the other side learns of it.
    package static func respond<Kept: Sendable>(
        on session: Session, store: @Sendable () throws -> Kept
    ) async throws -> Kept {
        try await Dialogue.run(on: session) { _ in try store() }
    }
}
