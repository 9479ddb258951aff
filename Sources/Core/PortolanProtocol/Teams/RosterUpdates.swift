import PortolanValues

/// Rosters that two sides send each other after the beginning of a session; the same for both sides.
///
/// A side whose heads of a team have changed sends all of them before any message that depends on them, unrequested and
/// without an answer. Rosters from the peer are not sent back.
///
/// It holds the heads of at most one team. The rosters of a session are bounded, including those at its beginning.
///
/// ```swift
/// var updates = RosterUpdates(after: exchange)
/// // an offer, list or request is about to go out: let (messages, isAll) = updates.tell(shared)
/// //                     send the messages; unless isAll, end the session when nothing is going on in it
/// // an update arrives:  if let (team, heads) = try updates.receive(update) {
/// //                         judge them; updates.settled(team, shared)
/// //                     }
/// // the end record comes:       try updates.endOfInput()
/// ```
package struct RosterUpdates: Sendable {
    /// Digest of each team's state that the peer has.
    private var told: [TeamID: TeamDigest]
    /// Rosters of both sides so far.
    private var sent: Volume
    private var received: Volume
    /// Heads of a team that have not all come yet.
    private var incoming: IncomingHeads?

    /// Volume of one side's updates.
    struct Volume: Sendable {
        /// Of rosters, in the whole session.
        var bytes = 0
        /// Number of heads updates after the beginning; repeated ones count.
        var updates = 0
    }

    /// - Parameter exchange: the beginning of the session, complete.
    package init(after exchange: TeamExchange) {
        precondition(exchange.isComplete, "Rosters are exchanged first")
        told = Dictionary(uniqueKeysWithValues: exchange.told.map { ($0.team, $0) })
        sent = Volume(bytes: exchange.sent)
        received = Volume(bytes: exchange.received)
    }

    /// Returns the messages with the shared teams' changes since the last call. They count as sent.
    ///
    /// - Returns: the messages, and true if all changes fit in the session's limit.
    package mutating func tell(_ own: [SharedTeam]) -> (messages: [Message], isAll: Bool) {
        var messages: [Message] = []
        var isAll = true
        for team in own where told[team.team] != team.digest {
            guard sent.updates < Limits.rosterUpdates, sent.bytes + team.size <= Limits.rosters else {
                isAll = false
                continue
            }
            sent.updates += 1
            sent.bytes += team.size
            told[team.team] = team.digest
            messages += Message.updates(team.team, team.heads)
        }
        return (messages, isAll)
    }

    /// Handles a head from the peer.
    ///
    /// - Returns: the team and its heads after all of them have come. This device need not be in the team.
    package mutating func receive(
        _ update: Message.TeamUpdate
    ) throws(ProtocolViolation) -> (team: TeamID, heads: [RosterHead])? {
        if incoming == nil { received.updates += 1 }
        received.bytes += update.head.roster.count
        try ProtocolViolation.check(
            received.updates <= Limits.rosterUpdates, .limit,
            "Teams are told more than \(Limits.rosterUpdates) times in one session.")
        try ProtocolViolation.check(
            received.bytes <= Limits.rosters, .limit,
            "The rosters of one session have more than \(Limits.rosters) bytes.")
        let heads = try incoming.with(update)
        guard heads.isComplete else {
            incoming = heads
            return nil
        }
        incoming = nil
        return (heads.team, heads.heads)
    }

    /// Returns true if the peer has this state of a team; nil for a team that is not shared.
    package func isTold(_ state: SharedTeam?, of team: TeamID) -> Bool { told[team] == state?.digest }

    /// Notes the state of a team that was made from the peer's heads, so that the peer has it; nil for a team that is
    /// not shared.
    package mutating func settled(_ team: TeamID, _ state: SharedTeam?) { told[team] = state?.digest }

    /// Notes the peer's end record.
    package func endOfInput() throws(ProtocolViolation) {
        try ProtocolViolation.check(incoming == nil, "The peer ended before it had said all of a team's heads.")
    }
}
