import Foundation
import PortolanCompression
import PortolanFiles
import PortolanProtocol
import PortolanValues

/// Sends the content of one representation: data and small files on the session, other files and folders on lanes. Runs
/// where blocking calls are allowed.
struct ContentSender {
    private var transfer: OutgoingTransfer
    private let offered: OfferedRepresentation
    private let session: Session
    private let lanes: OutgoingLanes
    private let manner: SendingManner
    private let underWay: TransferUnderWay
    private let began: () -> Void
    private let filter: SourceFilter
    private let report: @Sendable (OfferingEvent) -> Void
    private var progress: SendingProgress
    private var hasBegun = false
    private var isOnLanes = false

    init(
        _ transfer: OutgoingTransfer, of offered: OfferedRepresentation, on session: Session, _ lanes: OutgoingLanes,
        _ manner: SendingManner, _ underWay: TransferUnderWay, filter: @escaping SourceFilter,
        report: @escaping @Sendable (OfferingEvent) -> Void, began: @escaping () -> Void
    ) {
        self.transfer = transfer
        self.offered = offered
        self.session = session
        self.lanes = lanes
        self.manner = manner
        self.underWay = underWay
        self.began = began
        self.filter = filter
        self.report = report
        progress = SendingProgress(item: transfer.item, session.runtime, report: report)
    }

    /// Sends everything but the last message.
    ///
    /// - Returns: that message; and why the item is not whole, if it is not.
    /// - Throws: `FileError`, `InvalidValue`, or why the session ended.
    mutating func send(_ content: OfferedContent) async throws -> (Message.End, failure: (any Error)?) {
        switch (content, transfer.channel) {
        case (.bytes(let data), .data): try await send(data)
        case (.stream(let descriptor), .file):
            return try await send(
                .stream(SourceStream(reading: descriptor)), name: offered.suggestedName ?? "", size: nil)
        case (.file(let path, let disk, let sample), .file):
            if let whole = whole(content) {
                try await send(whole)
                break
            }
            return try await send(fileAt: path, on: disk, since: sample)
        case (.contents(let tree), .file): return try await send(.tree(tree), name: tree.name.text, size: nil)
        default: preconditionFailure("Content for another channel than the one offered")
        }
        return (transfer.end(), nil)
    }

    /// End of a transfer that failed.
    enum BrokenOff {
        case notBegun
        case end(Message.End)
        case lanesAreBroken
    }

    mutating func breakOff(_ failure: SourceFailure) -> BrokenOff {
        guard hasBegun else { return .notBegun }
        return isOnLanes ? .lanesAreBroken : .end(transfer.end(failure: failure))
    }

    private mutating func begin(name: String, size: UInt64?) throws {
        begin(try transfer.begin(name: Array(name.utf8), size: size), name: name, size: size)
    }

    private mutating func begin(_ message: Message, name: String, size: UInt64?) {
        session.send(message)
        hasBegun = true
        began()
        underWay.sent(0)
        progress.begin(representation: transfer.representation, name: name, size: size)
    }

    // MARK: Data

    private mutating func send(_ data: Data) async throws {
        try checkOffered(content: UInt64(data.count), apparent: UInt64(data.count))
        try begin(name: offered.suggestedName ?? "", size: UInt64(data.count))
        try await sendAll(of: data)
    }

    private mutating func sendAll(of data: Data) async throws {
        var offset = 0
        while offset < data.count {
            let start = data.startIndex + offset
            offset += try await sendPayload { buffer in
                let count = min(buffer.count, data.count - offset)
                return data.copyBytes(to: buffer, from: start..<start + count)
            }
        }
    }

    /// Checks that the content is no larger than the offer: the receiver accepted that, and refuses the rest.
    ///
    /// - Throws: ``FileError/Kind/sourceChanged``
    private func checkOffered(content: UInt64?, apparent: UInt64?) throws(FileError) {
        let isLarger =
            (content ?? 0) > (offered.size ?? .max) || (apparent ?? 0) > (offered.apparentSize ?? .max)
        guard isLarger else { return }
        let name = offered.suggestedName.map { "“\(DisplayText($0))”" } ?? "The item"
        throw FileError(.sourceChanged, "\(name) has become larger since it was offered; send it again.")
    }

    // MARK: Files

    /// Reads a file that fits into one tree record, if it may be sent on the session.
    private func whole(_ content: OfferedContent) -> InlineReader.Result? {
        // A larger file is not read; the size of a folder is unknown before all of it was read.
        guard transfer.terms.allowsWhole, !offered.isFolder, !manner.requirements.contains(.sparse),
            let size = offered.apparentSize, size < Limits.treeRecord
        else { return nil }
        let reading = InlineReader(manner: manner, filter: filter, transfer: transfer.number)
        let read = reading.read(content, as: offered, at: transfer.representation, room: Limits.treeRecord)
        return read.flatMap { isBetterPacked($0.content.content) ? nil : $0 }
    }

    /// True if a lane, which compresses, is likely to save more than it costs to open one.
    private func isBetterPacked(_ content: Data) -> Bool {
        guard manner.compression == .auto else { return manner.compression == .zstd }
        let compressor = BlockCompressor()
        return withUnsafeTemporaryAllocation(byteCount: BlockLimits.packed(content.count), alignment: 1) { scratch in
            content.withUnsafeBytes { compressor.seemsWorthwhile($0, scratch: scratch) }
        }
    }

    private mutating func send(_ whole: InlineReader.Result) async throws {
        let (content, size) = (whole.content, UInt64(whole.bytes))
        let message = try transfer.beginWhole(
            name: content.name, size: size, requirements: content.requirements, record: content.content.count)
        begin(message, name: String(decoding: content.name, as: UTF8.self), size: size)
        try await sendAll(of: content.content)
        if whole.withheld.count > 0 { report(.withheld(item: transfer.item, whole.withheld)) }
    }

    private mutating func send(
        fileAt path: String, on disk: SourceDisk, since sample: FileSample?
    ) async throws -> (Message.End, failure: (any Error)?) {
        let source = try SourceTree(
            path: path, shownTo: offered.restriction, filter: filter,
            options: SourceOptions(
                looking: transfer.terms.asks, hardLinks: true, attributes: manner.attributes, sample: sample),
            on: disk)
        guard source.isFolder == offered.isFolder else {
            throw FileError(.sourceChanged, "“\(source.name)” was replaced after it had been offered.")
        }
        try checkOffered(content: source.contentSize, apparent: source.size)
        return try await send(.tree(source), name: offered.name(ofSource: source), size: source.contentSize)
    }

    private mutating func send(
        _ source: FileSource, name: String, size: UInt64?
    ) async throws -> (Message.End, failure: (any Error)?) {
        let (begin, tree) = try transfer.beginTree(
            name: Array(name.utf8), size: size, requirements: manner.requirements, takesDifferences: true)
        let (item, number) = (transfer.item, tree.number)
        let files = FileSender(source, as: tree, on: lanes, manner) { [report] advance in
            report(.sent(item: item, advance))
        } found: { [report, session] found in
            let bytes = min(found.bytes, Limits.size)
            if let total = try? Message.Total(transfer: number, bytes: bytes, isFinal: found.isAll) {
                session.send(.total(total))
            }
            report(.found(item: item, bytes: bytes, isAll: found.isAll))
        }
        underWay.begin(files)
        // Called before the receiver can answer.
        began()
        session.send(begin)
        hasBegun = true
        isOnLanes = true
        progress.begin(representation: transfer.representation, name: name, size: size)
        let result = try await files.run()
        if files.withheld.count > 0 { report(.withheld(item: item, files.withheld)) }
        if files.kept > 0 { report(.resumed(item: item, kept: files.kept)) }
        return result
    }

    private mutating func sendPayload(_ fill: (UnsafeMutableRawBufferPointer) throws -> Int) async throws -> Int {
        try checkStop()
        let count = try await session.sendPayload(transfer.nextPayload, fill: fill)
        if count > 0 {
            transfer.sent(count)
            underWay.sent(count)
            progress.sent(count)
            underWay.own.begin()
            defer { underWay.own.end() }
            try await manner.pacing?.suspend(for: count) {
                try checkStop()
                session.progressed()
            }
        }
        return count
    }

    private func checkStop() throws {
        if underWay.isStopped { throw CancellationError() }
    }
}

extension OfferedRepresentation {
    /// Returns the name of a file or folder for the receiver. The local name may be meaningless, for example that of a
    /// temporary file.
    func name(ofSource source: SourceTree) -> String {
        (suggestedName.map { FileName.sanitised(fromLocal: Array($0.utf8)) } ?? source.name).text
    }
}

/// Reports progress, often enough for a person and seldom enough to cost nothing.
private struct SendingProgress {
    private static let interval = Duration.milliseconds(100)

    let item: Int
    let report: @Sendable (OfferingEvent) -> Void
    private var bytes: UInt64 = 0
    /// Bytes of content; a record is a little longer.
    private var most = UInt64.max
    private let runtime: Runtime
    private var next: ContinuousClock.Instant

    init(item: Int, _ runtime: Runtime, report: @escaping @Sendable (OfferingEvent) -> Void) {
        self.item = item
        self.runtime = runtime
        self.report = report
        next = runtime.now
    }

    mutating func begin(representation: Int, name: String, size: UInt64?) {
        most = size ?? .max
        report(.began(item: item, representation: representation, name: name, size: size))
    }

    mutating func sent(_ count: Int) {
        bytes = min(bytes + UInt64(count), most)
        let now = runtime.now
        guard now >= next else { return }
        next = now + Self.interval
        report(.sent(item: item, Advance(done: bytes, transferred: bytes)))
    }
}
