import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import Synchronization

/// Largest sizes of an item: the offered and accepted ones, and the receiver's own limit. In bytes.
struct ItemBounds: Sendable {
    /// The most content, holes not counted, that was offered.
    let content: UInt64?
    /// The largest size, holes counted, that was offered.
    let apparent: UInt64?
    /// The largest size, holes counted, that the receiver takes.
    let sizeLimit: UInt64?

    init(accepted representation: OfferedRepresentation, sizeLimit: UInt64?) {
        content = representation.size
        apparent = representation.apparentSize
        self.sizeLimit = sizeLimit
    }

    /// Checks the announcement of a transfer.
    ///
    /// - Throws: ``FileError/Kind/tooMuch``
    func check(_ begin: Message.Begin) throws(FileError) {
        if let content, let size = begin.size, size > content { throw Self.moreThanOffered(content) }
        // Files announce their sizes themselves.
        if begin.channel == .data { try check(apparent: begin.size ?? 0) }
    }

    fileprivate func check(content size: UInt64, slack: UInt64 = 0) throws(FileError) {
        // Without holes, the content cannot exceed the announced sizes of the files, although a block that is sent
        // again counts twice.
        guard let content, let apparent, content < apparent, size > content, size - content > slack else { return }
        throw Self.moreThanOffered(content)
    }

    fileprivate func check(apparent size: UInt64) throws(FileError) {
        if let apparent, size > apparent { throw Self.moreThanOffered(apparent) }
        if let sizeLimit, size > sizeLimit {
            throw FileError(.tooMuch, "It is larger than the \(sizeLimit) bytes that are taken here.")
        }
    }

    private static func moreThanOffered(_ size: UInt64) -> FileError {
        FileError(.tooMuch, "It is larger than the \(size) bytes that were offered and accepted.")
    }
}

/// Passes an item on to another sink while it keeps within its bounds; content beyond them fails, and is not passed on.
///
/// Announced sizes of files count, whether their content is sent or was present before, and present content counts,
/// too, so that the bounds are the same for one transfer or several.
final class BoundedSink: ItemSink {
    private struct Counted {
        /// Content that was received, or was present and is compared.
        var content: UInt64 = 0
        /// Parts of holes that may be sent as zeros.
        var slack: UInt64 = 0
        /// Announced sizes of files, and received bytes of files without a known size.
        var apparent: UInt64 = 0
        /// Files without a known size.
        var streams: Set<UInt32> = []
    }

    private let sink: any ItemSink
    private let bounds: ItemBounds
    private let counted: Mutex<Counted>

    /// - Parameter channel: channel of the item; data is entry 0, which has no announced size.
    init(_ sink: any ItemSink, _ bounds: ItemBounds, channel: PortolanProtocol.Channel) {
        self.sink = sink
        self.bounds = bounds
        counted = Mutex(Counted(streams: channel == .data ? [0] : []))
    }

    func add(_ entry: TreeEntryElement) throws -> ContentNeed {
        if case .file(let file) = entry.kind {
            try counted.withLock { counted throws(FileError) in
                guard let size = file.size else {
                    counted.streams.insert(entry.index)
                    return
                }
                // The rules of transfers keep the sum of all sizes below 2^63.
                counted.apparent += size
                try bounds.check(apparent: counted.apparent)
            }
        }
        let need = try sink.add(entry)
        // No content follows for this entry.
        if case .nothing = need { counted.withLock { _ = $0.streams.remove(entry.index) } }
        if case .compare(let blocks) = need, case .file(let file) = entry.kind, let size = file.size {
            try count(claimed: blocks, ofFileOf: size, content: sink.claimedContent(entry.index))
        }
        return need
    }

    /// Counts the present bytes of a file. A sender that continues after a claimed piece may be inside a hole whose
    /// beginning it did not read.
    ///
    /// - Parameter content: bytes of the claimed blocks without holes; nil if they have none.
    /// - Throws: ``FileError/Kind/tooMuch``
    private func count(
        claimed blocks: [Range<UInt64>], ofFileOf size: UInt64, content: UInt64?
    ) throws(FileError) {
        try counted.withLock { counted throws(FileError) in
            var claimed: UInt64 = 0
            for range in blocks {
                let (start, end) = (range.lowerBound * BlockDigest.blockSize, range.upperBound * BlockDigest.blockSize)
                // The last block of a file may be shorter than the others.
                claimed += min(end, size) - min(start, size)
            }
            counted.content += min(claimed, content ?? claimed)
            counted.slack += UInt64(blocks.count) * Self.shortHole
            try bounds.check(content: counted.content, slack: counted.slack)
        }
    }

    /// A shorter hole is sent as zeros, in bytes (FILES.md, "What was accepted").
    private static let shortHole: UInt64 = 64 << 10

    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws {
        try count(bytes.count, of: entry)
        try sink.content(entry, bytes)
    }

    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        try count(bytes.count, of: entry)
        try sink.write(entry, at: offset, bytes)
    }

    /// - Throws: ``FileError/Kind/tooMuch``
    private func count(_ bytes: Int, of entry: UInt32) throws(FileError) {
        try counted.withLock { counted throws(FileError) in
            counted.content += UInt64(bytes)
            try bounds.check(content: counted.content, slack: counted.slack)
            guard counted.streams.contains(entry) else { return }
            counted.apparent += UInt64(bytes)
            try bounds.check(apparent: counted.apparent)
        }
    }

    // A hole lies inside a file whose size was counted already.
    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws {
        try sink.hole(entry, at: offset, length: length)
    }

    func finish(_ entry: UInt32, size: UInt64) throws {
        forget(entry)
        try sink.finish(entry, size: size)
    }

    func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws {
        forget(entry)
        try sink.finish(entry, size: size, digest: digest)
    }

    func allowDifferences() { sink.allowDifferences() }

    func base(of entry: UInt32) throws -> BaseFile? { try sink.base(of: entry) }

    func copy(_ copy: CopyElement) throws {
        try count(Int(clamping: copy.length), of: copy.entry)
        try sink.copy(copy)
    }

    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws {
        forget(entry)
        try sink.leaveOut(entry, because: reason)
    }

    private func forget(_ entry: UInt32) { counted.withLock { _ = $0.streams.remove(entry) } }

    func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]? { try sink.digest(entry, block: block) }

    var isToStop: Bool { sink.isToStop }

    func complete(_ end: Message.End) async throws -> Completion { try await sink.complete(end) }

    func withdraw() throws { try sink.withdraw() }

    func interrupt() { sink.interrupt() }

    func suspend() { sink.suspend() }

    func discard() { sink.discard() }
}
