import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

/// Exit status of a sending to a team, as a rule over the outcomes of the members.
@Suite struct TeamSendTests {
    private enum End {
        case stored
        case hidden
        case declined
        case nothingInCommon
        case unreachable
        case broken
    }

    private func delivery(_ end: End) throws -> MemberDelivery {
        let member = Member(
            key: PinnedKey(DeviceKey.generate().publicKey), name: try DeviceName("ben"), groups: [], isAdmin: false)
        func result(_ outcome: Delivery.Outcome) -> Result<[Delivery], NodeError> {
            .success([Delivery(transfer: TransferID(item: 0), title: "report.pdf", outcome: outcome)])
        }
        let outcome: Result<[Delivery], NodeError> =
            switch end {
            case .stored: result(.stored(try StoredItem(bytes: 3), representation: 0))
            case .hidden: result(.hidden)
            case .declined: result(.declined(Decline(.notWanted), trouble: nil))
            case .nothingInCommon: result(.declined(Decline(.nothingInCommon), trouble: nil))
            case .unreachable: .failure(NodeError(.unreachable, "Nobody is there\u{1B}."))
            case .broken: .failure(NodeError(.interrupted, "It broke."))
            }
        return MemberDelivery(member: member, result: outcome)
    }

    @Test(
        "the status is that of the first member who was reached and has not everything",
        arguments: [
            ([.stored, .stored], .done), ([.unreachable, .stored], .done),
            ([.unreachable, .unreachable], .unreachable),
            ([.stored, .declined, .nothingInCommon], .declined),
            ([.unreachable, .nothingInCommon, .stored], .nothingInCommon),
            ([.broken, .declined], .interrupted), ([.hidden, .stored], .notTrusted), ([], .unreachable),
        ] as [([End], PortolanCommand.ExitStatus)])
    private func status(ends: [End], expected: PortolanCommand.ExitStatus) throws {
        #expect(try ends.map(delivery).status == expected)
    }

    @Test(
        "each member's outcome has a word",
        arguments: [
            (.stored, "delivered"), (.declined, "declined"), (.nothingInCommon, "nothing-in-common"),
            (.unreachable, "unreachable"), (.broken, "failed"), (.hidden, "failed"),
        ] as [(End, String)])
    private func outcome(end: End, word: String) throws {
        let delivery = try delivery(end)
        let told = try #require(delivery.event[\.member])
        #expect(told.outcome.rawValue == word)
        #expect(told.fingerprint.value == delivery.member.key.fingerprint)
    }

    @Test("an item without a report of progress counts as sent, and one that was there already does not")
    func countsSentItems() throws {
        var tally = TeamSendReporter.Tally()
        func deliver(_ number: Int, bytes: UInt64, kept: UInt64 = 0) throws {
            let transfer = TransferID(item: number)
            _ = tally.count(.started(transfer, representation: 0, name: "report.pdf", bytes: bytes))
            let stored = try StoredItem(bytes: bytes, keptBytes: kept)
            _ = tally.count(
                .settled(Delivery(transfer: transfer, title: "report.pdf", outcome: .stored(stored, representation: 0)))
            )
        }
        try deliver(0, bytes: 9)
        #expect(tally.sent == 9)
        try deliver(0, bytes: 5, kept: 5)
        #expect(tally.sent == 9)
    }

    @Test func textFromAMemberIsShownSafely() throws {
        let told = try #require(try delivery(.unreachable).event[\.member])
        #expect(told.message.value == "Nobody is there\\u{1B}.")
    }
}
