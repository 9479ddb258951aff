import PortolanCrypto
import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

/// Rosters that change after the beginning of a session.
@Suite(.aside) struct RosterUpdateTests: RosterSpeaker {
    /// The state after a beginning in which this side sent `own`, and the other one `others`.
    private func begun(_ own: [SharedTeam] = [], _ others: [SharedTeam] = []) throws -> RosterUpdates {
        var sides = [TeamExchange(own: own, capabilities: []), TeamExchange(own: others, capabilities: [])]
        var inboxes: [[Message]] = [[], []]
        for side in 0..<2 {
            for case .send(let message) in sides[side].start() { inboxes[1 - side].append(message) }
        }
        while let side = (0..<2).first(where: { !inboxes[$0].isEmpty }) {
            for case .send(let message) in try sides[side].receive(inboxes[side].removeFirst()) {
                inboxes[1 - side].append(message)
            }
        }
        return RosterUpdates(after: sides[0])
    }

    @Test("an unchanged team is not told")
    func unchangedTeamsAreNotSent() throws {
        var updates = try begun([shared(1, 1), shared(2, 2)], [shared(2, 3)])
        let (messages, isAll) = try updates.tell([shared(1, 1), shared(2, 2)])
        #expect(messages.isEmpty && isAll)
    }

    @Test("a team that has changed, and one that is new, is told whole and once")
    func tellsChanges() throws {
        var updates = try begun([shared(1, 1), shared(2, 2)])
        let now = try [shared(1, 1), shared(2, 4, 5), shared(3, 6)]
        let (messages, isAll) = updates.tell(now)
        #expect(isAll)
        #expect(
            messages == [
                .teamUpdate(try teamUpdate(2, 0, of: 2, 4)), .teamUpdate(try teamUpdate(2, 1, of: 2, 5)),
                .teamUpdate(try teamUpdate(3, 0, of: 1, 6)),
            ])
        #expect(updates.tell(now).messages.isEmpty)
        // A return to an earlier state is a change, too.
        #expect(try updates.tell([shared(2, 2)]).messages == [.teamUpdate(teamUpdate(2, 0, of: 1, 2))])
    }

    @Test("a roster taken from the peer is not told back, and an untold one still is")
    func doesNotEcho() throws {
        var updates = try begun([shared(1, 1), shared(2, 1)])
        let taken = try #require(try updates.receive(teamUpdate(1, 0, of: 1, 9)))
        #expect(try taken.team == team(1) && taken.heads == [head(9)])
        let isTold = try (updates.isTold(shared(1, 1), of: team(1)), updates.isTold(shared(2, 5), of: team(2)))
        #expect(isTold == (true, false))
        updates.settled(try team(1), try shared(1, 1, 9))
        let told = try updates.tell([shared(1, 1, 9), shared(2, 5)]).messages
        #expect(told == [.teamUpdate(try teamUpdate(2, 0, of: 1, 5))])
    }

    @Test("the heads of a team come one behind the other")
    func keepsTheOrder() throws {
        func refused(_ messages: Message.TeamUpdate...) throws -> ProtocolViolation.Kind? {
            var updates = try begun()
            for message in messages.dropLast() { #expect(try updates.receive(message) == nil) }
            return violation { _ = try updates.receive(messages[messages.count - 1]) }
        }
        #expect(try refused(teamUpdate(1, 0, of: 2), teamUpdate(1, 1, of: 2)) == nil)
        #expect(try refused(teamUpdate(1, 0, of: 2), teamUpdate(2)) == .unexpected)
        #expect(try refused(teamUpdate(1, 1, of: 2)) == .unexpected)
        #expect(try refused(teamUpdate(1, 0, of: 2), teamUpdate(1, 0, of: 2)) == .unexpected)
        #expect(try refused(teamUpdate(1, 0, of: 2), teamUpdate(1, 1, of: 3)) == .unexpected)
        var updates = try begun()
        try updates.endOfInput()
        #expect(try updates.receive(teamUpdate(1, 0, of: 2)) == nil)
        #expect(violation { try updates.endOfInput() } == .unexpected)
    }

    @Test("a team is told 64 times in a session, and taken so often")
    func boundsTheNumber() throws {
        var (one, other) = (try begun(), try begun())
        for mark in 1...64 as ClosedRange<UInt8> {
            let (messages, isAll) = one.tell([try shared(1, mark)])
            #expect(isAll && messages.count == 1)
            #expect(try other.receive(teamUpdate(1, 0, of: 1, mark)) != nil)
        }
        let (messages, isAll) = one.tell([try shared(1, 65)])
        #expect(messages.isEmpty && !isAll)
        #expect(violation { _ = try other.receive(teamUpdate(1, 0, of: 1, 65)) } == .limit)
    }

    @Test("the rosters of a session have 4 MiB, those of its beginning included")
    func boundsTheBytes() throws {
        // Eight heads of 224 KiB are 1.75 MiB.
        func large(_ number: UInt8, _ mark: UInt8) throws -> SharedTeam {
            try shared(number, mark, 2, 3, 4, 5, 6, 7, 8, size: 229_376)
        }
        var updates = try begun([large(1, 1)])
        #expect(try updates.tell([large(1, 9)]).isAll)
        let (messages, isAll) = try updates.tell([large(1, 10), shared(2, 1)])
        #expect(!isAll)
        #expect(messages == [.teamUpdate(try teamUpdate(2))], "what fits is told all the same")

        var other = try begun([], [large(1, 1)])
        for index in 0..<8 as Range<UInt32> {
            #expect(try (other.receive(teamUpdate(1, index, of: 8, size: 229_376)) != nil) == (index == 7))
        }
        #expect(try other.receive(teamUpdate(1, 0, of: 8, size: 229_376)) == nil)
        #expect(try other.receive(teamUpdate(1, 1, of: 8, size: 229_376)) == nil)
        #expect(violation { _ = try other.receive(teamUpdate(1, 2, of: 8, size: 229_376)) } == .limit)
    }
}
