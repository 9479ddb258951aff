import PortolanProtocol
import PortolanTransport

/// Makes values of one peer's items, each independently.
final class ValueReceiver<Value: Transferable>: ItemReceiver {
    private let reception: ValueReception<Value>
    private let onReceived: @Sendable (Received<Value>) -> Void

    init(_ reception: ValueReception<Value>, onReceived: @escaping @Sendable (Received<Value>) -> Void) {
        self.reception = reception
        self.onReceived = onReceived
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        let (open, choices) = reception.open(offer)
        return await reception.decide(on: open, choices: choices)
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        reception.choose(from: offered, excluding: tried)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        try reception.sink(for: representation, of: offered, as: begin) { [reception, onReceived] value, stored in
            onReceived(
                Received(
                    value: value, peer: reception.peer, title: offered.title, restriction: representation.restriction))
            return .stored(stored)
        }
    }

    func report(_ event: ReceivingEvent) { reception.report(event) }
}
