import PortolanValues

/// Administrator's side of a device's joining a team with a code.
///
/// Violations by the joining device throw; misuse by the owner traps.
///
/// ```swift
/// var machine = AdmittingMachine()
/// // a message arrives:      perform(try machine.receive(message))
/// // the end record comes:   try machine.endOfInput()
/// // .admit(name):           add the proved key to the roster, store that durably, then
/// //                         perform(machine.admitted(team, heads)), or perform(machine.refuse(close))
/// ```
package struct AdmittingMachine: Sendable {
    package enum Action: Hashable, Sendable {
        case send(Message)
        /// The device asks to become a member with this name.
        case admit(DeviceName)
        /// The device ended the session. Its membership in our roster does not depend on that.
        case closed(Message.Close)
        /// All messages are exchanged: end the session.
        case finished
    }

    private enum State {
        case awaitingRequest
        /// The request came and was not answered yet.
        case deciding
        /// This side has sent the heads; the device must confirm that it has stored them.
        case awaitingJoined
        /// Over: the device has joined; or it was refused, and its messages are ignored.
        case finished, refused
    }

    private var state = State.awaitingRequest

    package init() {}

    package mutating func receive(_ message: Message) throws(ProtocolViolation) -> [Action] {
        switch (state, message) {
        case (.refused, _): return []
        case (_, .ping(let id)): return [.send(.pong(id: id))]
        case (_, .pong): return []
        case (_, .close(let close)): return [.closed(close)]
        case (.awaitingRequest, .joinRequest(let request)):
            state = .deciding
            return [.admit(request.name)]
        case (.awaitingJoined, .joined):
            state = .finished
            return [.finished]
        default: throw ProtocolViolation(.unexpected, "\(message.name) came where somebody was to join a team.")
        }
    }

    /// Answers a device that is a member now, with the heads of the team that prove it.
    package mutating func admitted(_ team: TeamID, _ heads: [RosterHead]) -> [Action] {
        guard case .deciding = state else { preconditionFailure("Nobody waits to be admitted") }
        state = .awaitingJoined
        return Message.updates(team, heads).map { .send($0) }
    }

    /// Answers a device that is refused; the session ends after it.
    package mutating func refuse(_ close: Message.Close) -> [Action] {
        guard case .deciding = state else { preconditionFailure("Nobody waits to be admitted") }
        state = .refused
        return [.send(.close(close))]
    }

    /// Notes the device's end record.
    package func endOfInput() throws(ProtocolViolation) {
        switch state {
        case .finished, .refused: return
        case .awaitingRequest, .deciding, .awaitingJoined:
            throw ProtocolViolation(.unexpected, "Whoever joins ended before it had joined.")
        }
    }
}
