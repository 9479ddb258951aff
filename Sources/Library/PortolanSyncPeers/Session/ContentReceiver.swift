import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanValues

/// Takes the item that answers a request for contents (SYNC.md 7.4): its entries become parts in the staging folder.
struct ContentReceiver: ItemReceiver {
    let arrivals: ArrivingContents
    let folder: SyncFolderID
    /// Bytes of the wanted contents.
    let size: UInt64
    /// Called from time to time with the bytes that are here, and at the end with those that came.
    let progress: @Sendable (UInt64) -> Void
    let ended: @Sendable (UInt64) -> Void

    func decide(on offer: Offer) -> [ItemDecision] {
        offer.items.map { item in
            let representation = item.representations[0]
            guard !arrivals.isStopped, item.representations.count == 1, representation.channel == .file,
                representation.isFolder, representation.type.identifier == "public.folder",
                representation.restriction == .everyone, representation.source == folder.bytes,
                representation.size ?? .max <= size
            else { return .decline(Decline(.unspecified)) }
            return .take(representation: 0)
        }
    }

    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }

    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms {
        LaneTerms(asks: arrivals.hasParts)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) -> any ItemSink { arrivals }

    func report(_ event: ReceivingEvent) {
        switch event {
        case .received(_, let advance): progress(advance.done)
        case .stored(_, _, let item): ended(item.bytes)
        case .failed(_, let sentence): arrivals.failure = sentence
        default: break
        }
    }
}

/// Stores the entries of contents.
extension ArrivingContents: ItemSink {
    package func add(_ entry: TreeEntryElement) throws -> ContentNeed {
        guard case .file(let file) = entry.kind, entry.parent == 0, entry.index > 0 else { return .nothing }
        return try add(entry.index, named: String(decoding: entry.name, as: UTF8.self), size: file.size)
    }

    package func finish(_ entry: UInt32, size: UInt64) throws { try finish(entry) }

    // The digest of the content says more than that of its difference.
    package func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws { try finish(entry) }

    package func leaveOut(_ entry: UInt32, because reason: Loss.Reason) { leaveOut(entry) }

    package func copy(_ copy: CopyElement) throws {
        try self.copy(copy.entry, from: copy.base, to: copy.offset, length: copy.length)
    }

    package var isToStop: Bool { isStopped }

    package func interrupt() { stop() }

    package func complete(_ end: Message.End) throws -> Completion {
        .stored(try StoredItem(bytes: end.bytes, entries: end.entries))
    }

    // The parts stay for a later transfer.
    package func suspend() {}

    package func discard() {}
}
