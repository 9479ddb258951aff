import Synchronization

/// Lets one of many progress reports through, so that programs which read them are not flooded.
final class Throttle<Key: Hashable & Sendable>: Sendable {
    private let interval: Duration
    private let last = Mutex<[Key: ContinuousClock.Instant]>([:])

    init(_ interval: Duration) { self.interval = interval }

    func allows(_ key: Key, now: ContinuousClock.Instant = .now) -> Bool {
        last.withLock { last in
            if let before = last[key], now - before < interval { return false }
            last[key] = now
            return true
        }
    }

    /// What is over needs no memory.
    func forget(_ key: Key) { last.withLock { $0[key] = nil } }
}
