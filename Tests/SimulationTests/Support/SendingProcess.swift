import PortolanCrypto
import PortolanProtocol
import TestSupport

/// A sending process for the time of one session: does one thing at a time, whichever it may.
final class SendingProcess {
    /// How it goes about it: nothing that the receiver could not see from another sender.
    struct Manner {
        var lanes: Int
        /// Files up to this many bytes travel whole.
        var smallFile: Int
        /// Tree records are sent when they have so many bytes.
        var recordLength: Int
        /// Bytes of a payload record.
        var payload: Int

        init(_ random: inout SeededGenerator) {
            lanes = 1 + random.below(4)
            smallFile = [0, 1000, 20_000, 64 << 10][random.below(4)]
            recordLength = smallFile + 400 + random.below(30_000)
            payload = [9000, 60_000, 256 << 10][random.below(3)]
        }
    }

    /// A file that is begun and not over.
    private struct OpenFile {
        let index: Int
        let content: SimulatedSource.Content
        var position = 0
        let isCompared: Bool
        var claims: [UInt64: [UInt8]] = [:]
        /// The first block that the receiver may still speak of.
        var firstUnsaid: UInt64 = 0

        mutating func claim(_ holding: Message.Holding) {
            for block in holding.blocks { claims[block] = Array(holding.digest(ofBlock: block)) }
            firstUnsaid = holding.isLast ? .max : max(firstUnsaid, holding.blocks.upperBound)
        }
    }

    private let source: SimulatedSource
    private let link: SimulatedLink
    private let manner: Manner
    private var random: SeededGenerator
    private var machine: OfferingMachine
    private var transfer: UInt32 = 0
    private var tree: OutgoingTree?
    private var lanes = 1
    private var marked: Set<Int> = []
    private var isStopped = false
    private var record: TreeRecord?

    private var walked = 0
    private var undecided: Set<Int> = []
    private var wanted: [(index: Int, isCompared: Bool)] = []
    private var earlyClaims: [Int: [Message.Holding]] = [:]
    private var open: [OpenFile] = []

    /// What became of the item.
    private(set) var outcome: ItemOutcome?
    private(set) var isFinished = false
    /// Bytes of content that were sent.
    private(set) var sent = 0
    private(set) var asks = false

    init(_ source: SimulatedSource, on link: SimulatedLink, _ random: inout SeededGenerator) throws {
        self.source = source
        self.link = link
        self.random = SeededGenerator(seed: random.next())
        manner = Manner(&self.random)
        let size = source.isStream ? nil : UInt64(source.size)
        let representation = try OfferedRepresentation(
            type: OfferedType(identifier: source.isFolder ? "public.folder" : "public.data"), channel: .file,
            size: size, suggestedName: source.name, isFolder: source.isFolder,
            source: source.isStream ? [] : [UInt8](repeating: 7, count: 16))
        machine = OfferingMachine(
            offer: try Offer(id: 1, items: [OfferedItem(title: "title", representations: [representation])]))
        perform(machine.start())
    }

    // MARK: On the session

    /// Takes in a message, if one has come.
    func hear() throws -> Bool {
        guard let record = try link.next(on: link.toSender) else { return false }
        for action in try machine.receive(Message(decoding: record.plaintext)) { try perform(action) }
        return true
    }

    private func perform(_ actions: [OfferingMachine.Action]) {
        for action in actions {
            guard case .send(let message) = action else { preconditionFailure("An offer begins with a message") }
            link.send(message, on: link.toReceiver)
        }
    }

    private func perform(_ action: OfferingMachine.Action) throws {
        switch action {
        case .send(let message): link.send(message, on: link.toReceiver)
        case .waiting: break
        case .produce(var transfer):
            let (message, tree) = try transfer.beginTree(name: Array(source.name.utf8))
            link.send(message, on: link.toReceiver)
            machine.began(transfer.number)
            self.tree = tree
            self.transfer = transfer.number
            asks = tree.asks
            lanes = min(manner.lanes, tree.mostLanes)
        case .wanted(let wanted): try receive(wanted)
        case .holding(let holding):
            guard try tree?.receive(holding) == true else { return }
            let index = Int(holding.index)
            if let place = open.firstIndex(where: { $0.index == index }) {
                open[place].claim(holding)
            } else {
                earlyClaims[index]?.append(holding)
            }
        case .stop: isStopped = true
        case .settled(_, let outcome): self.outcome = outcome
        case .finished:
            isFinished = true
            link.finish()
        }
    }

    private func receive(_ wanted: Message.Wanted) throws {
        for (entry, decision) in try tree?.receive(wanted) ?? [] {
            let index = Int(entry)
            undecided.remove(index)
            switch decision {
            case .nothing: break
            case .all: self.wanted.append((index, false))
            case .compare:
                earlyClaims[index] = []
                self.wanted.append((index, true))
            }
        }
    }

    // MARK: On the lanes

    /// Does one thing on a lane, if there is one to be done and room for it on the way.
    func step(lane: Int) throws -> Bool {
        guard tree != nil, lane < lanes, !marked.contains(lane), link.lanes[lane].hasRoom else { return false }
        if isStopped {
            // What is counted is sent.
            if lane == 0, try flush() { return true }
            try mark(lane)
            return true
        }
        var steps = lane == 0 ? [0, 1, 2, 3] : [3]
        steps.shuffle(using: &random)
        for step in steps {
            let isDone =
                switch step {
                case 0: try begin()
                case 1: try walk()
                case 2: try flush()
                default: try sendPiece(lane)
                }
            if isDone { return true }
        }
        guard walked == source.entries.count, undecided.isEmpty, wanted.isEmpty, open.isEmpty, record == nil else {
            return false
        }
        try mark(lane)
        return true
    }

    private func mark(_ lane: Int) throws {
        try send(.mark, lane: lane)
        marked.insert(lane)
        guard marked.count == lanes, let end = tree?.end(lanes: lanes, failure: isStopped ? .cancelled : nil) else {
            return
        }
        tree = nil
        link.send(.end(end), on: link.toReceiver)
        for action in machine.ended(transfer, failure: end.failure) { try perform(action) }
    }

    private func walk() throws -> Bool {
        guard let tree, walked < source.entries.count else { return false }
        let index = walked
        let entry = source.entries[index]
        guard case .file(let content) = entry.kind else {
            walked += 1
            try append(index)
            try self.tree?.addEntry(isFolder: entry.kind == .folder)
            return true
        }
        if !tree.asks, !source.isStream, content.bytes.isEmpty || content.bytes.count <= manner.smallFile {
            walked += 1
            try append(index, content: content)
            try self.tree?.addWhole(size: UInt64(content.bytes.count))
            sent += content.bytes.count
            return true
        }
        guard tree.mayAddFile else { return false }
        walked += 1
        try append(index)
        try self.tree?.addFile(size: source.isStream ? nil : UInt64(content.bytes.count))
        if tree.asks {
            undecided.insert(index)
        } else {
            open.append(OpenFile(index: index, content: content, isCompared: false))
            // Before anything of it goes on another lane.
            _ = try flush()
        }
        return true
    }

    private func begin() throws -> Bool {
        guard let tree, tree.mayBegin, let place = wanted.indices.randomElement(using: &random) else { return false }
        let (index, isCompared) = wanted.remove(at: place)
        guard let content = source.content(of: index) else { throw Trouble("The receiver wants what is no file") }
        if !isCompared, content.bytes.isEmpty || content.bytes.count <= manner.smallFile {
            let length = content.bytes.count
            try content.bytes.withUnsafeBytes { try append(.content(entry: UInt32(index), $0), length: length) }
            self.tree?.sentWhole(UInt32(index))
            sent += length
        } else {
            self.tree?.begin(UInt32(index))
            var file = OpenFile(index: index, content: content, isCompared: isCompared)
            for holding in earlyClaims.removeValue(forKey: index) ?? [] { file.claim(holding) }
            open.append(file)
        }
        return true
    }

    // MARK: Pieces

    private func sendPiece(_ lane: Int) throws -> Bool {
        guard !source.isStream || lane == 0 else { return false }
        for place in open.indices.shuffled(using: &random) {
            let file = open[place]
            guard file.position < file.content.bytes.count else {
                open.remove(at: place)
                guard let end = tree?.endFile(UInt32(file.index), size: UInt64(file.position)) else { return false }
                try send(.fileEnd(end), lane: lane)
                return true
            }
            if try sendPiece(of: file, place, lane) { return true }
        }
        return false
    }

    private func sendPiece(of file: OpenFile, _ place: Int, _ lane: Int) throws -> Bool {
        let size = Int(BlockDigest.blockSize)
        let block = UInt64(file.position / size)
        let (isHole, extentEnd) = file.content.extent(at: file.position)
        var end = min(extentEnd, file.content.bytes.count)
        if file.isCompared {
            let blockEnd = (file.position / size + 1) * size
            if let digest = file.claims[block], file.position.isMultiple(of: size) {
                let range = file.position..<min(blockEnd, file.content.bytes.count)
                open[place].claims[block] = nil
                if file.content.bytes[range].withUnsafeBytes({ BlockDigest.of($0) }) == digest {
                    tree?.matched(UInt64(range.count), of: UInt32(file.index))
                    open[place].position = range.upperBound
                }
                return true
            }
            guard block < file.firstUnsaid else { return false }
            end = min(end, blockEnd)
        }
        if !isHole { end = min(end, file.position + manner.payload) }
        let range = file.position..<end
        open[place].position = end
        if isHole {
            try send(
                .hole(entry: UInt32(file.index), offset: UInt64(range.lowerBound), length: UInt64(range.count)),
                lane: lane)
            tree?.skipped(UInt64(range.count), of: UInt32(file.index))
        } else {
            let header = PayloadHeader(
                transfer: transfer, entry: UInt32(file.index), offset: UInt64(range.lowerBound))
            let plaintext = header.encode() + file.content.bytes[range]
            plaintext.withUnsafeBytes { link.send(.payload, $0, on: link.lanes[lane]) }
            tree?.sent(range.count, of: UInt32(file.index))
            sent += range.count
        }
        return true
    }

    // MARK: Records

    private func append(_ index: Int, content: SimulatedSource.Content? = nil) throws {
        let entry = source.entries[index]
        let size = source.isStream ? nil : source.content(of: index).map { UInt64($0.bytes.count) }
        var name = index == 0 ? "" : entry.name
        var target = ""
        if case .link(let text) = entry.kind { target = text }
        let modified = try Timestamp(seconds: entry.modified, nanoseconds: 7)
        try name.withUTF8 { name in
            try target.withUTF8 { target in
                try (content?.bytes ?? []).withUnsafeBytes { bytes in
                    let kind: TreeEntryElement.Kind =
                        switch entry.kind {
                        case .file:
                            .file(
                                TreeEntryElement.File(
                                    size: size, isLinkTarget: source.isLinkTarget(index),
                                    content: content == nil ? nil : bytes))
                        case .folder: .folder
                        case .link: .symbolicLink(target: UnsafeRawBufferPointer(target))
                        case .hardLink(let index): .hardLink(to: UInt32(index))
                        }
                    let element = TreeEntryElement(
                        index: UInt32(index), parent: UInt32(entry.parent), name: UnsafeRawBufferPointer(name),
                        kind: kind, permissions: 0o755, modified: modified)
                    try append(.entry(element), length: bytes.count)
                }
            }
        }
    }

    /// - Parameter length: bytes of content in it.
    private func append(_ element: TreeElement, length: Int) throws {
        if let record, record.append(element) { return }
        _ = try flush()
        let record = TreeRecord(length: max(manner.recordLength, length + 400), transfer: transfer)
        guard record.append(element) else { throw Trouble("An element does not fit into an empty record") }
        self.record = record
    }

    private func flush() throws -> Bool {
        guard let record else { return false }
        link.send(.tree, record.written, on: link.lanes[0])
        self.record = nil
        return true
    }

    private func send(_ element: TreeElement, lane: Int) throws {
        let record = TreeRecord(length: 400, transfer: transfer)
        guard record.append(element) else { throw Trouble("An element does not fit into an empty record") }
        link.send(.tree, record.written, on: link.lanes[lane])
    }
}

/// A tree record on its way onto the wire.
private final class TreeRecord {
    private let memory: UnsafeMutableRawBufferPointer
    private var writer: TreeWriter

    init(length: Int, transfer: UInt32) {
        memory = .allocate(byteCount: length, alignment: 16)
        writer = TreeWriter(memory, transfer: transfer)
    }

    deinit { memory.deallocate() }

    func append(_ element: TreeElement) -> Bool { writer.append(element) }

    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<writer.count]) }
}

/// Something that must not happen.
struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
