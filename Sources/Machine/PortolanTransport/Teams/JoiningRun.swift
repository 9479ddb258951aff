import PortolanProtocol
import PortolanValues

/// Joins a team on a session that an invitation's code has opened.
package enum JoiningRun {
    /// - Parameters:
    ///   - name: this device's proposed name in the team.
    ///   - store: keeps the team durably. May block.
    /// - Throws: `TransportError`, `ProtocolViolation`, `CancellationError`, and errors of `store`. The session is
    ///   closed then.
    package static func run<Kept: Sendable>(
        on session: Session, name: DeviceName, store: @Sendable (TeamID, [RosterHead]) throws -> Kept
    ) async throws -> Kept {
        try await Dialogue.run(on: session) { dialogue in
            var machine = JoiningMachine(name: name)
            var actions = machine.start()[...]
            var kept: Kept?
            while true {
                while let action = actions.popFirst() {
                    switch action {
                    case .send(let message): session.send(message)
                    case .adopt(let team, let heads):
                        kept = try store(team, heads)
                        actions += machine.stored()
                    case .closed(let close): throw TransportError.closedByPeer(close)
                    case .finished:
                        guard let kept else { preconditionFailure("Nothing was joined") }
                        return kept
                    }
                }
                guard let message = try await dialogue.next() else {
                    try machine.endOfInput()
                    throw TransportError.truncated
                }
                actions += try machine.receive(message)
            }
        }
    }
}
