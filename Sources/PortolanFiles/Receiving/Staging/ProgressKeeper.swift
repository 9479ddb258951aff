import Synchronization

/// When to write down how far an item came.
///
/// Often where that is cheap, so that little is lost in a crash, and seldom where it is dear, so that it takes little of the
/// time.
final class ProgressKeeper: Sendable {
    /// How much has to come in between.
    private static let step: UInt64 = 4 << 20
    private static let shortestPause: Duration = .milliseconds(100)

    /// How many times as long as the last one took there is none.
    private let pauseFactor: Int
    private let unsaved = Atomic<UInt64>(0)
    private let next = Mutex(ContinuousClock.now + shortestPause)

    init(inMemory: Bool) {
        // In memory nothing but the end of the process is survived, and then the files themselves tell.
        pauseFactor = inMemory ? 200 : 20
    }

    /// Counts bytes.
    ///
    /// - Returns: whether it is time, which one thread is told.
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
