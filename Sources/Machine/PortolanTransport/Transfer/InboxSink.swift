import PortolanCrypto
import PortolanFiles
import PortolanProtocol

/// Takes an item into a hidden partial beside its destination, and then hands it on.
package final class InboxSink: ItemSink {
    private let partial: PartialItem
    private let name: FileName
    private let channel: PortolanProtocol.Channel
    private let conclude: @Sendable (PartialItem, FileName, Omissions) async throws -> Completion

    /// - Parameters:
    ///   - name: proposed name of the item.
    ///   - conclude: called when the item is complete; returns the stored item.
    package init(
        _ partial: PartialItem, name: FileName, channel: PortolanProtocol.Channel, size: UInt64?,
        conclude: @escaping @Sendable (PartialItem, FileName, Omissions) async throws -> Completion
    ) throws(FileError) {
        self.partial = partial
        self.name = name
        self.channel = channel
        self.conclude = conclude
        if channel == .data {
            try partial.add(
                TreeEntry(
                    index: 0, parent: 0, name: name, kind: .file(size: size), permissions: 0o644, modified: .now))
        }
    }

    package func add(_ entry: TreeEntryElement) throws -> ContentNeed {
        switch try ArrivedEntry(entry, rootName: name) {
        case .stored(let entry): return try partial.add(entry)
        case .refused(let entry):
            try partial.add(entry)
            return .nothing
        }
    }

    package func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws {
        try partial.content(entry, bytes)
    }

    package func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        try partial.write(entry, at: offset, bytes)
    }

    package func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws {
        try partial.hole(entry, at: offset, length: length)
    }

    package func finish(_ entry: UInt32, size: UInt64) throws {
        try partial.finish(entry, size: size)
    }

    package func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws {
        try partial.finish(entry, size: size, digest: digest)
    }

    package func allowDifferences() { partial.allowDifferences() }

    package func base(of entry: UInt32) throws -> BaseFile? { try partial.base(of: entry) }

    package func copy(_ copy: CopyElement) throws {
        try partial.copy(copy.entry, from: copy.base, to: copy.offset, length: copy.length)
    }

    package func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws {
        try partial.leaveOut(entry, because: reason)
    }

    package func claimedContent(_ entry: UInt32) -> UInt64? { partial.claimedContent(entry) }

    package func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]? {
        try partial.digest(entry, block: block)
    }

    package func complete(_ end: Message.End) async throws -> Completion {
        if channel == .data { try partial.finish(0, size: end.bytes) }
        return try await conclude(partial, name, end.omissions)
    }

    package func withdraw() throws { try partial.withdraw() }

    package var isToStop: Bool { partial.isToStop }

    package func interrupt() { partial.interrupt() }

    package func suspend() {
        partial.suspend()
    }

    package func discard() {
        partial.discard()
    }
}
