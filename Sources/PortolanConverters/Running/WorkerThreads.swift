import Foundation
import Synchronization

/// Threads for work that blocks: reading files and waiting for programs. Each is started when there is work and ends when there is
/// none; work beyond their number waits its turn.
final class WorkerThreads: Sendable {
    private let limit: Int
    private let state = Mutex<State>(State())

    private struct State {
        var threads = 0
        var queue: [@Sendable () -> Void] = []
    }

    init(limit: Int) {
        precondition(limit > 0, "work that nobody does")
        self.limit = limit
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.queue.append(work)
            guard state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        if needsThread { Thread.detachNewThread { self.workUntilNoneIsLeft() } }
    }

    private func workUntilNoneIsLeft() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}
