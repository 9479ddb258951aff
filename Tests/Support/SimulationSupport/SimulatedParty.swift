import Foundation
import PortolanCompression
import PortolanProtocol
import PortolanTransport
import PortolanValues
import TestSupport

/// Side of simulated sessions: its own, visible and accepted items, kept from one session to the next as on a disk.
package final class SimulatedParty: @unchecked Sendable {
    // Sendable for the reason that the loop of its simulation is: only the thread with the turn accesses the state.

    /// Item that is small enough for the session itself.
    struct Item {
        let id: ItemID
        /// Content of its only form, different for each item.
        let content: Data
        /// True if the other party may see it.
        let isVisible: Bool

        /// Unique title of the item.
        var title: String { content.prefix(8).map { String($0, radix: 16) }.joined(separator: "-") }

        var offered: OfferedItem {
            get throws {
                try OfferedItem(
                    title: title,
                    representations: [
                        OfferedRepresentation(
                            type: OfferedType(identifier: "public.data"), channel: .data,
                            size: UInt64(content.count))
                    ])
            }
        }
    }

    let loop: VirtualLoop
    let items: [Item]
    var random: SeededGenerator
    /// Number of acceptances and of receptions of each item, by its title.
    private(set) var taken: [String: Int] = [:]
    private(set) var stored: [String: Int] = [:]
    /// Expected content of a received item, by its title.
    var expected: (_ title: String) -> Data? = { _ in nil }
    /// True if the party accepts some of the offered items.
    let takesItems: Bool
    /// True after the end of its process, whose later actions have no effect.
    var isDown: () -> Bool = { false }
    /// Violation that was found, if any.
    private(set) var trouble: String?

    init(_ items: Int, takesItems: Bool, on loop: VirtualLoop, _ random: inout SeededGenerator) {
        self.loop = loop
        self.takesItems = takesItems
        self.items = (0..<items).map { _ in Self.item(&random) }
        self.random = SeededGenerator(seed: random.next())
    }

    private static func item(_ random: inout SeededGenerator) -> Item {
        let longest = [64, 64, 4000][Int.random(in: 0..<3, using: &random)]
        let count = 16 + Int.random(in: 0...longest, using: &random)
        var content = Data(capacity: count + 8)
        while content.count < count {
            withUnsafeBytes(of: random.next()) { content.append(contentsOf: $0) }
        }
        guard let id = ItemID(Array(content.prefix(16))) else { preconditionFailure("It has 16 bytes") }
        return Item(id: id, content: content, isVisible: Int.random(in: 0..<4, using: &random) > 0)
    }

    /// Roles in a session, besides the party's own requests.
    var roles: SessionRoles {
        var roles = SessionRoles()
        roles.receiving = { { self.reception } }
        roles.serving = self
        roles.idleTime = chance(2) ? .seconds(60) : nil
        return roles
    }

    func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    func note(_ trouble: String) { self.trouble = self.trouble ?? trouble }

    // MARK: As a sender

    func offering(_ items: [Item]) -> SimulatedOfferSource { SimulatedOfferSource(items: items, of: self) }

    // MARK: As a receiver

    var reception: Reception { Reception(SimulatedReceiver(party: self)) }

    fileprivate func take(_ title: String) { if !isDown() { taken[title, default: 0] += 1 } }

    fileprivate func store(_ content: Data, of title: String) {
        guard !isDown() else { return }
        if expected(title) != content { note("What was stored of \(title) is not what was sent.") }
        stored[title, default: 0] += 1
    }
}

extension SimulatedParty: ItemServer {
    package var manner: SendingManner { SendingManner(compression: .never) }

    var visible: [Item] { items.filter(\.isVisible) }

    /// Pages of two items, and sometimes an empty page before further ones.
    package func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
        let start = after.first.map(Int.init) ?? 0
        guard start <= visible.count else { return nil }
        let part = visible[start...].prefix(most == 0 ? 2 : min(2, most))
        let entries = try part.map { Message.Listing.Entry(id: $0.id, item: try $0.offered) }
        return (entries, part.endIndex < visible.count ? [UInt8(part.endIndex)] : [])
    }

    package func offering(for item: ItemID) -> (any OfferSource)? {
        visible.first { $0.id == item }.map { offering([$0]) }
    }
}

/// Offer of some items of a party.
struct SimulatedOfferSource: OfferSource {
    let items: [SimulatedParty.Item]
    let party: SimulatedParty

    init(items: [SimulatedParty.Item], of party: SimulatedParty) {
        self.items = items
        self.party = party
    }

    func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
        try Offer(id: id, items: items.map { try $0.offered }, request: request)
    }

    func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { places }
    func maySee(_ restriction: Restriction) -> Bool { restriction == .everyone }
    func produce(_ place: OfferedPlace) -> OfferedContent { .bytes(items[place.item].content) }
    func report(_ event: OfferingEvent) {}
}

/// Receiver that decides at random, sometimes after a delay, and stores accepted items.
private struct SimulatedReceiver: ItemReceiver {
    let party: SimulatedParty

    func decide(on offer: Offer) async -> [ItemDecision] {
        if party.chance(4) {
            try? await party.loop.sleep(for: .milliseconds(Int.random(in: 1...2000, using: &party.random)))
        }
        return offer.items.map { item in
            guard party.takesItems, !party.chance(4) else { return .decline(Decline(.notWanted)) }
            party.take(item.title)
            return .take(representation: 0)
        }
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) -> any ItemSink { SimulatedSink(offered.title, of: party) }

    func report(_ event: ReceivingEvent) {}
}

/// Sink that collects the bytes of one item until it is complete.
private final class SimulatedSink: ItemSink, @unchecked Sendable {
    // Sendable for the reason that the loop of its simulation is.
    private let title: String
    private let party: SimulatedParty
    private var content = Data()

    init(_ title: String, of party: SimulatedParty) {
        self.title = title
        self.party = party
    }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {
        if offset != UInt64(content.count) { party.note("Bytes came at \(offset) after \(content.count).") }
        content.append(contentsOf: bytes)
    }

    func complete(_ end: Message.End) throws -> Completion {
        party.store(content, of: title)
        return .stored(try StoredItem(bytes: UInt64(content.count), entries: 1))
    }

    func suspend() {}
    func discard() {}
}
