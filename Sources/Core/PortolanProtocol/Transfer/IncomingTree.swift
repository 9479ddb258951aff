import PortolanCrypto

/// Checks one transfer on lanes against its declarations, at the receiver: entries depth first, ranges inside their
/// files and none twice, every file whole, totals that are right.
///
/// Its owner keeps it under a lock and asks it about each element of any lane; it does no I/O. Its memory is one folder
/// path, the files that are begun or asked for, and which files hard links may name: bounded, independent of the size
/// of the tree. Misuse by the owner traps.
///
/// ```swift
/// // an element:   switch try tree.take(element, lane: lane) {
/// //   .take:      do what it says. A file that came without content: then decide(…). A hole: then wrote(…).
/// //               A mark: look at isComplete.
/// //   .finish:    the file is complete, or failed: give it its time, close it.
/// //   .drop:      nobody wants it any more.
/// //   .wait:      it comes too early: wait until another lane has got on, then ask again. }
/// // payload:      the same with take(header, count:, lane:); after the bytes are in place, wrote(…)
/// // now and then, in a transfer that asks:  if let wanted = tree.wanted() { send(.wanted(wanted)) }
/// // End:          try tree.end(end); look at isComplete
/// ```
///
/// **Waiting.** Lanes are connections of their own, and an element that is sent first on one can come after a later
/// element of another: a range before its file's entry, an entry before the last range of a file that was finished
/// before it. An early element waits on its lane. If the sender hands elements to its lanes in the required order, the
/// element that was sent first never has to wait, so that at least one lane always goes on.
package struct IncomingTree: Sendable {
    /// Number of the transfer in `Begin`.
    package let number: UInt32
    /// True if each entry is decided about.
    package let asks: Bool
    private let isInOrder: Bool
    /// True if a file may be compared with the receiver's bytes; not with one file after the other, since the missing
    /// ranges have gaps.
    package var compares: Bool { asks && !isInOrder }

    /// True if a file may come as a difference.
    package let takesDifferences: Bool

    private var entries: IncomingEntries
    private var totals = IncomingTotals()

    /// Files that are announced and not over.
    var files: [UInt32: IncomingFile] = [:]
    /// Footprint of their attributes.
    private var attributeBytes = 0
    private var begunFiles = 0
    /// A file that was taken and not yet decided about; it is not among `files`.
    private var undecided: (entry: UInt32, file: IncomingFile)?

    private var firstDecision: UInt32 = 0
    private var decisions: [EntryDecision] = []

    private var lanes: LaneMarks
    private var end: Message.End?

    /// True if the item was given up: the remaining content is counted and dropped.
    package private(set) var isAbandoned = false
    /// True if all content has come. Set when `take` of the last mark, or `end`, returns.
    package private(set) var isComplete = false

    init(_ begin: Message.Begin, as offered: OfferedRepresentation, terms: LaneTerms) {
        number = begin.transfer
        asks = begin.asks
        isInOrder = terms.isInOrder
        takesDifferences = begin.asks && begin.takesDifferences && !terms.isInOrder
        lanes = LaneMarks(most: terms.mostLanes)
        entries = IncomingEntries(isFolder: offered.isFolder)
    }

    /// Number of entries that it has to remember, for any reason.
    package var rememberedCount: Int {
        entries.rememberedCount + files.count + (undecided == nil ? 0 : 1) + decisions.count
    }

    // MARK: Elements of lanes

    /// Checks an element from a lane.
    package mutating func take(_ element: TreeElement, lane: UInt32) throws(ProtocolViolation) -> Verdict {
        try lanes.use(lane)
        switch element {
        case .entry(let entry): return try take(entry, lane: lane)
        case .content(let entry, let content): return try take(content: content.count, of: entry, lane: lane)
        case .hole(let entry, let offset, let length):
            try ProtocolViolation.check(files[entry]?.isStream != true, "A hole came in a stream.")
            return try take(offset..<(offset + length), of: entry, lane: lane)
        case .copy(let copy): return try take(copy, lane: lane)
        case .fileEnd(let fileEnd): return try take(fileEnd, lane: lane)
        case .mark:
            lanes.mark(lane)
            try completeIfMarked()
            return .take
        }
    }

    /// Judges a payload record, packed or not, by its header and how many bytes of the file it holds.
    package mutating func take(
        _ header: PayloadHeader, count: Int, lane: UInt32
    ) throws(ProtocolViolation) -> Verdict {
        try lanes.use(lane)
        try ProtocolViolation.check(
            (1...Limits.payload).contains(count), .limit, "A payload record holds \(count) bytes of data.")
        try ProtocolViolation.check(
            header.offset <= Limits.size - UInt64(count), .limit, "Payload came for a place beyond the end of any file."
        )
        let verdict = try take(header.offset..<(header.offset + UInt64(count)), of: header.entry, lane: lane)
        if verdict != .wait { try totals.add(bytes: UInt64(count)) }
        return verdict
    }

    /// Checks an element of inline content, in which every file has its content.
    package mutating func takeInline(_ element: TreeElement) throws(ProtocolViolation) -> TreeEntryElement {
        guard case .entry(let entry) = element, entry.isWhole else {
            throw ProtocolViolation(.unexpected, "Inline content of an offer is not a sequence of complete entries.")
        }
        guard try take(element, lane: 0) == .take else { preconditionFailure("Nothing waits for a whole entry") }
        return entry
    }

    /// Ends the inline content of an offer.
    ///
    /// - Returns: End that a sender would have sent.
    package mutating func endInline() throws(ProtocolViolation) -> Message.End {
        lanes.mark(0)
        let end = Self.valid { () throws(InvalidValue) in
            try Message.End(transfer: number, entries: entries.count, bytes: totals.bytes, lanes: [0])
        }
        try self.end(end)
        return end
    }

    /// Takes the sender's End, which comes on the session.
    package mutating func end(_ end: Message.End) throws(ProtocolViolation) {
        precondition(end.transfer == number && self.end == nil, "A transfer ends once")
        try lanes.end(end.lanes)
        self.end = end
        try completeIfMarked()
    }

    // MARK: Calls of the owner

    /// Sets the decision about a file. Called for each file that came without its content, on the thread of its lane,
    /// before its next element is taken.
    ///
    /// - Parameter decision: in a transfer without questions `.all`; or `.nothing` for a file that cannot be stored,
    ///   whose content comes nevertheless and is dropped.
    package mutating func decide(_ entry: UInt32, _ decision: EntryDecision) {
        guard !isAbandoned else { return }
        guard var file = undecided?.file, undecided?.entry == entry else {
            preconditionFailure("Entry \(entry) is not to be decided about")
        }
        precondition(
            compares || decision != .compare, "A transfer that does not ask, or comes in order, compares nothing")
        precondition(takesDifferences || decision != .difference, "Its sender sends no differences")
        undecided = nil
        if asks {
            decisions.append(decision)
            guard decision != .nothing else {
                attributeBytes -= file.attributeBytes
                return
            }
            file.decision = decision
        } else {
            file.isUnwanted = decision == .nothing
        }
        files[entry] = file
    }

    /// Returns the decisions since the last call, to be sent after each record with entries.
    package mutating func wanted() -> Message.Wanted? {
        guard !decisions.isEmpty, !isAbandoned else { return nil }
        let ready = Array(decisions.prefix(Limits.decisions))
        defer {
            firstDecision &+= UInt32(ready.count)
            decisions.removeFirst(ready.count)
        }
        return Self.valid { () throws(InvalidValue) in
            try Message.Wanted(transfer: number, first: firstDecision, decisions: ready)
        }
    }

    /// Claims blocks of a file to be compared, in ascending order and in several calls, the last of which is marked.
    ///
    /// - Returns: the message to send; nil if the file is over already.
    package mutating func holding(
        _ entry: UInt32, block: UInt64, digests: [UInt8], isLast: Bool
    ) -> Message.Holding? {
        guard let file = files[entry], !isAbandoned else { return nil }
        precondition(file.decision == .compare, "Entry \(entry) is not compared")
        let holding = Self.valid { () throws(InvalidValue) in
            try Message.Holding(transfer: number, index: entry, block: block, digests: digests, isLast: isLast)
        }
        files[entry]?.hold(holding)
        return holding
    }

    /// Notes that this many bytes of the file were stored, or are a hole.
    ///
    /// - Returns: the file, if it is complete by that.
    package mutating func wrote(_ count: UInt64, of entry: UInt32) throws(ProtocolViolation) -> FinishedFile? {
        files[entry]?.written += count
        return try finished(entry)
    }

    /// Gives up the item; its later content is dropped, and no lane waits.
    package mutating func abandon() {
        isAbandoned = true
        files = [:]
        attributeBytes = 0
        begunFiles = 0
        undecided = nil
        decisions = []
    }
}

// MARK: - Entries

extension IncomingTree {
    private mutating func take(_ entry: TreeEntryElement, lane: UInt32) throws(ProtocolViolation) -> Verdict {
        try lanes.takeEntry(on: lane)
        try entries.checkNumber(entry.index)
        guard !isAbandoned else {
            entries.drop()
            if case .file(let file) = entry.kind, let content = file.content {
                try totals.add(bytes: UInt64(content.count))
            }
            return .drop
        }
        precondition(undecided == nil, "The entry before has not been decided about")
        try ProtocolViolation.check(!isInOrder || begunFiles == 0, "An entry came inside a file.")
        if case .file(let file) = entry.kind, file.content == nil, isCrowded { return .wait }
        if case .file(let file) = entry.kind, let size = file.size { try totals.add(extent: size) }
        try entries.take(entry)
        var isAnnounced = false
        if case .file(let file) = entry.kind { isAnnounced = try announce(file, entry) }
        if asks, !isAnnounced { decisions.append(.nothing) }
        return .take
    }

    /// True if a further file without content has to wait for the end of another.
    private var isCrowded: Bool {
        guard asks else { return begunFiles >= Limits.openFiles }
        return files.count >= Limits.pendingFiles || attributeBytes > Limits.pendingAttributes
    }

    /// - Returns: true if its content is still to come.
    private mutating func announce(
        _ file: TreeEntryElement.File, _ entry: TreeEntryElement
    ) throws(ProtocolViolation) -> Bool {
        if let content = file.content {
            try totals.add(bytes: UInt64(content.count))
            return false
        }
        let attributeBytes = entry.attributes?.footprint ?? 0
        let incoming = IncomingFile(
            size: file.size, attributeBytes: attributeBytes, isBegun: !asks, comesInOrder: isInOrder || file.size == nil
        )
        self.attributeBytes += attributeBytes
        if !asks { begunFiles += 1 }
        undecided = (entry.index, incoming)
        return true
    }

    /// Removes a file that is over, or not wanted.
    private mutating func remove(_ entry: UInt32) {
        guard let file = files.removeValue(forKey: entry) else { return }
        attributeBytes -= file.attributeBytes
    }
}

// MARK: - Content

extension IncomingTree {
    private mutating func take(
        content count: Int, of entry: UInt32, lane: UInt32
    ) throws(ProtocolViolation) -> Verdict {
        guard !isAbandoned else {
            try totals.add(bytes: UInt64(count))
            return .drop
        }
        guard let file = try announced(entry, lane: lane) else { return .wait }
        try ProtocolViolation.check(
            asks && file.decision == .all && !file.isBegun,
            "The whole content of entry \(entry) came without being asked for.")
        try ProtocolViolation.check(
            file.size == UInt64(count), "The whole content of a file came, and is not as long as the file.")
        try ProtocolViolation.check(!isInOrder || begunFiles == 0, "The content of a file came inside another.")
        try totals.add(bytes: UInt64(count))
        remove(entry)
        return .take
    }

    private mutating func take(
        _ range: Range<UInt64>, of entry: UInt32, lane: UInt32
    ) throws(ProtocolViolation) -> Verdict {
        guard !isAbandoned else { return .drop }
        guard try begin(entry, lane: lane) else { return .wait }
        if files[entry]?.isStream == true { try totals.add(extent: UInt64(range.count)) }
        try files[entry]?.take(range)
        guard files[entry]?.isUnwanted == true else { return .take }
        _ = try wrote(range.upperBound - range.lowerBound, of: entry)
        return .drop
    }

    private mutating func take(_ copy: CopyElement, lane: UInt32) throws(ProtocolViolation) -> Verdict {
        guard !isAbandoned else { return .drop }
        guard try begin(copy.entry, lane: lane) else { return .wait }
        try files[copy.entry]?.take(copy)
        return .take
    }

    private mutating func take(_ fileEnd: FileEndElement, lane: UInt32) throws(ProtocolViolation) -> Verdict {
        guard !isAbandoned else { return .drop }
        guard try begin(fileEnd.entry, lane: lane) else { return .wait }
        try files[fileEnd.entry]?.take(fileEnd)
        let isUnwanted = files[fileEnd.entry]?.isUnwanted == true
        let finished = try finished(fileEnd.entry)
        return isUnwanted ? .drop : finished.map { .finish($0) } ?? .take
    }

    /// Returns a file that may receive content.
    ///
    /// - Returns: nil if its entry has not come yet, or is just being created.
    private func announced(_ entry: UInt32, lane: UInt32) throws(ProtocolViolation) -> IncomingFile? {
        guard entry < entries.count else {
            // An entry cannot be overtaken on its own lane, and none can come on a lane that has ended.
            try ProtocolViolation.check(
                lanes.mayBringEntry(besides: lane), "An element came for entry \(entry), which does not exist.")
            return nil
        }
        guard entry != undecided?.entry else { return nil }
        guard let file = files[entry] else {
            throw ProtocolViolation(.unexpected, "Content came for entry \(entry), which expects none.")
        }
        try ProtocolViolation.check(
            lane == lanes.entries || !file.comesInOrder, "Content that must be in order did not come on the first lane."
        )
        return file
    }

    /// Begins the file's content, if it has not begun.
    ///
    /// - Returns: false if it cannot begin yet.
    private mutating func begin(_ entry: UInt32, lane: UInt32) throws(ProtocolViolation) -> Bool {
        guard let file = try announced(entry, lane: lane) else { return false }
        guard !file.isBegun else { return true }
        try ProtocolViolation.check(!isInOrder || begunFiles == 0, "A file began inside another.")
        guard begunFiles < Limits.openFiles else { return false }
        begunFiles += 1
        files[entry]?.isBegun = true
        return true
    }

    /// Forgets the file if it is over.
    ///
    /// - Returns: the actions.
    private mutating func finished(_ entry: UInt32) throws(ProtocolViolation) -> FinishedFile? {
        guard let file = files[entry], let end = file.end, file.isOver else { return nil }
        try file.checkWhole()
        remove(entry)
        begunFiles -= 1
        let kept = end.failure == nil ? end.size - end.sent : 0
        let digest = end.digest.flatMap { digest in file.base.key.map { FileDigest(key: $0, bytes: digest) } }
        return FinishedFile(entry: entry, size: end.size, kept: kept, failure: end.failure, digest: digest)
    }
}

// MARK: - Lanes

extension IncomingTree {
    private mutating func completeIfMarked() throws(ProtocolViolation) {
        guard let end, lanes.areAll else { return }
        try ProtocolViolation.check(
            end.entries == entries.count && end.bytes == totals.bytes,
            "A transfer ended with totals that do not match its content.")
        if end.failure == nil {
            guard files.isEmpty else { throw ProtocolViolation(.unexpected, "A transfer ended inside a file.") }
            guard entries.count > 0 else { throw ProtocolViolation(.unexpected, "A transfer ended without a file.") }
        }
        isComplete = true
    }
}
