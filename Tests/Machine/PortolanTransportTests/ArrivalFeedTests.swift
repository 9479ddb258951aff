import PortolanProtocol
import Testing

@testable import PortolanTransport

/// Arrivals that are kept until they are taken.
@Suite struct ArrivalFeedTests {
    @Test("a flood of refused connections is cut short, and a session behind it is not lost")
    func keepsSessions() async throws {
        try await SessionPair.with { pair in
            let feed = ArrivalFeed()
            for number in 0..<10_000 { feed.put(.refused(address: "\(number)", reason: "")) }
            feed.put(.session(pair.receiver))
            feed.put(.refused(address: "late", reason: ""))
            feed.finish()
            feed.put(.session(pair.sender))
            var refused: [String] = []
            var sessions = 0
            for await arrival in feed.arrivals {
                switch arrival {
                case .refused(let address, _): refused.append(address)
                case .session: sessions += 1
                }
            }
            #expect(refused == (0..<256).map { "\($0)" })
            #expect(sessions == 1)
        }
    }
}
