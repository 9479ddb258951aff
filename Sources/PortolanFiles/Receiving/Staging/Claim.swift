import Synchronization

/// What is there of a file from an earlier transfer, and what of that the sender was told.
final class Claim: Sendable {
    let held: CoveredRanges
    /// Bytes of the version that is announced that came before; fewer than are held where the file began as a copy of another version.
    let came: UInt64
    /// Whether the file itself says that it is complete, by its size and time.
    let isComplete: Bool
    private let told = Mutex(CoveredRanges())

    /// - Parameter came: nil for all that is held.
    init(held: CoveredRanges, came: UInt64? = nil, isComplete: Bool) {
        self.held = held
        self.came = min(came ?? held.total, held.total)
        self.isComplete = isComplete
    }

    /// What the sender has digests of: what it does not send again of this is as it should be.
    var settled: CoveredRanges { told.withLock(\.self) }

    /// Whether some of it may be of another version.
    var holdsOtherVersion: Bool { came < held.total }

    func tell(_ range: Range<UInt64>) { told.withLock { $0.insert(range) } }
}
