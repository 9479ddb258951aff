import PortolanDelta
import PortolanProtocol
import Synchronization

/// Receiver's answer to one question about an earlier version, or its message before the first question.
struct BaseAnswer: Sendable {
    var beginning: Message.Base.Beginning?
    var data: [UInt8] = []
    var isComplete = false
}

/// Differences between a file and an earlier version that the receiver has, as far as they are known.
///
/// Sums of groups of chunks show which groups agree, in a few bytes for each MiB; sums of chunks show which chunks of
/// the other groups agree, and sums of small blocks which parts of the other chunks. After each answer, one lane at a
/// time continues the comparison.
final class FileDifference: Sendable {
    /// Bytes that an earlier version may have beyond four times the file: answers about a larger one cost more than
    /// they save.
    static let slack: UInt64 = 16 << 20

    enum Stage: Sendable {
        /// The answer has the groups of the earlier version.
        case groups
        /// The answer has the receiver's chunks that the file does not have.
        case chunks(GroupMatch)
        /// The answer has the sums for the segments before this one.
        case sums(end: Int)
        case over
    }

    struct State: Sendable {
        var stage = Stage.groups
        var key: [UInt8] = []
        /// Bytes of the earlier version.
        var baseSize: UInt64 = 0
        /// Of the file.
        var chunks = ChunkList()
        var digest: [UInt8] = []
        var segments: [ChunkMatch.Segment] = []
        /// The next segment, and its position in the file.
        var next = 0
        var position: UInt64 = 0
        /// Bytes of ranges whose sums were requested.
        var summed: UInt64 = 0
        /// Parts of the question that the answer must have.
        var asked: [SignatureRequest] = []
        /// Last signature of the preceding segment if it has changed, too: a changed stretch may continue in this
        /// segment.
        var lastSignature: BlockSignature?
        var hasCopies = false
        /// True if the lanes send the file as if the receiver had nothing of it.
        var isWhole = false
    }

    private let state = Mutex(State())

    /// True if everything was sent.
    var isOver: Bool { state.withLock { if case .over = $0.stage { true } else { false } } }

    /// True if the file was read, or need not be.
    var isBegun: Bool { state.withLock { !$0.key.isEmpty || $0.isWhole } }

    /// True if the file is sent whole, and no byte of it was sent yet.
    var isWhole: Bool { state.withLock(\.isWhole) }

    /// True if all of the file was read, and counted.
    var isCounted: Bool { state.withLock { !$0.digest.isEmpty } }

    /// The digest of the file, if copies were sent.
    var digest: [UInt8]? { state.withLock { $0.hasCopies ? $0.digest : nil } }

    /// Takes the next step; only one thread at a time.
    func step<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        // Other threads see the previous state until this step is done.
        var present = state.withLock(\.self)
        defer { state.withLock { [present] in $0 = present } }
        return try body(&present)
    }
}

extension FileDifference.State {
    /// Bytes of sums at which a question ends. Those of the last segment are added, and are fewer; a receiver refuses
    /// more than `Limits.sumBytes`.
    private static let mostSums: UInt64 = 1 << 20
    /// Above this size a file without a chunk of the earlier version is sent whole, in bytes.
    private static let strangeSize: UInt64 = 16 << 20

    /// Finds the segments of the file.
    mutating func match(_ base: ChunkList) {
        let match = ChunkMatch(new: chunks, base: base)
        chunks = ChunkList()
        segments = match.ascending(in: base.size)
        if match.copiedLength == 0, match.changedLength > Self.strangeSize { leaveWhole() }
    }

    /// Leaves the whole file to the lanes. Nothing of it was sent yet.
    mutating func leaveWhole() {
        isWhole = true
        stage = .over
    }

    /// Returns the segments up to the next question, and the question; empty if they need none.
    mutating func nextBatch() -> (end: Int, question: [SignatureRequest]) {
        var requests: [SignatureRequest] = []
        var length: UInt64 = 0
        var end = next
        while end < segments.count, length < Self.mostSums, requests.count + 2 <= Limits.sumRanges {
            requests += self.requests(of: end)
            length = requests.reduce(0) { $0 + $1.signatureLength }
            end += 1
        }
        return (end, requests)
    }

    /// Returns the sums that are asked for a segment: none where the earlier version was looked at too often.
    private mutating func requests(of place: Int) -> [SignatureRequest] {
        guard case .changed(let changed) = segments[place], !changed.requests.isEmpty else { return [] }
        let more = changed.requests.reduce(0) { $0 + UInt64($1.base.count) }
        guard summed < .max, summed + more <= 4 * baseSize else {
            summed = .max
            return []
        }
        summed += more
        return changed.requests
    }
}
