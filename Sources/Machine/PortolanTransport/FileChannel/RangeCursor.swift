import DequeModule
import PortolanCrypto
import PortolanProtocol

/// Progress of sending one large file; returns the next piece.
///
/// Pieces come in the order of the file. Claimed blocks are compared, and everything between them is sent; until the
/// receiver's list of claims is complete, the part behind the last claim is undecided.
struct RangeCursor {
    /// The unit of claims, and the most that a lane takes at once, in bytes.
    static let block: UInt64 = 256 << 10

    enum Step: Equatable {
        case data(Range<UInt64>)
        /// Reads as zeros and is stored nowhere.
        case hole(Range<UInt64>)
        /// The receiver has this block, with this digest.
        case compare(Range<UInt64>, digest: ArraySlice<UInt8>)
        /// The receiver's claims behind this point have not come yet.
        case waiting
        case exhausted
    }

    /// Kind of content at a position of the file, with the position at which the next kind begins.
    enum Extent {
        case data(until: UInt64)
        case hole(until: UInt64)

        var end: UInt64 {
            switch self {
            case .data(let until), .hole(let until): until
            }
        }
    }

    let size: UInt64
    private(set) var position: UInt64 = 0
    private var claims: Claims?
    private var extent: Extent?

    /// - Parameter isClaimed: true if the receiver will announce the blocks that it has.
    init(size: UInt64, isClaimed: Bool) {
        self.size = size
        claims = isClaimed ? Claims() : nil
    }

    /// Adds claims of the receiver.
    mutating func claim(_ holding: Message.Holding) {
        claims?.add(holding)
    }

    /// Digests that were not handed out, in bytes.
    var unreadDigests: Int { claims?.unread ?? 0 }

    /// Returns the next piece, and counts it as handed out.
    ///
    /// - Parameter extent: returns the extent at a position below `size`.
    mutating func next<Failure: Error>(
        _ extent: (UInt64) throws(Failure) -> Extent
    ) throws(Failure) -> Step {
        guard position < size else { return .exhausted }
        var end = size
        if let claims {
            if let claim = claims.next {
                let start = claim * Self.block
                if start == position { return compare() }
                end = min(end, start)
            } else if !claims.isComplete {
                return .waiting
            }
        }
        let found: Extent
        if let known = self.extent, known.end > position { found = known } else { found = try extent(position) }
        self.extent = found
        let start = position
        switch found {
        case .hole(let until):
            position = min(until, end)
            return .hole(start..<position)
        case .data(let until):
            // To the next multiple of a block, so that pieces and blocks fall together.
            position = min(until, end, (start / Self.block + 1) * Self.block)
            return .data(start..<position)
        }
    }

    private mutating func compare() -> Step {
        guard let digest = claims?.take() else { preconditionFailure("A claim that is not there") }
        let start = position
        position = min(size, start + Self.block)
        return .compare(start..<position, digest: digest)
    }
}

/// Blocks that a receiver has claimed so far, in ascending order.
private struct Claims {
    private struct Run {
        var first: UInt64
        var digests: ArraySlice<UInt8>
    }

    private var runs: Deque<Run> = []
    private(set) var isComplete = false

    mutating func add(_ holding: Message.Holding) {
        if !holding.digests.isEmpty { runs.append(Run(first: holding.block, digests: holding.digests[...])) }
        if holding.isLast { isComplete = true }
    }

    var unread: Int { runs.reduce(0) { $0 + $1.digests.count } }

    /// The number of the next claimed block.
    var next: UInt64? { runs.first?.first }

    mutating func take() -> ArraySlice<UInt8>? {
        guard var run = runs.popFirst() else { return nil }
        let digest = run.digests.prefix(BlockDigest.length)
        run.digests = run.digests.dropFirst(BlockDigest.length)
        run.first += 1
        if !run.digests.isEmpty { runs.prepend(run) }
        return digest
    }
}
