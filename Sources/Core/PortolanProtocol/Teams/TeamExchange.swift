import PortolanValues

/// Exchange of teams at the beginning of a session, the same for both sides: each side announces in which teams the
/// other is a member and which parts of the protocol it supports, and sends its heads of each team of which the other
/// has different ones.
///
/// Each side knows from the two Hellos which heads it will get, so that no questions are needed. Adopted heads do not
/// change this exchange: it has one round. Offers and questions follow `.complete`, in both directions, except an offer
/// of this side that everybody may see (SESSION.md 6.1-10). No further Hello is allowed, and ``RosterUpdates`` handles
/// later changes.
///
/// It holds the heads of at most one team. Violations by the peer throw; misuse by the owner traps.
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
        /// All heads of the peer for this team have come. This device need not be in the team.
        case adopt(TeamID, [RosterHead])
        /// The exchange is complete: offers and questions are allowed in both directions.
        case complete
        /// The peer ended the session.
        case closed(Message.Close)
    }

    private enum State {
        /// No message was sent.
        case unstarted
        /// This side has sent its Hello; the peer's must come.
        case awaitingHello
        /// The peer must send the heads of these teams, in this order; some of the first team may have come.
        case awaitingUpdates(ArraySlice<TeamID>, IncomingHeads?)
        case complete
    }

    private var state = State.unstarted
    /// This side's teams whose heads are still to be sent; released afterwards.
    private var own: [SharedTeam]
    private let capabilities: Capabilities
    /// Capabilities in the peer's Hello; empty before it came.
    package private(set) var peerCapabilities: Capabilities = []
    /// Bytes of received rosters.
    private(set) var received = 0
    /// Bytes of rosters that were sent.
    private(set) var sent = 0
    /// Teams in this side's Hello, in their state at that time.
    let told: [TeamDigest]

    /// - Parameters:
    ///   - own: teams in which the peer is or was a member according to this device's rosters, no team twice. Teams
    ///     beyond the limits of one session are left out: those after the first ``Limits/teams``, and those whose
    ///     rosters do not fit.
    ///   - capabilities: parts of the protocol that this side supports.
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

    /// Sends this side's Hello, which depends on nothing.
    package mutating func start() -> [Action] {
        guard case .unstarted = state else { preconditionFailure("An exchange starts once") }
        state = .awaitingHello
        let hello = certain(
            try Message.Hello(teams: own.map(\.digest), capabilities: capabilities),
            "Not more teams than there may be, and none twice")
        return [.send(.hello(hello))]
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

    /// Notes the peer's end record, which is its last message. After the exchange, a session may end without an offer.
    package func endOfInput() throws(ProtocolViolation) {
        try ProtocolViolation.check(isComplete, "The peer ended before it had said what it announced about teams.")
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
        try ProtocolViolation.check(
            received <= Limits.rosters, .limit, "The rosters of one session have more than \(Limits.rosters) bytes.")
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

/// Team that this device shares with the peer according to its own roster, and the heads to send: to a member all of
/// them, to a removed device the one roster with its removal.
package struct SharedTeam: Sendable {
    package let digest: TeamDigest
    package let heads: [RosterHead]

    package var team: TeamID { digest.team }

    /// - Parameters:
    ///   - digest: digest of all heads together, 32 bytes.
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
