import PortolanProtocol
import PortolanTransport
import Synchronization

/// Reception of values of one type in one session: the part that receivers of values have in common.
package final class ValueReception<Value: Transferable>: Sendable {
    package let peer: RemotePeer
    private let deciding: OfferDecider
    private let intake: ValueIntake<Value>
    private let last = Mutex<OpenOffer?>(nil)

    /// - Parameters:
    ///   - importWait: longest time of an importer.
    ///   - decide: called for each offer with an importable item.
    ///   - events: called with each event.
    package init(
        from peer: RemotePeer, importWait: Duration, decide: @escaping @Sendable (IncomingOffer) async -> Decision,
        events: @escaping @Sendable (ReceiveEvent) -> Void
    ) {
        self.peer = peer
        deciding = OfferDecider(ask: decide, events: events)
        intake = ValueIntake(importWait: importWait)
    }

    /// Opens an offer, and chooses a representation of each item; nil for an item without an importable one.
    package func open(_ offer: Offer) -> (open: OpenOffer, choices: [Int?]) {
        let open = OpenOffer(offer, from: peer)
        last.withLock { $0 = open }
        return (open, offer.items.map { intake.choose(from: $0) })
    }

    /// Decisions for the items of an open offer.
    package func decide(on open: OpenOffer, choices: [Int?]) async -> [ItemDecision] {
        await deciding.decide(on: open, choices: choices, canTake: intake.canTake).decisions
    }

    /// Another representation of an item whose representations in `tried` were not available; nil for none.
    package func choose(from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        intake.choose(from: offered, excluding: tried.andAllBefore)
    }

    /// Makes the sink of an arriving item.
    ///
    /// - Parameter take: called with the imported value and its content, which is removed after `take` returns.
    /// - Throws: `FileError` for a name that is refused, or if the sender requires a property that cannot be kept.
    package func sink(
        for representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin,
        take: @escaping @Sendable (Value, StoredItem) -> Completion
    ) throws -> any ItemSink {
        try intake.sink(for: representation, of: offered, as: begin, conclude: take)
    }

    /// Reports a failed item of the last offer; other events of values are not reported.
    package func report(_ event: ReceivingEvent) {
        guard case .failed = event, let open = last.withLock(\.self) else { return }
        deciding.report(event, of: open)
    }
}
