import Dispatch
import Synchronization

/// The steps of an item that are under way, and the reason why no more may begin.
///
/// Steps run at the same time, and none holds a lock for it. The publication and the end of an item wait for the steps
/// under way, and let no more begin.
final class ItemLife: Sendable {
    private struct State {
        /// True if no step may begin any more.
        var isClosed = false
        /// True if the item is to end, or has ended, without having been published.
        var isEnding = false
        var published: PublishedItem?
        var isTainted = false
        var failure: FileError?

        func check() throws(FileError) {
            if let failure { throw failure }
            if isClosed { throw .stopped }
        }
    }

    private let state = Mutex(State())
    private let steps = DispatchGroup()
    private let publication = DispatchGroup()

    /// Reason for which the item cannot be stored.
    var failure: FileError? { state.withLock(\.failure) }

    /// True if the disk lost written bytes: the content cannot be trusted, even if it can be read.
    var isTainted: Bool { state.withLock(\.isTainted) }

    /// Runs a step. A step that throws is the item's last.
    ///
    /// - Throws: ``FileError/stopped`` after the end, too, and the error of an earlier step that failed.
    func step<Result>(_ body: () throws(FileError) -> Result) throws(FileError) -> Result {
        try state.withLock { state throws(FileError) in
            try state.check()
            steps.enter()
        }
        defer { steps.leave() }
        do throws(FileError) {
            return try body()
        } catch {
            fail(error)
            throw error
        }
    }

    /// Runs the publication, after the steps under way.
    func publish<Result>(_ body: () throws(FileError) -> Result) throws(FileError) -> Result {
        try state.withLock { state throws(FileError) in
            try state.check()
            state.isClosed = true
            publication.enter()
        }
        defer { publication.leave() }
        do throws(FileError) {
            steps.wait()
            if let failure { throw failure }
            return try body()
        } catch {
            fail(error)
            throw error
        }
    }

    /// Fails if the item is to end; to be called before the item becomes visible. An end that is asked for after this
    /// waits for the publication.
    func checkIsWanted() throws(FileError) {
        if state.withLock(\.isEnding) { throw .stopped }
    }

    /// The visible item; nil before the publication.
    var published: PublishedItem? { state.withLock(\.published) }

    /// Notes that the item is visible.
    func becomePublished(as item: PublishedItem) { state.withLock { $0.published = item } }

    /// Ends it, after the steps and the publication under way.
    ///
    /// - Returns: false if it had ended before, or was published.
    func end() -> Bool {
        let isFirst = state.withLock { state in
            defer { (state.isEnding, state.isClosed) = (true, true) }
            return !state.isEnding
        }
        guard isFirst else { return false }
        steps.wait()
        publication.wait()
        return published == nil
    }

    /// Notes a failure; the first one counts.
    func fail(_ error: FileError) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Notes a sync that failed.
    func taint(_ error: FileError) {
        state.withLock { state in
            state.isTainted = true
            state.failure = state.failure ?? error
        }
    }
}
