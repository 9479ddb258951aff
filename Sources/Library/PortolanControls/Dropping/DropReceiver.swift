import PortolanProtocol
import PortolanTransport
import Synchronization

/// Collects the values of one offer and hands them over together.
final class DropReceiver<Payload: Transferable>: ItemReceiver {
    private struct Dropped {
        let payload: Payload
        let restriction: Restriction
        let stored: StoredItem
    }

    private struct Batch {
        let open: OpenOffer
        var dropped: [Int: Dropped] = [:]
    }

    private let reception: ValueReception<Payload>
    private let action: @Sendable ([Payload], DropSession) async -> Bool
    private let isTargeted: @Sendable (Bool) -> Void
    private let onTaken: @Sendable () -> Void
    private let batch = Mutex<Batch?>(nil)

    init(
        _ reception: ValueReception<Payload>,
        action: @escaping @Sendable ([Payload], DropSession) async -> Bool,
        isTargeted: @escaping @Sendable (Bool) -> Void, onTaken: @escaping @Sendable () -> Void
    ) {
        self.reception = reception
        self.action = action
        self.isTargeted = isTargeted
        self.onTaken = onTaken
    }

    /// The only end of a session that breaks in the middle.
    deinit { leave() }

    func decide(on offer: Offer) async -> [ItemDecision] {
        leave()
        let (open, choices) = reception.open(offer)
        if choices.contains(where: { $0 != nil }) {
            batch.withLock { $0 = Batch(open: open) }
            isTargeted(true)
        }
        return await reception.decide(on: open, choices: choices)
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        reception.choose(from: offered, excluding: tried)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        try reception.sink(for: representation, of: offered, as: begin) { [self] payload, stored in
            let dropped = Dropped(payload: payload, restriction: representation.restriction, stored: stored)
            batch.withLock { $0?.dropped[item] = dropped }
            return .waitsForOthers
        }
    }

    func conclude(_ items: [Int]) async -> [Result<StoredItem, RefusedByReceiver>] {
        guard let batch = batch.withLock(\.self) else { preconditionFailure("Nothing was dropped") }
        let dropped = items.compactMap { batch.dropped[$0] }
        let restriction = dropped.map(\.restriction).reduce(Restriction.everyone) { $0.and($1) }
        let session = DropSession(
            id: batch.open.offer.id, peer: reception.peer, itemsCount: dropped.count,
            titles: items.map { batch.open.offer.items[$0].title },
            restriction: restriction)
        let isTaken = await action(dropped.map(\.payload), session)
        leave()
        guard isTaken else { return items.map { _ in .failure(RefusedByReceiver("It was refused.")) } }
        onTaken()
        return dropped.map { .success($0.stored) }
    }

    func report(_ event: ReceivingEvent) {
        guard batch.withLock({ $0 != nil }) else { return }
        reception.report(event)
    }

    private func leave() {
        let wasTargeted = batch.withLock { batch in
            defer { batch = nil }
            return batch != nil
        }
        if wasTargeted { isTargeted(false) }
    }
}
