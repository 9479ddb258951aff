import Foundation
import PortolanCompression
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import SimulationSupport
import TestSupport
import Testing

/// Peers that are connected but slow, in virtual time: for which of them the node waits, and how long.
@Suite(.aside) struct StallTests {
    /// Seconds that each side takes for its work.
    struct Times: Sendable {
        var deciding = 0
        var producing = 0
        var storing = 0
    }

    private enum End: Equatable {
        case stored
        case stalled(seconds: Int)
        case other(String)
    }

    private static let wait = Duration.seconds(60)

    @Test(
        "a receiver that accepted and then only sends signs of life is abandoned",
        arguments: [(50, true), (70, false), (100_000, false)])
    func storing(seconds: Int, isStored: Bool) throws {
        #expect(try offer(Times(storing: seconds)) == (isStored ? .stored : .stalled(seconds: 60)))
    }

    @Test("the time of a person's decision and of this side's own work does not count as a stall")
    func ownTime() throws {
        #expect(try offer(Times(deciding: 500, producing: 500, storing: 50)) == .stored)
    }

    @Test("a holder that does not send the requested item is abandoned", arguments: [(50, true), (100_000, false)])
    func fetching(seconds: Int, isStored: Bool) throws {
        #expect(try fetch(Times(producing: seconds)) == (isStored ? .stored : .stalled(seconds: 60)))
    }

    @Test("the time for storing fetched content does not count as a stall")
    func storingFetchedContentIsNoStall() throws {
        #expect(try fetch(Times(storing: 500)) == .stored)
    }

    // MARK: Sessions

    private func offer(_ times: Times) throws -> End {
        try run { loop in
            var roles = SessionRoles()
            roles.receiving = { { Reception(SlowReceiver(times: times, loop: loop)) } }
            return roles
        } asking: { driver, loop in
            let outcomes = try await driver.offer(
                SlowOfferSource(times: times, loop: loop), answerWait: .seconds(600),
                manner: SendingManner(compression: .never, stallWait: Self.wait))
            guard case .stored? = outcomes?.first else { return .other("\(String(describing: outcomes))") }
            return .stored
        }
    }

    private func fetch(_ times: Times) throws -> End {
        try run { loop in
            var roles = SessionRoles()
            roles.serving = SlowHolder(offering: SlowOfferSource(times: times, loop: loop))
            return roles
        } asking: { driver, loop in
            guard let id = ItemID(Array(repeating: 1, count: 16)) else { return .other("It has 16 bytes") }
            let stored = Stored()
            let reception = Reception(SlowReceiver(times: times, loop: loop, stored: stored))
            try await driver.fetch(id, reception, stallWait: Self.wait)
            return stored.isSet ? .stored : .other("It is not stored")
        }
    }

    private func run(
        _ roles: @escaping @Sendable (VirtualLoop) -> SessionRoles,
        asking: @escaping @Sendable (SessionDriver, VirtualLoop) async throws -> End
    ) throws -> End {
        let network = VirtualNetwork(seed: 1)
        defer { network.finish() }
        let loop = network.loop
        let answering = VirtualHost(try Self.identity("answering"), on: network) { session in
            try? await SessionDriver.run(on: session, ledger: NoTeams(), roles: roles(loop)) {
                try await $0.stay()
            }
        }
        let host = VirtualHost(try Self.identity("asking"), on: network) { _ in }
        network.add(host, at: 0)
        network.add(answering, at: 1)
        return try loop.run {
            do {
                let session = try await host.open(to: 1)
                return try await SessionDriver.run(on: session, ledger: NoTeams()) { try await asking($0, loop) }
            } catch TransportError.stalled(let seconds) {
                return .stalled(seconds: seconds)
            }
        }
    }

    private static func identity(_ name: String) throws -> LocalIdentity {
        LocalIdentity(DeviceIdentity(name: try DeviceName(name), key: .generate()))
    }
}

/// True if an item was stored, for the task that runs.
private final class Stored: @unchecked Sendable {
    // Sendable for the reason that the loop of its simulation is.
    var isSet = false
}

private struct SlowOfferSource: OfferSource {
    let times: StallTests.Times
    let loop: VirtualLoop

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        try Offer(id: id, items: [Self.item()], request: request)
    }

    static func item() throws -> OfferedItem {
        try OfferedItem(
            title: "item",
            representations: [OfferedRepresentation(type: OfferedType(identifier: "public.data"), channel: .data)])
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { places }
    func maySee(_ restriction: Restriction) -> Bool { true }
    func produce(_ place: OfferedPlace) async throws -> OfferedContent {
        if times.producing > 0 { try await loop.sleep(for: .seconds(times.producing)) }
        return .bytes(Data(count: 100_000))
    }
    func report(_ event: OfferingEvent) {}
}

private struct SlowHolder: ItemServer {
    let offering: SlowOfferSource

    var manner: SendingManner { SendingManner(compression: .never) }
    func items(after: [UInt8], most: Int) -> (items: [Message.Listing.Entry], next: [UInt8])? { ([], []) }
    func offering(for item: ItemID) -> (any OfferSource)? { offering }
}

private struct SlowReceiver: ItemReceiver {
    let times: StallTests.Times
    let loop: VirtualLoop
    var stored = Stored()

    func decide(on offer: Offer) async -> [ItemDecision] {
        if times.deciding > 0 { try? await loop.sleep(for: .seconds(times.deciding)) }
        return offer.items.map { _ in .take(representation: 0) }
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) -> any ItemSink { SlowSink(times: times, loop: loop, stored: stored) }

    func report(_ event: ReceivingEvent) {}
}

private final class SlowSink: ItemSink {
    private let times: StallTests.Times
    private let loop: VirtualLoop
    private let stored: Stored

    init(times: StallTests.Times, loop: VirtualLoop, stored: Stored) {
        self.times = times
        self.loop = loop
        self.stored = stored
    }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {}

    func complete(_ end: Message.End) async throws -> Completion {
        if times.storing > 0 { try await loop.sleep(for: .seconds(times.storing)) }
        stored.isSet = true
        return .stored(try StoredItem(bytes: end.bytes, entries: 1))
    }

    func suspend() {}
    func discard() {}
}
