import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
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
    ) -> any ItemSink { ContentSink(arrivals: arrivals) }

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
private struct ContentSink: ItemSink {
    let arrivals: ArrivingContents

    func add(_ entry: TreeEntryElement) throws -> ContentNeed {
        guard case .file(let file) = entry.kind, entry.parent == 0, entry.index > 0 else { return .nothing }
        return try arrivals.add(
            entry.index, named: String(decoding: entry.name, as: UTF8.self), size: file.size)
    }

    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws { try arrivals.content(entry, bytes) }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        try arrivals.write(entry, at: offset, bytes)
    }

    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws {
        try arrivals.hole(entry, at: offset, length: length)
    }

    func finish(_ entry: UInt32, size: UInt64) throws { try arrivals.finish(entry) }

    // The digest of the content says more than that of its difference.
    func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws { try arrivals.finish(entry) }

    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) { arrivals.leaveOut(entry) }

    func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]? { try arrivals.digest(entry, block: block) }

    func allowDifferences() {}

    func base(of entry: UInt32) -> BaseFile? { arrivals.base(of: entry) }

    func copy(_ copy: CopyElement) throws {
        try arrivals.copy(copy.entry, from: copy.base, to: copy.offset, length: copy.length)
    }

    var isToStop: Bool { arrivals.isStopped }

    func interrupt() { arrivals.stop() }

    func complete(_ end: Message.End) throws -> Completion {
        .stored(try StoredItem(bytes: end.bytes, entries: end.entries))
    }

    // The parts stay for a later transfer.
    func suspend() {}

    func discard() {}
}
