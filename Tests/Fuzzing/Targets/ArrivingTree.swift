import PortolanCompression
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport

/// Receiver of a transfer on lanes: passes valid elements to a sink.
///
/// An element that would have to wait for another lane is dropped: the next one may come on another lane.
final class ArrivingTree {
    private(set) var tree: IncomingTree
    private let sink: (any ItemSink)?
    /// True if the item could not be stored.
    private(set) var hasFailed = false
    /// Blocks of files to claim, the next first.
    private var claims: [(entry: UInt32, blocks: [UInt64])] = []

    init(_ tree: IncomingTree, into sink: (any ItemSink)?) {
        self.tree = tree
        self.sink = sink
        if sink == nil { self.tree.abandon() }
    }

    func end(_ end: Message.End) throws(ProtocolViolation) { try tree.end(end) }

    func abandon() { tree.abandon() }

    // MARK: On the lanes

    /// Handles the plaintext of a record that is allowed on a lane.
    func take(_ type: RecordType, _ plaintext: UnsafeRawBufferPointer, lane: UInt32) throws(ProtocolViolation) {
        switch type {
        case .tree:
            var reader = try TreeReader(plaintext)
            try check(reader.transfer)
            while let element = try reader.next() { try take(element, lane: lane) }
        case .payload:
            let header = try PayloadHeader(decoding: plaintext)
            try take(header, UnsafeRawBufferPointer(rebasing: plaintext[PayloadHeader.length...]), lane: lane)
        case .packed:
            let header = try PackedHeader(decoding: plaintext)
            let content = UnsafeMutableRawBufferPointer.allocate(byteCount: header.originalLength, alignment: 16)
            defer { content.deallocate() }
            do throws(ExpandError) {
                let frame = UnsafeRawBufferPointer(rebasing: plaintext[PackedHeader.length...])
                try BlockExpander().expand(frame, into: content)
            } catch {
                throw ProtocolViolation(.malformed, "\(error)")
            }
            try take(header.place, UnsafeRawBufferPointer(content), lane: lane)
        case .control, .end: fatalError("No record of a lane's content")
        }
    }

    /// A transfer that has not begun would be waited for.
    private func check(_ transfer: UInt32) throws(ProtocolViolation) {
        guard transfer == tree.number else { throw ProtocolViolation(.unexpected, "Another transfer") }
    }

    private func take(
        _ header: PayloadHeader, _ data: UnsafeRawBufferPointer, lane: UInt32
    ) throws(ProtocolViolation) {
        try check(header.transfer)
        guard try tree.take(header, count: data.count, lane: lane) == .take else { return }
        attempt { try $0.write(header.entry, at: header.offset, data) }
        try wrote(UInt64(data.count), of: header.entry)
    }

    private func take(_ element: TreeElement, lane: UInt32) throws(ProtocolViolation) {
        switch try tree.take(element, lane: lane) {
        case .take: try keep(element)
        case .finish(let file): finish(file)
        case .drop, .wait: break
        }
    }

    /// Handles a question about an earlier version, which was not announced.
    func take(_ compare: Message.Compare) throws(ProtocolViolation) { _ = try tree.take(compare) }

    // MARK: Storing

    private func keep(_ element: TreeElement) throws(ProtocolViolation) {
        switch element {
        case .entry(let entry): attempt { try add(entry, to: $0) }
        case .content(let entry, let content): attempt { try $0.content(entry, content) }
        case .hole(let entry, let offset, let length):
            attempt { try $0.hole(entry, at: offset, length: length) }
            try wrote(length, of: entry)
        case .copy(let copy):
            attempt { try $0.copy(copy) }
            try wrote(copy.length, of: copy.entry)
        case .fileEnd, .mark: break
        }
    }

    private func add(_ element: TreeEntryElement, to sink: any ItemSink) throws {
        let need = try sink.add(element)
        guard case .file(let file) = element.kind else { return }
        if let content = file.content {
            if need != .nothing { try sink.content(element.index, content) }
            return
        }
        switch need {
        case .nothing: tree.decide(element.index, .nothing)
        case .compare(let blocks) where tree.compares:
            tree.decide(element.index, .compare)
            // Limited for the time of an execution.
            claims.append((element.index, Array(blocks.lazy.joined().prefix(64))))
        case .content, .compare, .difference: tree.decide(element.index, .all)
        }
    }

    private func wrote(_ count: UInt64, of entry: UInt32) throws(ProtocolViolation) {
        if let finished = try tree.wrote(count, of: entry) { finish(finished) }
    }

    private func finish(_ file: IncomingTree.FinishedFile) {
        attempt {
            if file.failure == nil {
                try $0.finish(file.entry, size: file.size)
            } else {
                try $0.leaveOut(file.entry, because: .changed)
            }
        }
    }

    /// Runs one step of storing; if it fails, no more of the item is stored.
    private func attempt(_ step: (any ItemSink) throws -> Void) {
        guard let sink, !tree.isAbandoned else { return }
        do {
            try step(sink)
        } catch {
            _ = "\(error)"
            hasFailed = true
            tree.abandon()
        }
    }

    // MARK: Messages of the receiver

    /// Requests for needed files, and claims of a few blocks that are here.
    func speak() -> [Message] {
        var said: [Message] = []
        while let wanted = tree.wanted() { said.append(.wanted(wanted)) }
        if let claim = claims.popFirst() { said += holdings(claim.entry, claim.blocks) }
        return said
    }

    private func holdings(_ entry: UInt32, _ blocks: [UInt64]) -> [Message] {
        var said: [Message] = []
        var (first, digests): (UInt64, [UInt8]) = (0, [])
        func say(isLast: Bool) {
            let holding = tree.holding(entry, block: first, digests: digests, isLast: isLast)
            if let holding { said.append(.holding(holding)) }
            digests = []
        }
        for block in blocks {
            let digest = (try? sink?.digest(entry, block: block)) ?? nil
            let isNext = first + UInt64(digests.count / BlockDigest.length) == block
            if !digests.isEmpty, digest == nil || !isNext { say(isLast: false) }
            guard let digest else { continue }
            if digests.isEmpty { first = block }
            digests += digest
        }
        say(isLast: true)
        return said
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
