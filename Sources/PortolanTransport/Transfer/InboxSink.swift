import PortolanFiles
import PortolanProtocol

/// Takes an item into a hidden partial beside its destination, and then hands it on.
package final class InboxSink: ItemSink {
    private let partial: PartialItem
    private let name: FileName
    private let channel: PortolanProtocol.Channel
    private let conclude: @Sendable (PartialItem, FileName, Omissions) async throws -> Completion

    /// - Parameters:
    ///   - name: what the item is to be called.
    ///   - conclude: called when all of it is there; makes it what it is to become.
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

    package func add(_ entry: Message.Entry) throws {
        try partial.add(TreeEntry(entry, rootName: name))
    }

    package func write(_ header: PayloadHeader, _ bytes: UnsafeRawBufferPointer) throws {
        try partial.write(header.entry, at: header.offset, bytes)
    }

    package func finish(_ entryEnd: Message.EntryEnd) throws {
        switch entryEnd.failure {
        case nil: try partial.finish(entryEnd.index, size: entryEnd.size)
        case .changed: try partial.leaveOut(entryEnd.index, because: .changed)
        default: try partial.leaveOut(entryEnd.index, because: .unreadable)
        }
    }

    package func complete(_ end: Message.End) async throws -> Completion {
        if channel == .data { try partial.finish(0, size: end.bytes) }
        return try await conclude(partial, name, end.omissions)
    }

    package func discard() {
        partial.discard()
    }
}
