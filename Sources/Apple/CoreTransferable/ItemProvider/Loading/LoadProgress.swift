import Synchronization

/// Progress of a load for its caller: cancelling it ends the load, and it follows the progress of the provider's
/// handler.
///
/// The handler's progress is not made a child of it: Foundation's `Progress` guards none of its state here, and the
/// threads of the handler and of the caller would race.
///
// Sendable because the state that this class adds is in a Mutex, and Progress is declared Sendable.
final class LoadProgress: Progress, @unchecked Sendable {
    private struct State {
        var followed: Progress?
        var stop: (@Sendable () -> Void)?
        var isCancelled = false
        var isOver = false
    }

    private static let units: Int64 = 1000
    private let state = Mutex(State())
    /// Held while the count changes: the handler's progress, the copy of its file and the end set it.
    private let counting = Mutex(())

    init() {
        super.init(parent: nil, userInfo: nil)
        totalUnitCount = Self.units
        isCancellable = true
    }

    override func cancel() {
        super.cancel()
        let (followed, stop) = state.withLock { state -> (Progress?, (@Sendable () -> Void)?) in
            guard !state.isOver else { return (nil, nil) }
            state.isCancelled = true
            defer { state.stop = nil }
            return (state.followed, state.stop)
        }
        followed?.cancel()
        stop?()
    }

    /// Calls `stop` once if the load is cancelled, or was.
    func whenCancelled(_ stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.stop = stop }
            return state.isCancelled
        }
        if isCancelled { stop() }
    }

    /// Takes a handler's progress as this load's.
    func follow(_ progress: Progress?) {
        let isCancelled = state.withLock { state in
            if !state.isOver { state.followed = progress }
            return state.isCancelled
        }
        if isCancelled { progress?.cancel() }
    }

    /// Cancels the handler's progress, since its result is no longer wanted.
    func abandonHandler() {
        let followed = state.withLock { state in
            defer { state.followed = nil }
            return state.followed
        }
        followed?.cancel()
    }

    /// Advances to the handler's progress; nil if it gave none.
    func advance() -> Step? {
        guard let followed = state.withLock({ $0.isOver ? nil : $0.followed }) else { return nil }
        let fraction = followed.fractionCompleted
        advance(to: fraction)
        return Step(completed: followed.completedUnitCount, fraction: fraction)
    }

    /// Advances to the part of a file that is copied, in bytes.
    func copied(_ done: Int, of total: Int) { advance(to: Double(done) / Double(total)) }

    private func advance(to fraction: Double) {
        guard fraction.isFinite else { return }
        // The last unit stands for the delivery of the content.
        let units = Int64(min(max(fraction, 0), 1) * Double(Self.units - 1))
        counting.withLock { _ in if units > completedUnitCount { completedUnitCount = units } }
    }

    struct Step: Equatable {
        let completed: Int64
        let fraction: Double
    }

    /// Ends the load; returns false if it was cancelled before.
    func finish() -> Bool {
        let isCancelled = state.withLock { state in
            state.isOver = true
            state.stop = nil
            state.followed = nil
            return state.isCancelled
        }
        if !isCancelled { counting.withLock { _ in completedUnitCount = totalUnitCount } }
        return !isCancelled
    }
}
