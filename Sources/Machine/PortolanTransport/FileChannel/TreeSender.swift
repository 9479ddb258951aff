import PortolanFiles
import PortolanProtocol

/// Sends a file or folder from its root on: lane 0's part of a transfer.
///
/// Entries and small files are combined in tree records; large files are left to all lanes, including this one after it
/// has nothing else to do.
struct TreeSender {
    /// Files up to this many bytes travel with their entries.
    private static let smallFile: UInt64 = 64 << 10
    /// A record is sent when it has `recordLength` bytes, or when it has waited for `patience`.
    private static let recordLength = 256 << 10
    private static let patience = Duration.milliseconds(50)
    /// Most entries of a record whose receiver decides about each: few enough that it decides about some while others
    /// are being found.
    private static let askedEntries = 512

    private let tree: SourceTree
    private let asks: Bool
    private let pieces: PieceSender
    private let memory = AlignedMemory(count: TreeSender.recordLength)
    private var writer: TreeWriter
    private var begun: ContinuousClock.Instant
    /// Entries in the record.
    private var entries = 0

    /// - Parameter asks: true if the receiver decides about each entry.
    init(_ tree: SourceTree, asks: Bool, pieces: PieceSender) {
        self.tree = tree
        self.asks = asks
        self.pieces = pieces
        begun = pieces.runtime.now
        writer = TreeWriter(memory.bytes, transfer: pieces.transfer)
    }

    private var work: OutgoingWork { pieces.work }

    /// Sends everything, and ends the lane's part of the transfer.
    mutating func run() throws {
        do {
            try sendEverything()
        } catch  where error is FileError || error is InvalidValue || error is CancellationError {
            // The file is counted, so its content must follow even if the receiver does not need it any more.
            try put()
            throw error
        }
        try pieces.send(.mark)
    }

    private mutating func sendEverything() throws {
        while true {
            switch try work.next(isUnflushed: !writer.isEmpty) {
            case .walk: try walk()
            case .wanted(let entry, let decision): try send(wanted: entry, decision)
            case .piece(let piece): try pieces.send(piece)
            case .flush: try flush()
            case .over: return
            }
        }
    }

    /// Counts the entry that was appended last; removes it again if it exceeds a limit.
    private mutating func count(_ step: (inout OutgoingTree) throws(InvalidValue) -> Void) throws {
        do {
            try work.count { tree throws(InvalidValue) in try step(&tree) }
        } catch {
            writer.removeLast()
            throw error
        }
    }

    // MARK: Entries

    private mutating func walk() throws {
        guard let source = try pieces.tally.own.during({ try tree.next() }) else {
            pieces.tally.foundAll()
            work.walked()
            return
        }
        pieces.tally.found(source.contentSize)
        if entries >= Self.askedEntries && asks { try flush() }
        if !writer.isEmpty, pieces.runtime.now - begun > Self.patience { try flush() }
        entries += 1
        guard case .file(let size) = source.entry.kind else {
            try append(source.entry)
            let isFolder = source.entry.kind == .folder
            return try count { tree throws(InvalidValue) in try tree.addEntry(isFolder: isFolder) }
        }
        if asks {
            try append(source.entry)
            do {
                try work.ask(about: source, size: size)
            } catch {
                writer.removeLast()
                throw error
            }
        } else {
            try send(source, size: size)
        }
    }

    private mutating func send(_ source: SourceEntry, size: UInt64?) throws {
        do {
            let file = try source.open()
            if file.size <= Self.smallFile {
                try source.entry.withElement { element in
                    try appendSmall(file, of: source) { writer in writer.appendFile(element) }
                }
                return try count { tree throws(InvalidValue) in try tree.addWhole(size: file.size) }
            }
            try announce(source, size: size)
            work.add(OutgoingWork.File(entry: source, source: file), isClaimed: false)
        } catch let error as FileError {
            // The entry's index is already used, so the entry stays, without content.
            try announce(source, size: size)
            try pieces.end(source, size: size ?? 0, failure: error)
        }
    }

    /// Announces a file whose content follows on any lane.
    private mutating func announce(_ source: SourceEntry, size: UInt64?) throws {
        try append(source.entry)
        try count { tree throws(InvalidValue) in
            try tree.addFile(size: size, attributeBytes: source.entry.attributeBytes)
        }
        try flush()
    }

    /// Sends a file after the receiver has asked for it.
    private mutating func send(wanted source: SourceEntry, _ decision: EntryDecision) throws {
        let index = source.entry.index
        do {
            let file = try source.open()
            if decision == .all, file.size <= Self.smallFile {
                try appendSmall(file, of: source) { writer in writer.appendContent(of: index, size: file.size) }
                return work.count { $0.sentWhole(index) }
            }
            guard file.size > 0 else {
                if try file.confirmUnchanged() { pieces.truncate(source) }
                // The file is empty: no content to compare or to send.
                work.forget(index)
                work.count { $0.begin(index) }
                return try pieces.end(source, size: 0, failure: nil)
            }
            work.count { $0.begin(index) }
            let begun = OutgoingWork.File(entry: source, source: file)
            var isClaimed = decision == .compare
            if isClaimed, file.size <= RangeCursor.block, let digest = work.takeDigest(of: index) {
                if try endIfRight(begun, digest) { return }
                // The whole file is sent, since none of the claimed blocks agrees.
                isClaimed = false
            }
            work.add(begun, isClaimed: isClaimed, difference: decision == .difference ? FileDifference() : nil)
        } catch let error as FileError {
            work.forget(index)
            work.count { $0.begin(index) }
            guard case .file(let size) = source.entry.kind else { preconditionFailure("Only files are wanted") }
            try pieces.end(source, size: size ?? 0, failure: error)
        }
    }

    /// Ends a file of one block if the receiver has it, in a record with other entries.
    ///
    /// - Returns: false if the receiver's content differs.
    private mutating func endIfRight(_ file: OutgoingWork.File, _ digest: [UInt8]) throws -> Bool {
        do {
            guard try pieces.isRight(file, 0..<file.source.size, digest[...]) else { return false }
            if try file.source.confirmUnchanged() { pieces.truncate(file.entry) }
        } catch let error as FileError {
            try pieces.end(file.entry, size: file.source.size, failure: error)
            return true
        }
        try append(.fileEnd(work.endFile(file.index, size: file.source.size, failure: nil)))
        return true
    }

    /// Writes an element with the whole content of a file; writes nothing if it does not fit.
    private mutating func appendSmall(
        _ file: SourceFile, of source: SourceEntry, _ reserve: (inout TreeWriter) -> UnsafeMutableRawBufferPointer?
    ) throws {
        if writer.isEmpty { begun = pieces.runtime.now }
        var place = reserve(&writer)
        if place == nil {
            try flush()
            place = reserve(&writer)
        }
        guard let place else { preconditionFailure("A small file that fits into no record") }
        do {
            try pieces.tally.own.during { try file.fill(place, from: 0) }
            if try file.confirmUnchanged(UnsafeRawBufferPointer(place)) { pieces.truncate(source) }
        } catch {
            writer.removeLast()
            throw error
        }
        pieces.tally.sent(place.count)
    }

    private mutating func append(_ entry: TreeEntry) throws {
        try entry.withElement { element in try append(.entry(element)) }
    }

    private mutating func append(_ element: TreeElement) throws {
        if writer.isEmpty { begun = pieces.runtime.now }
        if writer.append(element) { return }
        try flush()
        guard writer.append(element) else { preconditionFailure("An element larger than a record") }
    }

    private mutating func flush() throws {
        begun = pieces.runtime.now
        guard !writer.isEmpty else { return }
        _ = try pieces.pace(writer.count)
        try put()
    }

    /// Puts the written elements on the wire.
    private mutating func put() throws {
        guard !writer.isEmpty else { return }
        let written = UnsafeRawBufferPointer(memory.bytes)[..<writer.count]
        try pieces.lane.send(.tree) { room in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: written))
            return written.count
        }
        writer = TreeWriter(memory.bytes, transfer: pieces.transfer)
        entries = 0
    }
}
