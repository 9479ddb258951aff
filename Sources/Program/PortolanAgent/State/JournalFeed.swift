import Synchronization

/// Wakes the followers of the journal after a commit, and reads once for all that are at one place.
final class JournalSignals: Sendable {
    private struct State {
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
        var isFinished = false
        /// The last reading since the last commit.
        var reading: (cursor: JournalCursor?, limit: Int, entries: Task<[JournalEntry], any Error>)?
    }

    private let state = Mutex(State())

    /// Returns the signals from now on. Commits that were not waited for are combined into one signal.
    func subscribe() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.followers[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
        }
        return stream
    }

    func wake() {
        let followers = state.withLock { state in
            state.reading = nil
            return Array(state.followers.values)
        }
        for follower in followers { follower.yield() }
    }

    /// Returns entries behind a cursor: those of the last reading if that was of the same ones, and nothing was
    /// committed since it began.
    func entries(
        after cursor: JournalCursor?, limit: Int, read: @escaping @Sendable () async throws -> [JournalEntry]
    ) async throws -> [JournalEntry] {
        let entries = state.withLock { state in
            if let last = state.reading, last.cursor == cursor, last.limit == limit { return last.entries }
            let entries = Task { try await read() }
            state.reading = (cursor, limit, entries)
            return entries
        }
        do {
            return try await entries.value
        } catch {
            // The next reading may succeed.
            state.withLock { $0.reading = nil }
            throw error
        }
    }

    /// Ends all present and later followers.
    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }

    var followerCount: Int { state.withLock { $0.followers.count } }
}

/// Entries of the journal from a cursor on, in batches, with later ones.
///
/// The feed buffers no entries: a slow reader reads again from its cursor, and those at the end share a reading. The
/// feed ends when the task is cancelled or the database is closed. It throws ``JournalError`` if the reader fell behind
/// the retention.
package struct JournalFeed: AsyncSequence, Sendable {
    package typealias Element = [JournalEntry]

    let database: AgentDatabase
    let cursor: JournalCursor?
    let limit: Int

    package func makeAsyncIterator() -> Iterator {
        // The signals begin before the first reading, so that no commit between the two is missed.
        Iterator(
            database: database, cursor: cursor, limit: limit, signals: database.signals.subscribe().makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let database: AgentDatabase
        fileprivate var cursor: JournalCursor?
        fileprivate let limit: Int
        fileprivate var signals: AsyncStream<Void>.Iterator

        package mutating func next() async throws -> [JournalEntry]? {
            while !Task.isCancelled {
                let position = cursor
                let limit = limit
                let entries = try await database.signals.entries(after: position, limit: limit) { [database] in
                    try await database.read {
                        try $0.journal.entries(after: position, limit: limit, bytes: Journal.batch)
                    }
                }
                if let last = entries.last {
                    cursor = last.cursor
                    return entries
                }
                guard await signals.next() != nil else { return nil }
            }
            return nil
        }
    }
}

extension AgentDatabase {
    /// Returns a feed of the journal.
    ///
    /// - Parameter cursor: nil to begin with the oldest entry.
    package func entries(after cursor: JournalCursor?, batch: Int = 500) -> JournalFeed {
        JournalFeed(database: self, cursor: cursor, limit: batch)
    }
}
