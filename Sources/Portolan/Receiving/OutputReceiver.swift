import PortolanProtocol
import PortolanTransport
import Synchronization
import UniformTypeIdentifiers

/// Writes one item of one peer's to a descriptor.
final class OutputReceiver: ItemReceiver {
    private let peer: RemotePeer
    private let output: SharedOutput
    private let types: [UTType]?
    private let deciding: Deciding
    private let onWritten: @Sendable () -> Void
    private let offer = Mutex<Offer?>(nil)

    /// - Parameter onWritten: called when the peer has given something.
    init(
        peer: RemotePeer, output: SharedOutput, accepting types: [UTType]?, deciding: Deciding,
        onWritten: @escaping @Sendable () -> Void
    ) {
        self.peer = peer
        self.output = output
        self.types = types
        self.deciding = deciding
        self.onWritten = onWritten
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        self.offer.withLock { $0 = offer }
        let choices = offer.items.map { choose(from: $0, excluding: []) }
        guard let first = choices.firstIndex(where: { $0 != nil }) else {
            let holdsFolder = offer.items.contains { $0.representations.contains(where: \.isFolder) }
            let reason = holdsFolder ? Self.foldersAreDeclined : "Nothing of it can be taken here."
            deciding.events(.declined(peer, reason: reason))
            return choices.map { _ in .decline(Decline(.nothingInCommon, detail: reason)) }
        }
        guard output.isFree else {
            let reason = "One item is written to the output here, and another was first."
            deciding.events(.declined(peer, reason: reason))
            return choices.map { _ in .decline(Decline(.notWanted, detail: reason)) }
        }
        var decisions = await deciding.decide(
            on: offer, from: peer, choices: choices.enumerated().map { $0.offset == first ? $0.element : nil })
        for index in choices.indices where index != first && choices[index] != nil {
            decisions[index] = .decline(
                Decline(.notWanted, detail: "Only one item is written to the output there; send the others elsewhere."))
        }
        return decisions
    }

    private static let foldersAreDeclined =
        "A folder cannot be written to the output as it is; send it as an archive, such as with tar."

    func choose(from item: OfferedItem, excluding tried: Set<Int>) -> Int? {
        // What was begun cannot be taken back for another form.
        guard output.isFree else { return nil }
        let folders = item.representations.indices.filter { item.representations[$0].isFolder }
        return Negotiation.choose(item, accepting: types, excluding: tried.union(folders))
    }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms { LaneTerms(isInOrder: true) }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        guard output.take(for: peer) else {
            throw NodeError(.cannotCreate, "Another item was first at the output.")
        }
        return DescriptorSink(output.descriptor) { [output] bytes, omissions in
            output.isWhole()
            return .stored(try StoredItem(bytes: bytes, entries: 1, omissions: omissions))
        }
    }

    func report(_ event: ReceivingEvent) {
        guard let offer = offer.withLock(\.self) else { return }
        switch event {
        case .began(let item, let representation, let size):
            let bytes = size ?? offer.items[item].representations[representation].size
            deciding.events(.started(peer, title: offer.items[item].title, bytes: bytes))
        case .resumed:
            preconditionFailure("Nothing is kept of what is written to a descriptor")
        case .received(let item, let bytes):
            deciding.events(.progress(peer, title: offer.items[item].title, received: bytes))
        case .found(let item, let bytes, let isAll):
            deciding.events(.found(peer, title: offer.items[item].title, bytes: bytes, isAll: isAll))
        case .stored(let item, let representation, let stored):
            onWritten()
            let taken = offer.items[item].representations[representation]
            deciding.events(
                .stored(
                    ReceivedItem(
                        stored, taken, titled: offer.items[item].title, from: peer, name: "", path: ReceivedItem.output)
                ))
        case .failed(let item, let sentence):
            output.spoil(because: sentence)
            deciding.events(.failed(peer, title: offer.items[item].title, reason: sentence))
        }
    }
}
