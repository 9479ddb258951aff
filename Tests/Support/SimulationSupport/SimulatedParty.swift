import Foundation
import PortolanCompression
import PortolanProtocol
import PortolanTransport
import PortolanValues
import TestSupport

/// One side of simulated sessions: the items that it has, shows and takes, kept from one session to the next as a disk would.
package final class SimulatedParty: @unchecked Sendable {
    // Sendable for the reason that the loop of its simulation is: whoever has the turn touches what is in here.

    /// An item, small enough for the session itself.
    struct Item {
        let id: ItemID
        /// Content of its only form, different for each item.
        let content: Data
        /// Whether the other party may see it.
        let isVisible: Bool

        /// Tells the item from all others.
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
    /// How often each item was taken of an offer, by its title, and how often it was stored.
    private(set) var taken: [String: Int] = [:]
    private(set) var stored: [String: Int] = [:]
    /// Content of an item that comes, by its title, to see that it comes whole.
    var expected: (_ title: String) -> Data? = { _ in nil }
    /// Whether it takes some of what is offered, and not nothing.
    let takesItems: Bool
    /// Whether its process is gone: nothing that it still does is kept.
    var isDown: () -> Bool = { false }
    /// Something that must not happen and did.
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

    /// What it does in a session besides what it orders itself.
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

    func offering(_ items: [Item]) -> SimulatedOffering { SimulatedOffering(items: items, of: self) }

    // MARK: As a receiver

    var reception: Reception { Reception(SimulatedReceiver(party: self)) }

    fileprivate func take(_ title: String) { if !isDown() { taken[title, default: 0] += 1 } }

    fileprivate func store(_ content: Data, of title: String) {
        guard !isDown() else { return }
        if expected(title) != content { note("What was stored of \(title) is not what was sent.") }
        stored[title, default: 0] += 1
    }
}

extension SimulatedParty: Serving {
    package var manner: SendingManner { SendingManner(compression: .never) }

    var visible: [Item] { items.filter(\.isVisible) }

    /// Two at a time, and sometimes none at a place where more follow.
    package func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
        let start = after.first.map(Int.init) ?? 0
        guard start <= visible.count else { return nil }
        let part = visible[start...].prefix(most == 0 ? 2 : min(2, most))
        let entries = try part.map { Message.Listing.Entry(id: $0.id, item: try $0.offered) }
        return (entries, part.endIndex < visible.count ? [UInt8(part.endIndex)] : [])
    }

    package func offering(for item: ItemID) -> (any Offering)? {
        visible.first { $0.id == item }.map { offering([$0]) }
    }
}

/// Some items of a party, as it offers them.
struct SimulatedOffering: Offering {
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

/// Decides by chance, now and then after a while, and keeps what it takes.
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

/// Keeps the bytes of one item until it is whole.
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
