import Portolan
import Testing

@testable import PortolanAgent

@Suite("Declined offers of strangers in the journal")
struct StrangerOffersTests {
    @Test("20 a minute have entries of their own; the others are counted, and the next minute begins anew")
    func fold() {
        var count = StrangerOfferCount()
        let start = ContinuousClock.now
        let told = (0..<1000).count { count.tells(at: start + .milliseconds($0)) }
        #expect(told == StrangerOfferCount.most)
        #expect(count.take() == 980)
        #expect(count.take() == 0)
        let next = start + StrangerOfferCount.span
        #expect((0..<25).count { _ in count.tells(at: next) } == StrangerOfferCount.most)
        #expect(count.take() == 5)
    }

    @Test("An agent declines every one of them, and writes about the first 20.")
    func offers() async throws {
        let tested = try await AgentUnderTest()
        _ = try await tested.port()
        let begin = ContinuousClock.now
        let offers = StrangerOfferCount.most + 3
        for number in 0..<offers {
            let sent = try await tested.send("offer \(number)")
            #expect(sent.allSatisfy { !$0.isStored })
        }
        let told = try await tested.agent.database.read { change in
            try change.journal.entries(after: nil, limit: .max).count { $0.kind == .offerDecided }
        }
        // On a machine that is very slow a second span has begun.
        let spans = Int((ContinuousClock.now - begin) / StrangerOfferCount.span) + 1
        #expect(told <= StrangerOfferCount.most * spans)
        #expect(told >= min(offers, StrangerOfferCount.most))
        try await tested.stop()
    }
}
