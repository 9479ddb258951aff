import Glibc
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization
import TestSupport

@testable import FilesTestSupport
@testable import PortolanFiles

/// A receiving process for the time of one session: does one thing at a time, whichever it may.
final class ReceivingProcess {
    private struct Lane {
        var record: IncomingRecord?
        /// A range that the rules let through and that is not written.
        var payload: PayloadHeader?
    }

    private struct Claim {
        let entry: UInt32
        var blocks: [UInt64]
        var first: UInt64 = 0
        var digests: [UInt8] = []
    }

    /// Digests that are said at a time.
    private static let atOnce = 3

    private let disk: SimulatedDisk
    private let link: SimulatedLink
    private let inbox: Inbox
    private let lanesAllowed: Int
    private var machine = ReceivingMachine()
    private var offer: Offer?
    private var tree: IncomingTree?
    private var partial: PartialItem?
    private var name: FileName?
    private var lanes: [Lane]
    private var claims: [Claim] = []
    private var isEnding = false

    /// What was there when the offer came.
    private(set) var known = Known.nothing
    private(set) var stored: PortolanFiles.StoredItem?
    /// Why the item was given up.
    private(set) var failure: FileError?
    /// Whether everything that was sent was taken in.
    private(set) var isFinished = false

    init(_ disk: SimulatedDisk, on link: SimulatedLink, lanesAllowed: Int) throws(FileError) {
        self.disk = disk
        self.link = link
        self.lanesAllowed = lanesAllowed
        lanes = link.lanes.map { _ in Lane() }
        inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
    }

    static let identity: ItemIdentity = {
        guard let identity = ItemIdentity(bytes: [UInt8](repeating: 9, count: ItemIdentity.length)) else {
            preconditionFailure("An identity has 32 bytes")
        }
        return identity
    }()

    /// The connection is gone: what came may serve another time.
    func connectionLost() {
        partial?.suspend()
        partial = nil
    }

    /// Writes down how far it came, as it would when some time had passed.
    ///
    /// - Returns: whether that is on the disk.
    func saveProgress() -> Bool {
        guard let partial, partial.place.about != nil, partial.area.workspace.root != nil else { return false }
        return partial.saveProgress(completely: false)
    }

    // MARK: On the session

    /// Takes in a message, if one has come.
    func hear() throws -> Bool {
        guard !isEnding, !isFinished else { return false }
        guard let record = try link.next(on: link.toReceiver) else {
            guard link.toReceiver.isAtEnd, link.lanes.allSatisfy(\.isAtEnd) else { return false }
            try machine.endOfInput()
            isFinished = true
            return true
        }
        if record.type == .end { return true }
        try perform(machine.receive(Message(decoding: record.plaintext)))
        return true
    }

    private func perform(_ actions: [ReceivingMachine.Action]) throws {
        var actions = actions[...]
        while let action = actions.popFirst() {
            switch action {
            case .send(let message): link.send(message, on: link.toSender)
            case .decide(let offer):
                self.offer = offer
                actions += try answer(offer)
            case .beginTree(let item, let begin, let tree): actions += take(item, begin, tree)
            case .endTree(let end):
                isEnding = true
                try change { tree throws(ProtocolViolation) in try tree.end(end) }
                actions += completed()
            case .complete(let item, _): actions += publish(item)
            case .aborted(let item, let failure):
                partial?.suspend()
                partial = nil
                actions += machine.failed(item, StoringFailure(.source, detail: failure.rawValue))
            case .finished: break
            default: throw Trouble("Not in this transfer: \(action)")
            }
        }
    }

    private func answer(_ offer: Offer) throws -> [ReceivingMachine.Action] {
        let offered = offer.items[0].representations[0]
        let name = try FileName(offered.suggestedName ?? "")
        self.name = name
        if !offered.source.isEmpty {
            known = (try? inbox.known(Self.identity, called: name, isFolder: offered.isFolder)) ?? .nothing
        }
        return machine.answer(
            [.take(representation: 0)], terms: [0: LaneTerms(asks: known != .nothing, lanes: lanesAllowed)])
    }

    private func take(
        _ item: Int, _ begin: Message.Begin, _ tree: IncomingTree
    ) -> [ReceivingMachine.Action] {
        self.tree = tree
        guard let offered = offer?.items[item].representations[0], let name, !tree.isAbandoned else { return [] }
        do throws(FileError) {
            let about =
                offered.source.isEmpty
                ? nil
                : PartialAbout(
                    identity: Self.identity, peerName: "sender", peerFingerprint: "fingerprint", title: "title",
                    name: name, typeIdentifier: offered.type.identifier, size: begin.size,
                    isFolder: offered.isFolder, created: FileTime(timespec(tv_sec: 1, tv_nsec: 0)))
            partial = try inbox.receive(about, called: name, asking: begin.asks)
            return []
        } catch {
            return giveUp(item, error)
        }
    }

    /// What follows when all of the tree has come.
    private func completed() -> [ReceivingMachine.Action] {
        guard isEnding, tree?.isComplete == true else { return [] }
        isEnding = false
        claims = []
        return machine.treeCompleted()
    }

    private func publish(_ item: Int) -> [ReceivingMachine.Action] {
        guard let partial, let name else { return [] }
        do {
            let stored = try partial.publish(as: name)
            self.partial = nil
            self.stored = stored
            return machine.stored(
                item,
                try PortolanProtocol.StoredItem(
                    name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(stored.entries),
                    keptEntries: UInt32(stored.keptEntries), keptBytes: stored.keptBytes, isUpdated: stored.updated))
        } catch let error as FileError {
            return giveUp(item, error)
        } catch {
            preconditionFailure("A stored item that cannot be told: \(error)")
        }
    }

    private func giveUp(_ item: Int, _ error: FileError) -> [ReceivingMachine.Action] {
        failure = failure ?? error
        tree?.abandon()
        partial?.suspend()
        partial = nil
        return machine.failed(item, StoringFailure(.cannotWrite))
    }

    // MARK: On the lanes

    /// Does one thing on a lane, if something has come that need not wait.
    func step(lane: Int) throws -> Bool {
        if let header = lanes[lane].payload {
            lanes[lane].payload = nil
            try write(header, lane)
            try perform(completed())
            return true
        }
        guard let record = lanes[lane].record else {
            guard let next = try link.next(on: link.lanes[lane]) else { return false }
            if next.type != .end { lanes[lane].record = IncomingRecord(next.type, next.plaintext) }
            return true
        }
        // Lanes are faster than the session at times.
        guard tree != nil else { return false }
        let isDone = record.type == .tree ? try take(record, lane) : try take(payload: record, lane)
        try perform(completed())
        return isDone
    }

    private func take(payload record: IncomingRecord, _ lane: Int) throws -> Bool {
        let header = try PayloadHeader(decoding: record.plaintext)
        let count = record.plaintext.count - PayloadHeader.length
        let verdict = try change { tree throws(ProtocolViolation) in
            try tree.take(header, count: count, lane: lane)
        }
        switch verdict {
        case .wait: return sendDecisions()
        case .take: lanes[lane].payload = header
        case .drop, .finish: lanes[lane].record = nil
        }
        return true
    }

    /// Other lanes may have got on between the rules and this.
    private func write(_ header: PayloadHeader, _ lane: Int) throws {
        guard let record = lanes[lane].record else { preconditionFailure("A range without its bytes") }
        lanes[lane].record = nil
        let data = UnsafeRawBufferPointer(rebasing: record.plaintext[PayloadHeader.length...])
        try attempt { partial throws(FileError) in try partial.write(header.entry, at: header.offset, data) }
        try wrote(UInt64(data.count), of: header.entry)
    }

    private func take(_ record: IncomingRecord, _ lane: Int) throws -> Bool {
        var reader = try record.reader
        guard let element = try reader.next() else {
            lanes[lane].record = nil
            _ = sendDecisions()
            return true
        }
        let verdict = try change { tree throws(ProtocolViolation) in try tree.take(element, lane: lane) }
        guard verdict != .wait else { return sendDecisions() }
        record.advance(to: reader)
        switch verdict {
        case .take: try keep(element)
        case .finish(let file): try finish(file)
        case .drop, .wait: break
        }
        return true
    }

    private func keep(_ element: TreeElement) throws {
        switch element {
        case .entry(let entry): try add(entry)
        case .content(let entry, let content):
            try attempt { partial throws(FileError) in try partial.content(entry, content) }
        case .hole(let entry, let offset, let length):
            try attempt { partial throws(FileError) in try partial.hole(entry, at: offset, length: length) }
            try wrote(length, of: entry)
        case .fileEnd, .mark: break
        }
    }

    private func add(_ element: TreeEntryElement) throws {
        guard let name else { preconditionFailure("An entry before its offer") }
        let entry = try TreeEntry(arrived: element, rootName: name)
        var need = Need.nothing
        try attempt { partial throws(FileError) in need = try partial.add(entry) }
        guard tree?.isAbandoned == false, case .file(let file) = element.kind else { return }
        if let content = file.content {
            return try attempt { partial throws(FileError) in try partial.content(element.index, content) }
        }
        guard tree?.asks == true else {
            tree?.decide(element.index, .all)
            return
        }
        switch need {
        case .nothing: tree?.decide(element.index, .nothing)
        case .content: tree?.decide(element.index, .all)
        case .compare(let ranges):
            tree?.decide(element.index, .compare)
            // The sender must learn that it is to compare before it learns with what.
            _ = sendDecisions()
            claims.append(Claim(entry: element.index, blocks: Array(ranges.joined())))
        }
    }

    private func wrote(_ count: UInt64, of entry: UInt32) throws {
        let finished = try change { tree throws(ProtocolViolation) in try tree.wrote(count, of: entry) }
        if let finished { try finish(finished) }
    }

    private func finish(_ file: IncomingTree.FinishedFile) throws {
        try attempt { partial throws(FileError) in
            if file.failure == nil {
                try partial.finish(file.entry, size: file.size)
            } else {
                try partial.leaveOut(file.entry, because: .changed)
            }
        }
    }

    private func change<Result>(
        _ step: (inout IncomingTree) throws(ProtocolViolation) -> Result
    ) throws(ProtocolViolation) -> Result {
        guard var tree else { preconditionFailure("Something for a transfer that has not begun") }
        self.tree = nil
        defer { self.tree = tree }
        return try step(&tree)
    }

    /// One step of storing; if it fails, the item is given up.
    private func attempt(_ step: (PartialItem) throws(FileError) -> Void) throws {
        guard let partial, tree?.isAbandoned == false else { return }
        do throws(FileError) {
            try step(partial)
        } catch {
            try perform(giveUp(0, error))
        }
    }

    private func sendDecisions() -> Bool {
        guard let wanted = tree?.wanted() else { return false }
        link.send(.wanted(wanted), on: link.toSender)
        return true
    }

    // MARK: What is there already

    /// Reads one block of what is claimed, or says that these were all.
    func readClaims() -> Bool {
        guard var claim = claims.first, tree?.isAbandoned == false else { return false }
        claims.removeFirst()
        guard !claim.blocks.isEmpty else {
            _ = say(claim, isLast: true)
            return true
        }
        let block = claim.blocks.removeFirst()
        let digest = try? partial?.digest(claim.entry, block: block)
        let isNext = claim.first + UInt64(claim.digests.count / BlockDigest.length) == block
        if !claim.digests.isEmpty,
            !isNext || digest == nil || claim.digests.count == Self.atOnce * BlockDigest.length
        {
            guard say(claim, isLast: false) else { return true }
            claim.digests = []
        }
        if let digest {
            if claim.digests.isEmpty { claim.first = block }
            claim.digests += digest
        }
        claims.insert(claim, at: 0)
        return true
    }

    /// - Returns: whether anybody wants to know.
    private func say(_ claim: Claim, isLast: Bool) -> Bool {
        let holding = tree?.holding(claim.entry, block: claim.first, digests: claim.digests, isLast: isLast)
        guard let holding else { return false }
        link.send(.holding(holding), on: link.toSender)
        return true
    }
}

/// A record of a lane, as far as it was read.
private final class IncomingRecord {
    let type: RecordType
    private let memory: UnsafeMutableRawBufferPointer
    private var next: TreeReader?

    init(_ type: RecordType, _ plaintext: [UInt8]) {
        self.type = type
        memory = .allocate(byteCount: plaintext.count, alignment: 16)
        memory.copyBytes(from: plaintext)
    }

    deinit { memory.deallocate() }

    var plaintext: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

    /// Where it was read to.
    var reader: TreeReader {
        get throws { try next ?? TreeReader(plaintext) }
    }

    func advance(to reader: TreeReader) { next = reader }
}

extension TreeEntry {
    fileprivate init(arrived entry: TreeEntryElement, rootName: FileName) throws {
        var isLinkTarget = false
        let kind: Kind
        switch entry.kind {
        case .file(let file):
            kind = .file(size: file.size)
            isLinkTarget = file.isLinkTarget
        case .folder: kind = .folder
        case .symbolicLink(let target): kind = .symbolicLink(try LinkTarget(Array(target)))
        case .hardLink(let index): kind = .hardLink(to: index)
        }
        self.init(
            index: entry.index, parent: entry.parent, name: entry.index == 0 ? rootName : try FileName(entry.name),
            kind: kind, permissions: entry.permissions,
            modified: try FileTime(seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds),
            isLinkTarget: isLinkTarget)
    }
}
