import DequeModule
import PortolanConcurrency
import PortolanCrypto
import PortolanFiles
import PortolanProtocol

/// Remaining work of a transfer, handed out piece by piece to the next free lane.
///
/// Lane 0 asks for its next step, which may be anything; the other lanes ask for pieces of large files.
final class OutgoingWork: Sendable {
    /// A large file that is open and not yet sent.
    struct File: Sendable {
        let entry: SourceEntry
        let source: SourceFile
        /// True if all of its content was counted for the check of its growth.
        var isCounted = false

        var index: UInt32 { entry.entry.index }
    }

    /// A piece of a large file.
    enum Piece: Sendable {
        case data(File, Range<UInt64>)
        case hole(File, Range<UInt64>)
        /// The receiver claims the range, with this digest.
        case compare(File, Range<UInt64>, digest: ArraySlice<UInt8>)
        /// The receiver reads its earlier version: this side reads the file with the same key.
        case reading(File, FileDifference, Message.Base.Beginning)
        /// The receiver has answered about its earlier version: the next step of the difference, up to the next
        /// question.
        case difference(File, FileDifference, BaseAnswer)

        fileprivate var index: UInt32 {
            switch self {
            case .data(let file, _), .hole(let file, _), .compare(let file, _, _), .reading(let file, _, _),
                .difference(let file, _, _):
                file.index
            }
        }
    }

    /// Next step of lane 0.
    enum Step: Sendable {
        /// The receiver needs this file, or a comparison with its own.
        case wanted(SourceEntry, EntryDecision)
        case piece(Piece)
        /// Continue with the next entry of the source.
        case walk
        /// Flush: put the written elements on the wire, because no more can be added at the moment.
        case flush
        case over
    }

    /// Most open files. Fewer than a receiver allows, so that its lanes need not wait for each other.
    private static let openFiles = 32
    /// Limit of unread digests, in bytes: far more than a receiver can be ahead of this side.
    private static let unreadDigests = 64 << 20

    private struct Pending {
        var file: File
        var cursor: RangeCursor
        /// Pieces that lanes are at.
        var underWay = 0
        var failure: FileError?
        /// Nil for a file whose ranges are sent by its cursor.
        var difference: FileDifference?

        var isOver: Bool {
            underWay == 0 && (failure != nil || difference?.isOver ?? (cursor.position >= cursor.size))
        }
    }

    private struct State {
        var tree: OutgoingTree
        /// Files in the order in which they were opened.
        var files: [Pending] = []
        /// Announced files about which the receiver has not decided, in their order.
        var undecided: Deque<SourceEntry> = []
        var wanted: Deque<(entry: SourceEntry, decision: EntryDecision)> = []
        /// Small files under comparison, until their claims have come, by entry index.
        var awaiting: [UInt32: SourceEntry] = [:]
        /// Receiver's claims for files that are wanted and not open, by their indices.
        var earlyClaims: [UInt32: [Message.Holding]] = [:]
        /// Receiver's unread answers about earlier versions, by entries that are sent as differences.
        var answers: [UInt32: BaseAnswer] = [:]
        var unreadDigests = 0
        var isWalked = false
        /// Lanes with this number or a greater one have no work.
        var lanes = 1
        var failure: (any Error)?

        var isDone: Bool { isWalked && undecided.isEmpty && wanted.isEmpty && awaiting.isEmpty && files.isEmpty }
    }

    private let state: Monitor<State>

    init(_ tree: OutgoingTree, on runtime: Runtime = .system) {
        state = Monitor(State(tree: tree), on: runtime)
    }

    /// True if everything has been sent, or the work has failed.
    var isDone: Bool { state.quietly { $0.isDone || $0.failure != nil } }

    // MARK: Lane 0

    /// Returns the next step; waits for one.
    ///
    /// - Parameter isUnflushed: true if written elements are not on the wire yet.
    /// - Throws: the reason if the rest is not wanted.
    func next(isUnflushed: Bool) throws -> Step {
        let step: Step = try state.wait { state throws in
            if let failure = state.failure { throw failure }
            let hasRoom = state.files.count < Self.openFiles
            if hasRoom, state.tree.mayBegin, let wanted = state.wanted.popFirst() {
                return .wanted(wanted.entry, wanted.decision)
            }
            if hasRoom, !state.isWalked, state.tree.mayAddFile { return .walk }
            if isUnflushed { return .flush }
            if let piece = Self.take(&state) { return .piece(piece) }
            return state.isDone ? .over : nil
        }
        // The other lanes also wait for the end, whatever its cause.
        if case .over = step { state.wake() }
        return step
    }

    /// Notes the end of the source.
    func walked() {
        state.withLock { $0.isWalked = true }
    }

    /// Counts and numbers sent elements without waking lanes.
    func count<Result, Failure: Error>(
        _ body: (inout OutgoingTree) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try state.quietly { state throws(Failure) in try body(&state.tree) }
    }

    /// Ends a file, so that another one can be opened.
    func endFile(_ index: UInt32, size: UInt64, failure: FileError?, digest: [UInt8]? = nil) -> FileEndElement {
        state.withLock {
            $0.tree.endFile(index, size: size, failure: failure.map(SourceFailure.init), digest: digest)
        }
    }

    /// Notes an announced file about which the receiver will decide.
    func ask(about entry: SourceEntry, size: UInt64?) throws(InvalidValue) {
        try state.withLock { state throws(InvalidValue) in
            try state.tree.addFile(size: size, attributeBytes: entry.entry.attributeBytes)
            state.undecided.append(entry)
        }
    }

    /// Adds an open file whose ranges the lanes send.
    ///
    /// - Parameters:
    ///   - isClaimed: true if the receiver will send its claims.
    ///   - difference: difference from an earlier version, whose signatures the receiver will send.
    /// - Precondition: it is not empty.
    func add(_ file: File, isClaimed: Bool, difference: FileDifference? = nil) {
        precondition(file.source.size > 0, "An empty file has no ranges")
        state.withLock {
            var cursor = RangeCursor(size: file.source.size, isClaimed: isClaimed)
            for holding in $0.earlyClaims.removeValue(forKey: file.index) ?? [] { cursor.claim(holding) }
            $0.files.append(Pending(file: file, cursor: cursor, difference: difference))
        }
    }

    /// Takes the digest of a small file of one block, if the receiver has claimed the whole file.
    func takeDigest(of index: UInt32) -> [UInt8]? {
        state.quietly { state in
            guard let holding = state.earlyClaims[index]?.first, holding.isLast, holding.block == 0,
                holding.digests.count == BlockDigest.length
            else { return nil }
            state.earlyClaims[index] = nil
            state.unreadDigests -= holding.digests.count
            return holding.digests
        }
    }

    /// Forgets a wanted file that will not be sent.
    func forget(_ index: UInt32) {
        state.withLock { state in
            for holding in state.earlyClaims.removeValue(forKey: index) ?? [] {
                state.unreadDigests -= holding.digests.count
            }
            state.unreadDigests -= state.answers.removeValue(forKey: index)?.data.count ?? 0
        }
    }

    // MARK: Messages of the receiver

    /// - Returns: number of bytes of content that need not be sent.
    func receive(_ wanted: Message.Wanted) throws(ProtocolViolation) -> UInt64 {
        try state.withLock { state throws(ProtocolViolation) in
            var kept: UInt64 = 0
            for (index, decision) in try state.tree.receive(wanted) {
                guard let entry = state.undecided.popFirst(), entry.entry.index == index else {
                    preconditionFailure("A decision about a file that was not announced")
                }
                switch decision {
                case .nothing: kept += entry.contentSize
                case .all: break
                case .compare: state.earlyClaims[index] = []
                case .difference: state.answers[index] = BaseAnswer()
                }
                if decision == .compare, entry.contentSize <= RangeCursor.block {
                    state.awaiting[index] = entry
                } else if decision != .nothing {
                    state.wanted.append((entry, decision))
                }
            }
            return kept
        }
    }

    func receive(_ holding: Message.Holding) throws(ProtocolViolation) {
        try state.withLock { state throws(ProtocolViolation) in
            for part in holding.parts { try Self.receive(part, &state) }
        }
    }

    private static func receive(_ holding: Message.Holding, _ state: inout State) throws(ProtocolViolation) {
        guard try state.tree.receive(holding) else { return }
        if let place = state.files.firstIndex(where: { $0.file.index == holding.index }) {
            state.files[place].cursor.claim(holding)
        } else if state.earlyClaims[holding.index]?.append(holding) == nil {
            return
        }
        state.unreadDigests += holding.digests.count
        if holding.isLast, let entry = state.awaiting.removeValue(forKey: holding.index) {
            state.wanted.append((entry, .compare))
        }
        try ProtocolViolation.check(
            state.unreadDigests <= unreadDigests, .limit,
            "The receiver reports more present content than the sender can process.")
    }

    func receive(_ base: Message.Base) throws(ProtocolViolation) {
        try state.withLock { state throws(ProtocolViolation) in
            guard try state.tree.receive(base), state.answers[base.index] != nil else { return }
            // Appended in place, because each message would otherwise copy all earlier ones.
            state.answers[base.index]?.data += base.data
            state.answers[base.index]?.isComplete = base.isLast
            if let beginning = base.beginning { state.answers[base.index]?.beginning = beginning }
            state.unreadDigests += base.data.count
            try ProtocolViolation.check(
                state.unreadDigests <= Self.unreadDigests, .limit,
                "The receiver reports more present content than the sender can process.")
        }
    }

    /// - Parameter answer: most bytes of a valid answer.
    /// - Returns: the question to send.
    func ask(
        _ question: Message.Compare.Question, about index: UInt32, answer: UInt64
    ) throws(InvalidValue) -> Message.Compare {
        try state.quietly { state throws(InvalidValue) in
            try state.tree.compare(index, question, answer: answer)
        }
    }

    // MARK: Pieces

    /// Sets the number of lanes that have work.
    func use(lanes: Int) {
        state.withLock { $0.lanes = lanes }
    }

    /// Returns the next piece, for a lane other than 0; waits for one. Nil after the last piece.
    func nextPiece(lane: Int) -> Piece? {
        let next: Piece?? = state.wait { state -> Piece?? in
            if state.failure != nil { return .some(nil) }
            if lane < state.lanes, let piece = Self.take(&state) { return .some(piece) }
            return state.isDone ? .some(nil) : nil
        }
        return next ?? nil
    }

    private static func take(_ state: inout State) -> Piece? {
        for place in state.files.indices where state.files[place].failure == nil {
            let file = state.files[place].file
            if let difference = state.files[place].difference {
                // Lanes take turns, since each step needs the result of the one before.
                guard state.files[place].underWay == 0, !difference.isOver, let answer = state.answers[file.index]
                else { continue }
                if !difference.isBegun, let beginning = answer.beginning, !answer.isComplete || !answer.data.isEmpty {
                    state.files[place].underWay += 1
                    return .reading(file, difference, beginning)
                }
                guard answer.isComplete else { continue }
                state.files[place].underWay += 1
                state.unreadDigests -= answer.data.count
                state.answers[file.index] = BaseAnswer()
                return .difference(file, difference, answer)
            }
            let step = state.files[place].cursor.next { file.source.extent(at: $0) }
            switch step {
            case .waiting, .exhausted: continue
            case .data(let range):
                state.files[place].underWay += 1
                return .data(file, range)
            case .hole(let range):
                state.files[place].underWay += 1
                return .hole(file, range)
            case .compare(let range, let digest):
                state.files[place].underWay += 1
                state.unreadDigests -= digest.count
                return .compare(file, range, digest: digest)
            }
        }
        return nil
    }

    /// Notes that a piece was sent, agreed with the receiver's, or could not be read.
    ///
    /// - Returns: the file if no lane has a piece of it any more, with the reason if it is incomplete.
    func finished(
        _ piece: Piece, failure: FileError?
    ) -> (file: File, failure: FileError?, digest: [UInt8]?)? {
        let ended: Pending? = state.quietly { state in
            guard let place = state.files.firstIndex(where: { $0.file.index == piece.index }) else {
                preconditionFailure("A piece of a file that nobody sends")
            }
            state.files[place].underWay -= 1
            if let failure, state.files[place].failure == nil { state.files[place].failure = failure }
            if let difference = state.files[place].difference, difference.isWhole {
                state.files[place].difference = nil
                state.files[place].file.isCounted = difference.isCounted
            }
            guard state.files[place].isOver else { return nil }
            let ended = state.files.remove(at: place)
            state.unreadDigests -= ended.cursor.unreadDigests
            state.unreadDigests -= state.answers.removeValue(forKey: ended.file.index)?.data.count ?? 0
            return ended
        }
        guard let ended else {
            // The next step of a difference waits for this one.
            switch piece {
            case .reading, .difference: state.wake()
            case .data, .hole, .compare: break
            }
            return nil
        }
        state.wake()
        return (ended.file, ended.failure, ended.difference?.digest)
    }

    // MARK: The end

    /// - Throws: the reason if the rest is not wanted.
    func checkStopped() throws {
        if let failure = state.quietly(\.failure) { throw failure }
    }

    /// Stops the work: the rest is not wanted, or cannot be sent.
    func stop(_ error: any Error) {
        state.withLock { if $0.failure == nil { $0.failure = error } }
    }
}

extension SourceFile {
    /// Returns the extent at a position of the file. An unknown extent counts as data.
    func extent(at position: UInt64) -> RangeCursor.Extent {
        guard mayHaveHoles else { return .data(until: size) }
        guard let data = nextData(from: position) else { return .hole(until: size) }
        return data.lowerBound > position ? .hole(until: data.lowerBound) : .data(until: data.upperBound)
    }
}
