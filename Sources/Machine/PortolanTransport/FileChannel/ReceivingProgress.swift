import Synchronization

/// Counts the present bytes of an item, and reports them often enough for a person and seldom enough to cost nothing.
final class ReceivingProgress: Sendable {
    private static let interval = Duration.milliseconds(100)

    private let report: @Sendable (Advance) -> Void
    private let transferred = Atomic<UInt64>(0)
    private let kept = Atomic<UInt64>(0)
    private let runtime: Runtime
    private let next: Mutex<ContinuousClock.Instant>

    init(_ runtime: Runtime, _ report: @escaping @Sendable (Advance) -> Void) {
        self.runtime = runtime
        self.report = report
        next = Mutex(runtime.now)
    }

    /// Counts bytes that were transferred.
    func add(_ count: UInt64) {
        transferred.wrappingAdd(count, ordering: .relaxed)
        reportIfDue()
    }

    /// Counts bytes that are not transferred: present before, or left out.
    func add(kept count: UInt64) {
        kept.wrappingAdd(count, ordering: .relaxed)
        reportIfDue()
    }

    private func reportIfDue() {
        let now = runtime.now
        let isDue = next.withLockIfAvailable { next in
            guard now >= next else { return false }
            next = now + Self.interval
            return true
        }
        guard isDue == true else { return }
        let transferred = transferred.load(ordering: .relaxed)
        report(Advance(done: transferred &+ kept.load(ordering: .relaxed), transferred: transferred))
    }
}
