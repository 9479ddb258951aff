import PortolanConcurrency
import Synchronization

/// Queue for foreign code that may block: load handlers, completion handlers, reading and copying files.
let providerQueue = DispatchQueue(label: "item provider", attributes: .concurrent)

/// Result that foreign code delivers: at once, late, twice or never. The first answer counts, unless the caller has
/// stopped waiting.
final class HandlerResult<Value: Sendable>: Sendable {
    private let outcome = OneShot<Value, any Error>()
    private let isGiven = Atomic(false)

    /// Set when the caller no longer waits.
    private let stop = DiskWork.Stop()

    /// Calls `ask` in the background and waits for its answer.
    /// - Parameters:
    ///   - what: name of the requested content, for the error's sentence.
    ///   - timeout: longest wait without progress.
    ///   - ask: starts the work and may return its progress.
    /// - Throws: the error that was answered, a time-out as ``ItemProviderError``, `CancellationError`.
    static func wait(
        for what: String, within timeout: Duration, showing progress: LoadProgress,
        _ ask: @escaping @Sendable (HandlerResult) -> Progress?
    ) async throws -> Value {
        let answer = HandlerResult()
        let watch = Task {
            guard await answer.isQuiet(for: timeout, progress) else { return }
            answer.outcome.settle(.failure(ItemProviderError.noAnswer(what, within: timeout)))
            progress.abandonHandler()
        }
        defer { watch.cancel() }
        return try await withTaskCancellationHandler {
            providerQueue.async {
                guard !answer.outcome.isSettled else { return }
                let handlers = ask(answer)
                progress.follow(handlers)
                // The wait may end before the progress is followed, or after.
                if answer.isAbandoned { handlers?.cancel() }
            }
            return try await answer.outcome.value()
        } onCancel: {
            answer.stop.set()
            answer.outcome.settle(.failure(CancellationError()))
            progress.abandonHandler()
        }
    }

    /// Delivers the value of `make`. Only the first call has an effect, and only while the caller waits.
    func give(_ make: (DiskWork.Stop) throws -> Value) {
        let isFirst = !isGiven.exchange(true, ordering: .sequentiallyConsistent)
        guard isFirst, !outcome.isSettled else { return }
        outcome.settle(Result { try make(stop) })
    }

    /// True if the caller stopped waiting before an answer came.
    private var isAbandoned: Bool { outcome.isSettled && !isGiven.load(ordering: .sequentiallyConsistent) }

    /// Waits until there was no progress for `timeout`; returns false as soon as the result is settled.
    private func isQuiet(for timeout: Duration, _ progress: LoadProgress) async -> Bool {
        var quiet = Duration.zero
        var last = progress.advance()
        while quiet < timeout {
            let pause = min(.milliseconds(200), timeout - quiet)
            do { try await Task.sleep(for: pause) } catch { return false }
            let step = progress.advance()
            quiet = step == last ? quiet + pause : .zero
            last = step
        }
        // A handler that has begun to answer gets the time to read or copy its content.
        return !isGiven.load(ordering: .sequentiallyConsistent)
    }
}
