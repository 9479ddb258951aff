import Dispatch
import Foundation
import PortolanProtocol
import Testing

@testable import PortolanTransport

/// Messages that may not be sent.
extension SessionDriverTests {
    @Test("an offer without a request is not made to a side that takes none")
    func takesNothing() async throws {
        try await SessionPair.with { pair in
            await #expect(throws: TransportError.self) {
                try await Self.run(pair, SessionRoles()) { driver in
                    _ = try await driver.offer(Offered([.bytes(Data([1]))]), answerWait: .seconds(200))
                }
            }
        }
    }

    @Test("a side that shares nothing is not asked")
    func sharesNothing() async throws {
        try await SessionPair.with { pair in
            await #expect(throws: TransportError.self) {
                try await Self.run(pair, Counter().roles) { driver in _ = try await driver.list() }
            }
        }
    }

    /// Forbidden messages of a peer, and the close codes for them.
    enum Mistake: CaseIterable {
        case offer, list, offerForNothing, listingForNothing, hello, laneRequest, answer, manyRequests

        func messages() throws -> [Message] {
            let offer = try #require(try Offered([.bytes(Data([1]))]).makeOffer(1, answering: nil))
            switch self {
            case .offer: return [.offer(offer)]
            case .list: return [.list(Message.List(id: 1, after: [], most: 0))]
            case .offerForNothing: return [.offer(try Offer(id: 1, items: offer.items, request: 7))]
            case .listingForNothing: return [.listing(try Message.Listing(id: 1, items: [], next: []))]
            case .hello: return [.hello(try Message.Hello(teams: [], capabilities: []))]
            case .laneRequest: return [.laneRequest(0)]
            case .answer:
                return [.answer(try Message.Answer(offer: 1, choices: [ItemChoice(item: 0, .take(representation: 0))]))]
            case .manyRequests: return (1...1000).map { .request(Message.Request(id: $0, item: Holder.id(0))) }
            }
        }

        var code: CloseCode {
            switch self {
            case .answer: .badIndex
            case .manyRequests: .limit
            default: .protocolViolation
            }
        }
    }

    @Test("a forbidden message ends the session", arguments: Mistake.allCases)
    func mistakes(_ mistake: Mistake) async throws {
        try await SessionPair.with { pair in
            var roles = SessionRoles()
            let hold = DispatchSemaphore(value: 0)
            if mistake == .manyRequests { roles.serving = SlowHolder(hold: hold) }
            let running = Task { [roles] in
                try await SessionDriver.run(on: pair.receiver, ledger: NoTeams(), roles: roles) {
                    try await $0.stay()
                }
            }
            pair.sender.send(.hello(try Message.Hello(teams: [], capabilities: [])))
            for message in try mistake.messages() { pair.sender.send(message) }
            let codes = await pair.sender.closeCodes()
            hold.signal()
            #expect(codes == [mistake.code])
            await #expect(throws: ProtocolViolation.self) { try await running.value }
        }
    }

    /// Does not answer before it is told to.
    private struct SlowHolder: ItemServer {
        let hold: DispatchSemaphore
        var manner: SendingManner { SendingManner() }

        func items(after: [UInt8], most: Int) -> (items: [Message.Listing.Entry], next: [UInt8])? { ([], []) }

        func offering(for item: ItemID) -> (any OfferSource)? {
            hold.wait()
            hold.signal()
            return nil
        }
    }
}
