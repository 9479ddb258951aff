import PortolanFiles
import PortolanProtocol

/// Writes one file to a descriptor in the order in which it comes, such as to standard output.
///
/// What was written cannot be taken back: whoever reads it learns from this process alone whether it is whole.
package final class DescriptorSink: ItemSink {
    private let output: DescriptorOutput
    private let channel: PortolanProtocol.Channel
    private let conclude: @Sendable (UInt64, Omissions) async throws -> Completion
    private var written: UInt64 = 0

    /// - Parameters:
    ///   - descriptor: stays open and is the caller's to close.
    ///   - conclude: called with the number of bytes when all of them have been written.
    package init(
        _ descriptor: CInt, channel: PortolanProtocol.Channel,
        conclude: @escaping @Sendable (UInt64, Omissions) async throws -> Completion
    ) {
        output = DescriptorOutput(descriptor)
        self.channel = channel
        self.conclude = conclude
    }

    package func add(_ entry: Message.Entry) throws {
        guard case .file = entry.kind, entry.index == 0 else {
            throw FileError(.notFileOrFolder, "What came is a folder or a link, and only one file can be written out.")
        }
    }

    package func write(_ header: PayloadHeader, _ bytes: UnsafeRawBufferPointer) throws {
        guard header.offset == written else {
            throw FileError(.malformedTree, "What came is not in order, and was to be written out in order.")
        }
        try output.write(bytes)
        written += UInt64(bytes.count)
    }

    package func finish(_ entryEnd: Message.EntryEnd) throws {
        guard entryEnd.failure == nil else {
            throw FileError(.sourceChanged, "It changed at the sender's, or could not be read there to its end.")
        }
    }

    package func complete(_ end: Message.End) async throws -> Completion {
        try await conclude(written, end.omissions)
    }

    package func discard() {}
}
