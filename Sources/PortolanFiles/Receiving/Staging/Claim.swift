import Synchronization

/// What is there of a file from an earlier transfer, and what of that the sender was told.
final class Claim: Sendable {
    let held: CoveredRanges
    /// Whether the file itself says that it is complete, by its size and time.
    let isComplete: Bool
    private let told = Mutex(CoveredRanges())

    init(held: CoveredRanges, isComplete: Bool) {
        self.held = held
        self.isComplete = isComplete
    }

    /// What the sender has digests of: what it does not send again of this is as it should be.
    var settled: CoveredRanges { told.withLock(\.self) }

    func tell(_ range: Range<UInt64>) { told.withLock { $0.insert(range) } }
}
