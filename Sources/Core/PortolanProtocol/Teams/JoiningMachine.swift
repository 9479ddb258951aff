import PortolanValues

/// Side that joins a team with a code: it sends a request, receives all heads of the team, stores them and confirms
/// that.
///
/// Violations by the administrator throw; misuse by the owner traps.
///
/// ```swift
/// var machine = JoiningMachine(name: name)
/// perform(machine.start())
/// // a message arrives:      perform(try machine.receive(message))
/// // the end record comes:   try machine.endOfInput()
/// // .adopt(team, heads):    judge and store them durably, then perform(machine.stored()); if they are not to be had,
/// //                         close the session
/// ```
package struct JoiningMachine: Sendable {
    package enum Action: Hashable, Sendable {
        case send(Message)
        /// All heads of the team have come.
        case adopt(TeamID, [RosterHead])
        /// The administrator ended the session: this device is in no team that it was not in before.
        case closed(Message.Close)
        /// All messages are exchanged: end the session.
        case finished
    }

    private enum State {
        case unstarted
        /// The request was sent; heads must come, and some may have come.
        case awaitingHeads(IncomingHeads?)
        /// All heads have come, and were not confirmed yet.
        case storing
        case finished
    }

    private let name: DeviceName
    private var state = State.unstarted

    /// - Parameter name: proposed name of this device in the team.
    package init(name: DeviceName) { self.name = name }

    /// Sends the request to join.
    package mutating func start() -> [Action] {
        guard case .unstarted = state else { preconditionFailure("A request is made once") }
        state = .awaitingHeads(nil)
        return [.send(.joinRequest(Message.JoinRequest(name: name)))]
    }

    package mutating func receive(_ message: Message) throws(ProtocolViolation) -> [Action] {
        switch message {
        case .teamUpdate(let update): return try receive(update)
        case .ping(let id): return [.send(.pong(id: id))]
        case .pong: return []
        case .close(let close): return [.closed(close)]
        default:
            throw ProtocolViolation(.unexpected, "\(message.name) came where a team was to be joined.")
        }
    }

    private mutating func receive(_ update: Message.TeamUpdate) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .unstarted: preconditionFailure("Nothing is received before the request")
        case .storing, .finished: throw ProtocolViolation(.unexpected, "A head of a team came after the last.")
        case .awaitingHeads(let begun):
            let heads = try begun.with(update)
            state = heads.isComplete ? .storing : .awaitingHeads(heads)
            return heads.isComplete ? [.adopt(heads.team, heads.heads)] : []
        }
    }

    /// Notes that the roster of `.adopt` is durably stored.
    package mutating func stored() -> [Action] {
        guard case .storing = state else { preconditionFailure("There is nothing that could be stored") }
        state = .finished
        return [.send(.joined), .finished]
    }

    /// Notes the administrator's end record.
    package func endOfInput() throws(ProtocolViolation) {
        guard case .finished = state else {
            throw ProtocolViolation(.unexpected, "The administrator ended before the team was joined.")
        }
    }
}
