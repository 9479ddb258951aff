import Synchronization

/// Lock for tasks, which wait without holding a thread, in the order of their calls. With several places, that many
/// tasks hold it at once.
///
/// Not recursive: a task that has the lock and requests it again waits for ever.
package final class TaskLock: Sendable {
    private typealias Turn = OneShot<Void, CancellationError>

    private struct State {
        var free: Int
        /// Turns of the waiting tasks, in their order; some may be cancelled.
        var queue: [Turn] = []
    }

    private let state: Mutex<State>

    package init(places: Int = 1) {
        precondition(places > 0, "A lock that nobody can take")
        state = Mutex(State(free: places))
    }

    /// Runs `body` with the lock held; waits while all places are taken.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; errors of `body`.
    package func withLock<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await take()
        defer { giveBack() }
        return try await body()
    }

    private func take() async throws(CancellationError) {
        let turn: Turn? = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let turn = Turn()
            state.queue.append(turn)
            return turn
        }
        try await turn?.value(ifCancelled: .failure(CancellationError()))
    }

    private func giveBack() {
        // Cancelled turns are skipped.
        while let next = takeNext(), !next.settle() {}
    }

    private func takeNext() -> Turn? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.free += 1
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}
