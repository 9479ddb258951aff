import PortolanConcurrency

/// The steps of an item that are under way, and the reason why no more may begin.
///
/// Steps run concurrently, without holding a lock. The publication and the end of an item wait for the running steps,
/// and prevent further ones.
final class ItemLife: Sendable {
    private struct State {
        /// True if no further step may begin.
        var isClosed = false
        /// True if the item is to end, or has ended, without having been published.
        var isEnding = false
        var published: PublishedItem?
        var isTainted = false
        var failure: FileError?
        /// Number of running steps.
        var steps = 0
        /// True while the publication is running.
        var isPublishing = false

        func check() throws(FileError) {
            if let failure { throw failure }
            if isClosed { throw .stopped }
        }
    }

    private let state = Monitor(State())

    /// Reason why the item cannot be stored.
    var failure: FileError? { state.quietly { $0.failure } }

    /// True if the disk lost written bytes: the content cannot be trusted, even if it can be read.
    var isTainted: Bool { state.quietly { $0.isTainted } }

    /// Runs a step. A step that throws is the item's last.
    ///
    /// - Throws: ``FileError/stopped`` after the end, too, and the error of an earlier step that failed.
    func step<Result>(_ body: () throws(FileError) -> Result) throws(FileError) -> Result {
        try state.quietly { state throws(FileError) in
            try state.check()
            state.steps += 1
        }
        defer { leave() }
        do throws(FileError) {
            return try body()
        } catch {
            fail(error)
            throw error
        }
    }

    /// Ends a step; only the end of the last one wakes a waiter.
    private func leave() {
        let isAwaited = state.quietly { state in
            state.steps -= 1
            return state.steps == 0 && state.isClosed
        }
        if isAwaited { state.wake() }
    }

    /// Runs the publication after the running steps.
    func publish<Result>(_ body: () throws(FileError) -> Result) throws(FileError) -> Result {
        try state.quietly { state throws(FileError) in
            try state.check()
            (state.isClosed, state.isPublishing) = (true, true)
        }
        defer { state.withLock { $0.isPublishing = false } }
        do throws(FileError) {
            state.wait { $0.steps == 0 ? () : nil }
            if let failure { throw failure }
            return try body()
        } catch {
            fail(error)
            throw error
        }
    }

    /// Fails if the item must end; called before the item becomes visible. A later request to end waits for the
    /// publication.
    func checkIsWanted() throws(FileError) {
        if state.quietly({ $0.isEnding }) { throw .stopped }
    }

    /// The visible item; nil before the publication.
    var published: PublishedItem? { state.quietly { $0.published } }

    /// Notes that the item is visible.
    func becomePublished(as item: PublishedItem) { state.quietly { $0.published = item } }

    /// Ends the item, after its running steps and publication.
    ///
    /// - Returns: false if it has already ended or was published.
    func end() -> Bool {
        let isFirst = state.quietly { state in
            defer { (state.isEnding, state.isClosed) = (true, true) }
            return !state.isEnding
        }
        guard isFirst else { return false }
        return state.wait { state in
            state.steps == 0 && !state.isPublishing ? state.published == nil : nil
        }
    }

    /// Notes a failure; the first one counts.
    func fail(_ error: FileError) { state.quietly { $0.failure = $0.failure ?? error } }

    /// Notes a sync that failed.
    func taint(_ error: FileError) {
        state.quietly { state in
            state.isTainted = true
            state.failure = state.failure ?? error
        }
    }
}
