import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Writes one item of one peer's to a descriptor.
final class OutputReceiver: FormReceiver {
    private let peer: RemotePeer
    private let output: SharedOutput
    let types: [UTType]?
    let sizeLimit: UInt64?
    private let deciding: OfferDecider
    private let onWritten: @Sendable (Restriction) -> Void
    private let offer = Mutex<OpenOffer?>(nil)

    /// - Parameters:
    ///   - sizeLimit: the largest item that is taken, in bytes; nil sets no limit.
    ///   - onWritten: called when the item has been written.
    init(
        peer: RemotePeer, output: SharedOutput, accepting types: [UTType]?, sizeLimit: UInt64?, deciding: OfferDecider,
        onWritten: @escaping @Sendable (Restriction) -> Void
    ) {
        self.peer = peer
        self.output = output
        self.types = types
        self.sizeLimit = sizeLimit
        self.deciding = deciding
        self.onWritten = onWritten
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        let open = OpenOffer(offer, from: peer)
        self.offer.withLock { $0 = open }
        let (choices, refusals) = await negotiate(offer)
        guard let first = choices.firstIndex(where: { $0 != nil }) else {
            if !refusals.isEmpty {
                return await deciding.decide(on: open, choices: choices, refusals: refusals, canTake: canTake).decisions
            }
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
            on: open, choices: choices.enumerated().map { $0.offset == first ? $0.element : nil },
            refusals: refusals, canTake: canTake
        ).decisions
        for index in choices.indices where index != first && choices[index] != nil {
            decisions[index] = .decline(
                Decline(.notWanted, detail: "Only one item is written to the output there; send the others elsewhere."))
        }
        return decisions
    }

    private static let foldersAreDeclined =
        "A folder cannot be written to the output as it is; send it as an archive, such as with tar."

    /// True if a form is no folder, as long as nothing was written: bytes cannot be taken back for another form.
    func mayTake(_ representation: OfferedRepresentation) -> Bool { output.isFree && !representation.isFolder }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms { LaneTerms(lanes: 1) }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        guard try begin.required.isSubset(of: Self.keptByBytes) else {
            throw FileError(
                .fidelity, "The sender requires more to be kept than the content, and an output keeps nothing else.")
        }
        let restriction = representation.restriction
        guard let isKept = try output.take(for: peer, keeping: restriction) else {
            throw NodeError(.cannotCreate, "Another item was first at the output.")
        }
        if !isKept {
            deciding.events(
                .warning(
                    "“\(DisplayText(offered.title, limit: 100))” is only for \(restriction), and the output is no file that "
                        + "could keep that. Keep what reads it from showing it to others."))
        }
        return DescriptorSink(output.descriptor) { [output] bytes, omissions in
            output.isWhole()
            return .stored(try StoredItem(bytes: bytes, entries: 1, omissions: omissions))
        }
    }

    /// Requirements that a file meets when its bytes are written out; it has no links to lose.
    private static let keptByBytes: Fidelity = [.content, .symbolicLinks, .hardLinks]

    func report(_ event: ReceivingEvent) {
        guard let open = offer.withLock(\.self) else { return }
        switch event {
        case .began, .received, .found: break
        case .resumed: preconditionFailure("Nothing is kept of what is written to a descriptor")
        case .stored(let item, let representation, let stored):
            let taken = open.offer.items[item].representations[representation]
            onWritten(taken.restriction)
            deciding.events(
                .stored(
                    ReceivedItem(
                        stored, taken, by: open.transfer(of: item), name: "", path: ReceivedItem.output)))
        case .failed(_, let sentence): output.spoil(because: sentence)
        }
        deciding.report(event, of: open)
    }
}
