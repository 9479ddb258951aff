import PortolanValues

/// Exchange of teams at the beginning of a session, the same for both sides: each tells in which teams the other is a
/// member and which parts of the protocol it supports, and sends its heads of each team of which the other holds
/// different ones.
///
/// Each side knows from the two Hellos which heads it will get, so that no questions are needed. Adopted heads do not
/// change this exchange: it has one round. Offers and questions come after `.complete`, in both directions, but for an
/// own offer that everybody may see (SESSION.md 6.1-10); no further Hello comes, and later changes are for
/// ``RosterUpdates``.
///
/// It holds the heads of one team at most. Violations by the peer throw; misuse by the owner traps.
///
/// ```swift
/// var exchange = TeamExchange(own: shared, capabilities: [.takes])
/// perform(exchange.start())
/// // a message arrives:    perform(try exchange.receive(message))
/// // the end record comes: try exchange.endOfInput()
/// // .adopt(team, heads):  judge them; what cannot be adopted is passed over, and the session goes on
/// // .complete:            what the peer may see is what it may see from here on. Offers and questions may go out, if
/// //                       exchange.peerCapabilities allow them, and come in
/// ```
package struct TeamExchange: Sendable {
    package enum Action: Hashable, Sendable {
        case send(Message)
        /// All that the peer holds of this team came. It need not be a team of ours.
        case adopt(TeamID, [RosterHead])
        /// The exchange is complete: offers and questions may go out, and come in.
        case complete
        /// The peer ended the session.
        case closed(Message.Close)
    }

    private enum State {
        /// No message was sent.
        case unstarted
        /// We have sent our Hello; the peer owes its own.
        case awaitingHello
        /// The peer owes the heads of these teams, in this order; those of the first may have begun to come.
        case awaitingUpdates(ArraySlice<TeamID>, IncomingHeads?)
        case complete
    }

    private var state = State.unstarted
    /// This side's own teams, to be told or on their way; released once they are sent.
    private var own: [SharedTeam]
    private let capabilities: Capabilities
    /// Capabilities in the peer's Hello; empty before it came.
    package private(set) var peerCapabilities: Capabilities = []
    /// Bytes of rosters that came.
    private(set) var received = 0
    /// Bytes of rosters that were sent.
    private(set) var sent = 0
    /// The teams that our Hello names, as they were then.
    let told: [TeamDigest]

    /// - Parameters:
    ///   - own: the teams in which the peer is or was a member by our own rosters, no team twice. Teams beyond the
    ///     limits of one session are left out: teams after the first ``Limits/teams``, and those whose rosters do not
    ///     fit.
    ///   - capabilities: the parts of the protocol that this side takes.
    package init(own: [SharedTeam], capabilities: Capabilities) {
        precondition(Set(own.map(\.team)).count == own.count, "A team is shared twice")
        var room = Limits.rosters
        self.capabilities = capabilities
        var kept: [SharedTeam] = []
        for team in own where kept.count < Limits.teams && team.size <= room {
            kept.append(team)
            room -= team.size
        }
        self.own = kept
        told = kept.map(\.digest)
    }

    package var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Says our Hello, which waits for nothing.
    package mutating func start() -> [Action] {
        guard case .unstarted = state else { preconditionFailure("An exchange starts once") }
        state = .awaitingHello
        do {
            return [.send(.hello(try Message.Hello(teams: own.map(\.digest), capabilities: capabilities)))]
        } catch {
            preconditionFailure("Not more teams than there may be, and none twice: \(error)")
        }
    }

    /// Takes the peer's messages until `.complete`, and none after it.
    package mutating func receive(_ message: Message) throws(ProtocolViolation) -> [Action] {
        switch message {
        case .hello(let hello): return try receive(hello)
        case .teamUpdate(let update): return try receive(update)
        case .ping(let id): return [.send(.pong(id: id))]
        case .pong: return []
        case .close(let close): return [.closed(close)]
        default:
            throw ProtocolViolation(.unexpected, "\(message.name) came before everything was said about teams.")
        }
    }

    /// Notes the peer's end record, which is its last message. Once all is said, a session may end without an offer.
    package func endOfInput() throws(ProtocolViolation) {
        guard isComplete else {
            throw ProtocolViolation(.unexpected, "The peer ended before it had said what it announced about teams.")
        }
    }

    private mutating func receive(_ hello: Message.Hello) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .unstarted: preconditionFailure("An exchange that was not started receives nothing")
        case .awaitingHello: break
        case .awaitingUpdates, .complete: throw ProtocolViolation(.unexpected, "A second Hello came.")
        }
        peerCapabilities = hello.capabilities
        let theirs = Dictionary(uniqueKeysWithValues: hello.teams.map { ($0.team, $0) })
        let ours = Dictionary(uniqueKeysWithValues: own.map { ($0.team, $0.digest) })
        let lacked = own.filter { theirs[$0.team] != $0.digest }
        sent = lacked.reduce(0) { $0 + $1.size }
        let updates = lacked.flatMap { Message.updates($0.team, $0.heads) }
        state = .awaitingUpdates(hello.teams.filter { ours[$0.team] != $0 }.map(\.team)[...], nil)
        own = []
        return updates.map { .send($0) } + completeIfNothingIsOwed()
    }

    private mutating func receive(_ update: Message.TeamUpdate) throws(ProtocolViolation) -> [Action] {
        guard case .awaitingUpdates(let due, let begun) = state, let next = due.first, update.team == next else {
            throw ProtocolViolation(.unexpected, "A head came of a team that was not due.")
        }
        received += update.head.roster.count
        guard received <= Limits.rosters else {
            throw ProtocolViolation(.limit, "The rosters of one session have more than \(Limits.rosters) bytes.")
        }
        let heads = try begun.with(update)
        guard heads.isComplete else {
            state = .awaitingUpdates(due, heads)
            return []
        }
        state = .awaitingUpdates(due.dropFirst(), nil)
        return [.adopt(next, heads.heads)] + completeIfNothingIsOwed()
    }

    private mutating func completeIfNothingIsOwed() -> [Action] {
        guard case .awaitingUpdates(let due, nil) = state, due.isEmpty else { return [] }
        state = .complete
        return [.complete]
    }
}

/// A team that this device shares with the peer by its own roster, and the heads to send: to a member all that are
/// held, to a removed device the one roster that tells it so.
package struct SharedTeam: Sendable {
    package let digest: TeamDigest
    package let heads: [RosterHead]

    package var team: TeamID { digest.team }

    /// - Parameters:
    ///   - digest: that of all heads together, 32 bytes.
    ///   - heads: 1 to 8, in any order.
    package init(team: TeamID, digest: [UInt8], heads: [RosterHead]) {
        precondition((1...Limits.heads).contains(heads.count), "A team has 1 to \(Limits.heads) heads")
        do {
            self.digest = try TeamDigest(team: team, digest: digest)
        } catch {
            preconditionFailure("\(error)")
        }
        self.heads = heads
    }

    /// Bytes of its rosters.
    var size: Int { heads.reduce(0) { $0 + $1.roster.count } }
}
