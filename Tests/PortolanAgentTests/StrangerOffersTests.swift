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
}
