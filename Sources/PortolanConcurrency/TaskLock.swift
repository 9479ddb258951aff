import Synchronization

/// A lock that tasks wait for without holding a thread, in the order of asking.
///
/// Not recursive: a task that has the lock and asks for it again waits for itself.
package final class TaskLock: Sendable {
    private typealias Turn = OneShot<Void, CancellationError>

    private struct State {
        var isTaken = false
        /// Turns of those that wait, the first first; some may be cancelled.
        var queue: [Turn] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body` while no other task has the lock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and what `body` throws.
    package func withLock<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await take()
        defer { giveBack() }
        return try await body()
    }

    private func take() async throws(CancellationError) {
        let turn: Turn? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let turn = Turn()
            state.queue.append(turn)
            return turn
        }
        try await turn?.value(ifCancelled: .failure(CancellationError()))
    }

    private func giveBack() {
        // A turn that was cancelled is passed over.
        while let next = takeNext(), !next.settle() {}
    }

    private func takeNext() -> Turn? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}
