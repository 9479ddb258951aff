import PortolanProtocol
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

@Suite struct WithheldLineTests {
    private func withheld(_ listed: Int, of count: UInt64) -> WithheldEntries {
        WithheldEntries(
            listed: (0..<listed).map {
                WithheldEntries.Entry(path: DisplayText("plans/\($0)\u{1B}"), reason: "for team acme")
            }, count: count)
    }

    @Test func eachWithheldEntryIsListedWithItsAudience() {
        let lines = WithheldLine.sentences(withheld(2, of: 2))
        #expect(lines.count == 2 && lines[0].hasPrefix("left out: “plans/0") && lines[0].hasSuffix("”, for team acme"))
        #expect(!lines.contains { $0.contains("\u{1B}") })
        #expect(WithheldLine.sentences(WithheldEntries()).isEmpty)
    }

    @Test func aLongListIsCutAndItsRestCounted() {
        let lines = WithheldLine.sentences(withheld(256, of: 1256))
        #expect(lines.count == 21 && lines[20] == "left out: 1,236 more")
    }

    @Test func eventsHaveTheWithheldEntries() throws {
        let outcome = Delivery.Outcome.stored(try StoredItem(bytes: 1), representation: 0)
        let delivery = Delivery(
            transfer: TransferID(item: 0), title: "plans", outcome: outcome, withheld: withheld(1, of: 7))
        let settled = NodeEvent.Settled(delivery, member: nil)
        #expect(settled.withheldCount == 7)
        #expect(settled.withheld.map(\.path) == [DisplayText("plans/0\u{1B}").text])
        #expect(settled.withheld.map(\.reason) == ["for team acme"])
        #expect(delivery.status == .incomplete)
    }
}
