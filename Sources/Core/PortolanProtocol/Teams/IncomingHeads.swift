import PortolanValues

/// Heads of one team while they are received, one after the other in the order of their numbers.
struct IncomingHeads: Sendable {
    let team: TeamID
    private let count: UInt32
    private(set) var heads: [RosterHead]

    fileprivate init(begunBy first: Message.TeamUpdate) {
        team = first.team
        count = first.count
        heads = []
    }

    fileprivate mutating func take(_ update: Message.TeamUpdate) throws(ProtocolViolation) {
        try ProtocolViolation.check(update.team == team, "Another team came where a head of the first was due.")
        try ProtocolViolation.check(
            update.count == count && update.index == heads.count,
            "Head \(update.index) of \(update.count) of a team came where \(heads.count) of \(count) was due.")
        heads.append(update.head)
    }

    var isComplete: Bool { heads.count == count }
}

extension IncomingHeads? {
    /// Returns the heads with the next of them added; nil stands for none yet.
    func with(_ update: Message.TeamUpdate) throws(ProtocolViolation) -> IncomingHeads {
        var heads = self ?? IncomingHeads(begunBy: update)
        try heads.take(update)
        return heads
    }
}

extension Message {
    /// Returns the messages with all heads of a team, in order.
    static func updates(_ team: TeamID, _ heads: [RosterHead]) -> [Message] {
        precondition((1...Limits.heads).contains(heads.count), "A team has 1 to \(Limits.heads) heads")
        return heads.enumerated().map { index, head in
            do {
                return .teamUpdate(
                    try TeamUpdate(team: team, index: UInt32(index), count: UInt32(heads.count), head: head))
            } catch {
                preconditionFailure("An index is always below the count: \(error)")
            }
        }
    }
}
