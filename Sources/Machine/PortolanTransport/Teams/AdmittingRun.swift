import PortolanProtocol
import PortolanValues

/// Takes a device into a team on a session that an invitation's code has opened.
package enum AdmittingRun {
    /// - Parameter admit: adds the device under this name or another one, and returns the new heads of the team. May
    ///   block.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and errors of `admit`. After `admit` has
    ///   returned, the device is a member in spite of an error.
    package static func run(
        on session: Session, admit: @Sendable (DeviceName) throws -> (TeamID, [RosterHead])
    ) async throws {
        try await Dialogue.run(on: session) { dialogue in
            var machine = AdmittingMachine()
            while let message = try await dialogue.next() {
                for action in try machine.receive(message) {
                    switch action {
                    case .send(let message): session.send(message)
                    case .admit(let name):
                        let (team, heads) = try admit(name)
                        for case .send(let message) in machine.admitted(team, heads) { session.send(message) }
                    case .closed(let close): throw TransportError.closedByPeer(close)
                    case .finished: return
                    }
                }
            }
            try machine.endOfInput()
        }
    }
}
