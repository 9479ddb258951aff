import PortolanValues

/// Numbers and counts the elements of one transfer on lanes, at the sender, and tracks the receiver's pending
/// decisions.
///
/// `OutgoingTransfer.beginTree(…)` makes one. Its owner keeps it under a lock that its lanes' threads share. Misuse by
/// the owner traps; a source that cannot be put on the wire throws, and so does a violation by the receiver.
///
/// ```swift
/// // a folder or link:    write its entry with tree.nextIndex; try tree.addEntry(…)
/// // a small file:        write it with its content; try tree.addWhole(size:)
/// // another file:        wait for tree.mayAddFile; write its entry; try tree.addFile(size:)
/// //   it asks:           after receive(wanted), if tree.mayBegin, tree.begin(entry); or, sent whole, sentWhole(entry)
/// //   its ranges:        tree.sent(count, of: entry) and tree.skipped(count, of: entry), as a lane gets each
/// //   what is held:      tree.matched(count, of: entry)
/// //   then:              write .fileEnd(tree.endFile(entry, size: …)), once all ranges are handed to their lanes
/// // at the end:          write .mark on each lane; send(.end(tree.end(lanes: …)))
/// ```
///
/// **Order.** The receiver's lanes wait for each other (see `IncomingTree`). So that they never wait for good, an entry
/// must be handed to its lane before any range of it, all of a file's ranges before its end, and a file's end before
/// another is begun in its place.
package struct OutgoingTree: Sendable {
    /// Number of the transfer in `Begin`.
    package let number: UInt32
    /// True if the receiver decides about each entry.
    package let asks: Bool
    /// True if all files must be sent on lane 0, one after the other, each from its beginning to its end.
    package let isInOrder: Bool
    /// Largest number of lanes that the receiver allows.
    package let mostLanes: Int
    private let isFolder: Bool
    /// True if files are sent as differences when the receiver wants that.
    private let takesDifferences: Bool

    struct File: Sendable {
        let size: UInt64?
        /// Footprint of its attributes.
        let attributeBytes: Int
        var decision: EntryDecision?
        var isBegun: Bool
        /// In ranges and holes.
        var sent: UInt64 = 0
        var matched: UInt64 = 0
        /// First block that the receiver's next claim may contain.
        var nextBlock: UInt64 = 0
        /// Runs of blocks that the receiver claims and that do not touch.
        var claims = 0
        var isListed = false
        /// The earlier version that the receiver has.
        var base = OutgoingBase()
    }

    private var entries: UInt32 = 0
    private var bytes: UInt64 = 0
    /// Sum of the sizes of the files that were announced; streams have none.
    private var extent: UInt64 = 0
    /// Announced files without a decision, in their order, from `firstUndecidedFile` on.
    private var undecidedFiles: [(entry: UInt32, file: File)] = []
    private var firstUndecidedFile = 0
    /// Other announced files that are not over.
    var files: [UInt32: File] = [:]
    /// Footprint of their attributes.
    private var attributeBytes = 0
    private var begunFiles = 0
    /// First entry without a decision.
    private var firstUndecided: UInt32 = 0
    private var hasEnded = false

    init(number: UInt32, isFolder: Bool, terms: LaneTerms, takesDifferences: Bool = false) {
        self.number = number
        self.isFolder = isFolder
        asks = terms.asks
        isInOrder = terms.isInOrder
        self.takesDifferences = takesDifferences
        mostLanes = terms.mostLanes
    }

    // MARK: Entries

    /// The number of the entry that is added next.
    package var nextIndex: UInt32 { entries }

    /// True if another file may be announced without its content.
    package var mayAddFile: Bool {
        // With one file after the other, no entry comes between the first range of a file and its end.
        guard !isInOrder || begunFiles == 0 else { return false }
        guard asks else { return begunFiles < (isInOrder ? 1 : Limits.openFiles) }
        let pending = undecidedFiles.count - firstUndecidedFile + files.count
        return pending < Limits.pendingFiles && attributeBytes <= Limits.pendingAttributes
    }

    /// Notes that an entry was written that is no file.
    ///
    /// - Parameter isFolder: kind of the entry; the root must be of the offered kind.
    package mutating func addEntry(isFolder: Bool) throws(InvalidValue) { try add(isFolder: isFolder) }

    /// Notes that a file was written with all of its content.
    package mutating func addWhole(size: UInt64) throws(InvalidValue) {
        try addExtent(size)
        try add(isFolder: false)
        bytes += size
    }

    /// Notes a written file whose content follows if the receiver needs it.
    ///
    /// - Parameter attributeBytes: footprint of its attributes.
    package mutating func addFile(size: UInt64?, attributeBytes: Int = 0) throws(InvalidValue) {
        precondition(mayAddFile, "Too many files are announced and not over")
        try InvalidValue.checkSize(size, "A file")
        try addExtent(size ?? 0)
        let index = entries
        try add(isFolder: false)
        let file = File(size: size, attributeBytes: attributeBytes, isBegun: !asks)
        self.attributeBytes += attributeBytes
        if asks {
            undecidedFiles.append((index, file))
        } else {
            files[index] = file
            begunFiles += 1
        }
    }

    /// Counts the size of a file: the receiver refuses a transfer whose files together exceed the limit.
    private mutating func addExtent(_ size: UInt64) throws(InvalidValue) {
        let (sum, overflow) = extent.addingReportingOverflow(size)
        try InvalidValue.check(
            !overflow && sum <= Limits.size,
            limit: "The files are together larger than any file can be; send fewer at a time.")
        extent = sum
    }

    private mutating func add(isFolder: Bool) throws(InvalidValue) {
        precondition(!hasEnded, "An entry behind the end")
        try InvalidValue.check(
            entries > 0 || isFolder == self.isFolder,
            "What was offered as a \(self.isFolder ? "folder" : "file") is none any more.")
        guard entries < .max else { throw .limit("A folder with more than \(UInt32.max) entries.") }
        entries += 1
    }

    // MARK: Content

    /// True if another file may be begun, in a transfer with questions.
    package var mayBegin: Bool { begunFiles < (isInOrder ? 1 : Limits.openFiles) }

    /// Begins the content of a file that the receiver wants.
    package mutating func begin(_ entry: UInt32) {
        precondition(mayBegin, "Too many files are begun and not over")
        precondition(files[entry].map { $0.decision != nil && !$0.isBegun } ?? false, "Nobody waits for it")
        change(entry) { $0.isBegun = true }
        begunFiles += 1
    }

    /// Notes that the whole content of a wanted file was written at once.
    package mutating func sentWhole(_ entry: UInt32) {
        guard let file = files[entry], let size = file.size, !file.isBegun, file.decision == .all else {
            preconditionFailure("Nobody waits for the whole of it")
        }
        remove(entry)
        bytes += size
    }

    /// Notes that `count` bytes of a begun file were handed to a lane.
    package mutating func sent(_ count: Int, of entry: UInt32) {
        change(entry) { $0.sent += UInt64(count) }
        bytes += UInt64(count)
    }

    /// Notes that a hole was handed to a lane.
    package mutating func skipped(_ count: UInt64, of entry: UInt32) { change(entry) { $0.sent += count } }

    /// Notes that a copy element was handed to a lane.
    package mutating func copied(_ count: UInt64, of entry: UInt32) { change(entry) { $0.sent += count } }

    /// Notes that `count` bytes of a file equal the receiver's, and are not sent.
    package mutating func matched(_ count: UInt64, of entry: UInt32) { change(entry) { $0.matched += count } }

    /// Ends a file. If sent and held bytes together are fewer than its size, it counts as changed.
    ///
    /// - Parameters:
    ///   - size: size of the file; must equal the announced one, if there is one.
    ///   - digest: its `FileDigest`, if it has copied parts.
    package mutating func endFile(
        _ entry: UInt32, size: UInt64, failure: SourceFailure? = nil, digest: [UInt8]? = nil
    ) -> FileEndElement {
        guard let file = remove(entry) else { preconditionFailure("No such file is begun") }
        precondition(file.isBegun, "No such file is begun")
        begunFiles -= 1
        let isWhole = size == file.size ?? size && file.sent + file.matched == size
        let reason = failure ?? (isWhole ? nil : .changed)
        return FileEndElement(
            entry: entry, size: size, sent: file.sent, failure: reason, digest: reason == nil ? digest : nil)
    }

    /// Removes a file that is over.
    @discardableResult
    private mutating func remove(_ entry: UInt32) -> File? {
        guard let file = files.removeValue(forKey: entry) else { return nil }
        attributeBytes -= file.attributeBytes
        return file
    }

    private mutating func change(_ entry: UInt32, _ change: (inout File) -> Void) {
        guard var file = files[entry] else { preconditionFailure("No such file is announced") }
        change(&file)
        files[entry] = file
    }

    // MARK: The end

    /// Returns the last message, to be sent after the mark was written on each used lane.
    ///
    /// - Parameter lanes: numbers of the used lanes, ascending.
    package mutating func end(
        lanes: [UInt32], omissions: Omissions = Omissions(), failure: SourceFailure? = nil
    ) -> Message.End {
        precondition(!hasEnded, "A transfer ends once")
        if failure == nil {
            // The receiver's decisions about folders and links after the last file are irrelevant.
            precondition(files.isEmpty && firstUndecidedFile == undecidedFiles.count, "A file is not over")
            precondition(entries > 0 && !lanes.isEmpty, "A transfer without a file")
        }
        hasEnded = true
        return certain(
            try Message.End(
                transfer: number, entries: entries, bytes: bytes, failure: failure, omissions: omissions,
                lanes: lanes), "More was sent than any file can have")
    }
}

// MARK: - Messages of the receiver

extension OutgoingTree {
    /// Handles decisions of the receiver.
    ///
    /// - Returns: the decision about each file, in order. Files that need nothing are over.
    package mutating func receive(
        _ wanted: Message.Wanted
    ) throws(ProtocolViolation) -> [(entry: UInt32, decision: EntryDecision)] {
        try ProtocolViolation.check(
            asks && wanted.transfer == number, "The receiver decides about entries without being asked.")
        try ProtocolViolation.check(
            wanted.first == firstUndecided, "The receiver decides about entry \(wanted.first) before \(firstUndecided)."
        )
        try ProtocolViolation.check(
            wanted.decisions.count <= entries - firstUndecided,
            "The receiver decides about entries that were not announced.")
        var decided: [(entry: UInt32, decision: EntryDecision)] = []
        decided.reserveCapacity(min(wanted.decisions.count, undecidedFiles.count))
        for decision in wanted.decisions {
            let entry = firstUndecided
            firstUndecided += 1
            guard firstUndecidedFile < undecidedFiles.count, undecidedFiles[firstUndecidedFile].entry == entry else {
                try ProtocolViolation.check(
                    decision == .nothing, "The receiver wants the content of an entry that has none.")
                continue
            }
            var file = undecidedFiles[firstUndecidedFile].file
            try ProtocolViolation.check(
                decision != .compare || file.size != nil, "The receiver compares a file whose size nobody knows.")
            try ProtocolViolation.check(
                decision != .compare || !isInOrder, "The receiver compares a file that is to come in order.")
            try ProtocolViolation.check(
                decision != .difference || takesDifferences && file.size != nil,
                "The receiver wants a difference that the sender did not offer.")
            firstUndecidedFile += 1
            if decision == .nothing {
                attributeBytes -= file.attributeBytes
            } else {
                file.decision = decision
                files[entry] = file
            }
            decided.append((entry, decision))
        }
        if firstUndecidedFile * 2 >= undecidedFiles.count {
            undecidedFiles.removeFirst(firstUndecidedFile)
            firstUndecidedFile = 0
        }
        return decided
    }

    /// Returns true if an entry was decided about.
    func isDecided(_ entry: UInt32) -> Bool { entry < firstUndecided }

    /// Takes digests of the blocks that the receiver holds of a file.
    ///
    /// - Returns: true if they still matter: the file is not over.
    package mutating func receive(_ holding: Message.Holding) throws(ProtocolViolation) -> Bool {
        if holding.files != nil {
            var matters = false
            for part in holding.parts where try receive(part) { matters = true }
            return matters
        }
        try ProtocolViolation.check(
            asks && holding.transfer == number && holding.index < firstUndecided,
            "The receiver reports present content without being asked.")
        // The message may have crossed the end of the file.
        guard var file = files[holding.index] else { return false }
        guard file.decision == .compare, !file.isListed, let size = file.size else {
            throw ProtocolViolation(.unexpected, "The receiver reports present content of a file that it wants whole.")
        }
        if !holding.digests.isEmpty {
            try ProtocolViolation.check(
                holding.block >= file.nextBlock, "The receiver reports present content out of order.")
            try ProtocolViolation.check(
                holding.blocks.upperBound <= Message.Holding.blockCount(size: size),
                "The receiver reports more present content than the file has.")
            if holding.block > file.nextBlock || file.claims == 0 { file.claims += 1 }
            try ProtocolViolation.check(
                file.claims <= Limits.fileParts, .limit,
                "The receiver reports present content of a file in more than \(Limits.fileParts) parts.")
            file.nextBlock = holding.blocks.upperBound
        }
        file.isListed = holding.isLast
        files[holding.index] = file
        return true
    }
}
