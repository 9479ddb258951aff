import CoreTransferable
import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization
import UniformTypeIdentifiers

/// Makes values of one peer's items.
final class ValueReceiver<Value: Transferable>: ItemReceiver {
    /// Data up to this size is kept in memory; what is larger, or of unknown size, goes through a file.
    private static var memoryLimit: UInt64 { 1 << 20 }

    private let peer: RemotePeer
    private let deciding: Deciding
    private let onReceived: @Sendable (Received<Value>) -> Void
    private let importers = Value.importableRepresentations()
    private let offer = Mutex<Offer?>(nil)

    init(
        peer: RemotePeer, deciding: Deciding, onReceived: @escaping @Sendable (Received<Value>) -> Void
    ) {
        self.peer = peer
        self.deciding = deciding
        self.onReceived = onReceived
    }

    func decide(on offer: Offer) async -> [ItemDecision] {
        self.offer.withLock { $0 = offer }
        return await deciding.decide(
            on: offer, from: peer, choices: offer.items.map { choose(from: $0, excluding: []) })
    }

    func choose(from item: OfferedItem, excluding tried: Set<Int>) -> Int? {
        Negotiation.choose(item, accepting: importers.map(\.contentType), excluding: tried)
    }

    func receive(
        item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
    ) throws -> any ItemSink {
        let name = try FileName(for: representation, of: offered, as: begin)
        if begin.channel == .data, let size = begin.size, size <= Self.memoryLimit {
            return MemorySink(size: Int(size)) { [self] data in
                try await make(from: .data(data), representation, titled: offered.title)
            }
        }
        // Gone with the sink, whatever becomes of the item.
        let folder = TemporaryFolder()
        let inbox = try Inbox(path: folder.url.path, createIfMissing: true)
        return try InboxSink(inbox.newPartial(), name: name, channel: begin.channel, size: begin.size) {
            [self] partial, name, _ in
            let stored = try partial.publish(as: name)
            return try await make(
                from: .file(folder.url.appending(path: stored.name.text)), representation, titled: offered.title)
        }
    }

    /// Runs the importers that fit, in the order in which the type declares them, until one succeeds.
    private func make(
        from payload: ImportedPayload, _ representation: OfferedRepresentation, titled title: String
    ) async throws -> PortolanProtocol.StoredItem {
        var failure: any Error = NothingFits()
        for importer in importers where representation.type.conforms(to: importer.contentType) {
            do {
                let value = try await importer.importing(payload)
                onReceived(
                    Received(value: value, peer: peer, title: title, visibility: representation.visibility))
                return try PortolanProtocol.StoredItem(bytes: payload.size, entries: 1)
            } catch {
                failure = error
            }
        }
        throw ImportFailure(failure)
    }

    func report(_ event: ReceivingEvent) {
        guard case .failed(let item, let sentence) = event, let offer = offer.withLock(\.self) else { return }
        deciding.events(.failed(peer, title: offer.items[item].title, reason: sentence))
    }
}

/// A folder for one item, removed when nobody uses it any more.
private final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }
}

private struct NothingFits: Error, CustomStringConvertible {
    let description = "no importer fits."
}

extension ImportedPayload {
    fileprivate var size: UInt64 {
        switch self {
        case .data(let data): UInt64(data.count)
        case .file(let url, _):
            ((try? FileManager.default.attributesOfItem(atPath: url.path)[.size]) as? NSNumber)?.uint64Value ?? 0
        }
    }
}

/// Takes in a small item on the data channel.
private final class MemorySink: ItemSink {
    private var data: Data
    private let finish: @Sendable (Data) async throws -> PortolanProtocol.StoredItem

    init(size: Int, finish: @escaping @Sendable (Data) async throws -> PortolanProtocol.StoredItem) {
        data = Data(capacity: size)
        self.finish = finish
    }

    func add(_ entry: Message.Entry) {
        preconditionFailure("Data has no entries")
    }

    func write(_ header: PayloadHeader, _ bytes: UnsafeRawBufferPointer) {
        data.append(contentsOf: bytes)
    }

    func finish(_ entryEnd: Message.EntryEnd) {
        preconditionFailure("Data has no entries")
    }

    func complete(_ end: Message.End) async throws -> PortolanProtocol.StoredItem {
        try await finish(data)
    }

    func discard() {
        data = Data()
    }
}
