import PortolanFiles
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Stores the chosen content of a peer's items, and makes values of it.
struct ValueIntake<Value: Transferable>: Sendable {
    /// Largest data that is kept in memory; larger data, or data of unknown size, goes through a file.
    private static var memoryLimit: UInt64 { 1 << 20 }

    private let importers = Value.importableRepresentations()
    private let importWait: Duration

    /// - Parameter importWait: longest time of an importer.
    init(importWait: Duration) {
        self.importWait = importWait
    }

    func choose(from item: OfferedItem, excluding tried: Set<Int> = []) -> Int? {
        Negotiation.choose(item, accepting: importers.map(\.contentType), excluding: tried)
    }

    /// True if a representation has an importer.
    func canTake(_ item: OfferedItem, _ representation: Int) -> Bool {
        importers.contains { importer in
            Negotiation.choose(item, accepting: [importer.contentType], excluding: item.all(but: representation)) != nil
        }
    }

    /// Makes the sink of an arriving item.
    ///
    /// - Parameter conclude: called with the imported value and its content, which is removed after `conclude` returns.
    /// - Throws: `FileError` for a name that is refused, or if the sender requires a property that cannot be kept.
    func sink(
        for representation: OfferedRepresentation, of item: OfferedItem, as begin: Message.Begin,
        conclude: @escaping @Sendable (Value, StoredItem) async throws -> Completion
    ) throws -> any ItemSink {
        let name = try FileName(for: representation, of: item, calling: begin.name)
        if begin.channel == .data, let size = begin.size, size <= Self.memoryLimit {
            return MemorySink(size: Int(size)) { data, omissions in
                let stored = try StoredItem(
                    bytes: UInt64(data.count), entries: 1, omissions: omissions)
                return try await conclude(make(from: .data(data), representation), stored)
            }
        }
        let required = try begin.required
        // Removed with the sink, after any outcome of the item.
        let folder = try TemporaryFolder()
        let inbox = try Inbox(path: folder.url.path, createIfMissing: true)
        let partial = try inbox.receive(
            nil, called: name, keeping: required, reserve: inbox.usualReserve(), asking: false)
        return try InboxSink(partial, name: name, channel: begin.channel, size: begin.size) {
            partial, name, omissions in
            let file = try partial.publish(as: name)
            var lost = omissions
            lost.append(contentsOf: Omissions(file.report))
            let stored = try StoredItem(
                bytes: file.bytes, entries: UInt32(clamping: file.entries), omissions: lost)
            let value = try await make(from: .file(folder.url.appending(path: file.name.text)), representation)
            return try await conclude(value, stored)
        }
    }

    /// Runs the matching importers in the order in which the type declares them, until one succeeds.
    private func make(from payload: ImportedPayload, _ representation: OfferedRepresentation) async throws -> Value {
        var failure: (any Error)?
        for importer in importers where representation.type.conforms(to: importer.contentType) {
            do {
                return try await importer.value(from: payload, within: importWait)
            } catch {
                failure = failure ?? error
            }
        }
        guard let failure else { preconditionFailure("What was taken has an importer") }
        throw RefusedByReceiver("It could not be imported: \(failure)")
    }
}

/// Takes in a small item on the data channel.
private final class MemorySink: ItemSink {
    private let data: Mutex<Data>
    private let conclude: @Sendable (Data, Omissions) async throws -> Completion

    init(size: Int, conclude: @escaping @Sendable (Data, Omissions) async throws -> Completion) {
        data = Mutex(Data(capacity: size))
        self.conclude = conclude
    }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {
        data.withLock { $0.append(contentsOf: bytes) }
    }

    func complete(_ end: Message.End) async throws -> Completion {
        try await conclude(data.withLock(\.self), end.omissions)
    }

    func suspend() { discard() }

    func discard() {
        data.withLock { $0 = Data() }
    }
}
