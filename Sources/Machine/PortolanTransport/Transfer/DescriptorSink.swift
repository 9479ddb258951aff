import PortolanFiles
import PortolanProtocol
import Synchronization

/// Writes one file to a descriptor, such as standard output, in the order of its content.
///
/// Written bytes cannot be taken back: a reader learns only from this process whether the file is complete.
package final class DescriptorSink: ItemSink {
    private let output: DescriptorOutput
    private let conclude: @Sendable (UInt64, Omissions) async throws -> Completion
    private let written = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - descriptor: remains open; the caller closes it.
    ///   - conclude: called with the number of bytes after all were written.
    package init(
        _ descriptor: CInt, conclude: @escaping @Sendable (UInt64, Omissions) async throws -> Completion
    ) {
        output = DescriptorOutput(descriptor)
        self.conclude = conclude
    }

    package func add(_ entry: TreeEntryElement) throws -> ContentNeed {
        guard case .file = entry.kind, entry.index == 0 else {
            throw FileError(.notFileOrFolder, "What came is a folder or a link, and only one file can be written out.")
        }
        return .content
    }

    package func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws {
        try write(entry, at: 0, bytes)
    }

    package func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        try checkOrder(offset)
        try output.write(bytes)
        written.wrappingAdd(UInt64(bytes.count), ordering: .relaxed)
    }

    package func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws {
        try checkOrder(offset)
        let zeros = [UInt8](repeating: 0, count: Int(min(length, 1 << 20)))
        var rest = length
        while rest > 0 {
            let count = min(rest, UInt64(zeros.count))
            try zeros.withUnsafeBytes { try output.write(UnsafeRawBufferPointer(rebasing: $0[..<Int(count)])) }
            rest -= count
        }
        written.wrappingAdd(length, ordering: .relaxed)
    }

    private func checkOrder(_ offset: UInt64) throws(FileError) {
        guard offset == written.load(ordering: .relaxed) else {
            throw FileError(.malformedTree, "What came is not in order, and was to be written out in order.")
        }
    }

    package func finish(_ entry: UInt32, size: UInt64) throws {
        try checkOrder(size)
    }

    package func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws {
        throw FileError(.sourceChanged, "It changed at the sender's, or could not be read there to its end.")
    }

    package func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]? { nil }

    package func complete(_ end: Message.End) async throws -> Completion {
        try await conclude(written.load(ordering: .relaxed), end.omissions)
    }

    package func interrupt() { output.stop() }

    package func suspend() {}

    package func discard() {}
}
