import PortolanProtocol
import Testing

@testable import PortolanTransport

/// A holder that cannot look anything up at the moment.
@Suite(.timeLimit(.minutes(20))) struct BusyHolderTests {
    private struct BusyHolder: ItemServer {
        var manner: SendingManner { SendingManner() }

        func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
            throw TransportError.busy
        }

        func offering(for item: ItemID) throws -> (any OfferSource)? { throw TransportError.busy }
    }

    @Test("lists and requests are told so, and the session goes on")
    func saysSo() async throws {
        var roles = SessionRoles()
        roles.serving = BusyHolder()
        let id = try #require(ItemID(Array(repeating: 1, count: ItemID.length)))
        try await SessionPair.with { [roles] pair in
            async let answered: Void = SessionDriver.run(on: pair.receiver, ledger: NoTeams(), roles: roles) {
                try await $0.stay()
            }
            let refusals = try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { driver in
                var refusals = 0
                do { _ = try await driver.list() } catch TransportError.refused(.busy) { refusals += 1 }
                do {
                    try await driver.fetch(id, Reception(Taking(sinks: [])))
                } catch TransportError.refused(.busy) { refusals += 1 }
                return refusals
            }
            try await answered
            #expect(refusals == 2)
        }
    }
}
