import Synchronization

/// Schedule for writing the progress of an item.
///
/// A cheap write is made often, so that a crash loses little; an expensive one is made seldom, so that it takes little
/// of the time.
final class ProgressKeeper: Sendable {
    /// Number of new bytes between two writes.
    private static let step: UInt64 = 4 << 20
    private static let shortestPause: Duration = .milliseconds(100)

    /// Length of the pause after a write, as a multiple of the write's duration.
    private let pauseFactor: Int
    private let unsaved = Atomic<UInt64>(0)
    private let next = Mutex(ContinuousClock.now + shortestPause)

    init(inMemory: Bool) {
        // Content in memory survives only the end of the process, after which the files themselves show the progress.
        pauseFactor = inMemory ? 200 : 20
    }

    /// Counts bytes.
    ///
    /// - Returns: true for one thread if a record is due.
    func begins(after count: Int) -> Bool {
        guard unsaved.add(UInt64(count), ordering: .relaxed).newValue >= Self.step else { return false }
        return next.withLock { next in
            guard ContinuousClock.now >= next else { return false }
            next += .seconds(3600)
            unsaved.store(0, ordering: .relaxed)
            return true
        }
    }

    func measure(_ save: () -> Void) {
        let start = ContinuousClock.now
        save()
        let end = ContinuousClock.now
        next.withLock { $0 = end + max(Self.shortestPause, (end - start) * pauseFactor) }
    }
}
