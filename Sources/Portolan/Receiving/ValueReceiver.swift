import CoreTransferable
import PortolanProtocol
import PortolanTransport
import PortolanValues
import Synchronization

/// Makes values of one peer's items, each by itself.
final class ValueReceiver<Value: Transferable>: ItemReceiver {
    private let peer: RemotePeer
    private let deciding: Deciding
    private let intake: ValueIntake<Value>
    private let onReceived: @Sendable (Received<Value>) -> Void
    private let offer = Mutex<OpenOffer?>(nil)

    init(
        peer: RemotePeer, deciding: Deciding, intake: ValueIntake<Value>,
        onReceived: @escaping @Sendable (Received<Value>) -> Void
    ) {
        self.peer = peer
        self.deciding = deciding
        self.intake = intake
        self.onReceived = onReceived
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        let open = OpenOffer(offer, from: peer)
        self.offer.withLock { $0 = open }
        let choices = offer.items.map { intake.choose(from: $0) }
        return await deciding.decide(on: open, choices: choices, canTake: intake.canTake).decisions
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? {
        intake.choose(from: offered, excluding: tried.andAllBefore)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        try intake.sink(for: representation, of: offered, as: begin) { [peer, onReceived] value, stored in
            onReceived(
                Received(
                    value: value, peer: peer, title: offered.title, restriction: representation.restriction))
            return .stored(stored)
        }
    }

    func report(_ event: ReceivingEvent) {
        guard case .failed(let item, let sentence) = event, let offer = offer.withLock(\.self) else { return }
        deciding.events(.failed(offer.transfer(of: item), reason: sentence))
    }
}
