import Dispatch
import Foundation
import PortolanConcurrency
import Synchronization

/// Where somebody else's code is run that may block: load handlers, completion handlers, reading and copying files.
let providerQueue = DispatchQueue(label: "item provider", attributes: .concurrent)

/// What somebody else's code is asked for. It may answer at once, late, twice or never: the first answer counts, unless
/// the asker has stopped waiting.
final class Answer<Value: Sendable>: Sendable {
    private let outcome = OneShot<Value, any Error>()
    private let isGiven = Atomic(false)

    /// Set when nobody waits for the answer any more.
    private let stop = DiskWork.Stop()

    /// Calls `ask` in the background and waits for the answer that it is to give.
    /// - Parameters:
    ///   - what: what is asked for, for the error's sentence.
    ///   - timeout: how long to wait without a sign of progress.
    ///   - ask: starts the work and may return its progress.
    /// - Throws: what was answered, a time-out as ``ItemProviderError``, `CancellationError`.
    static func wait(
        for what: String, within timeout: Duration, showing progress: LoadProgress,
        _ ask: @escaping @Sendable (Answer) -> Progress?
    ) async throws -> Value {
        let answer = Answer()
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
                if answer.isAbandoned { handlers?.cancel() } else { progress.follow(handlers) }
            }
            return try await answer.outcome.value()
        } onCancel: {
            answer.stop.set()
            answer.outcome.settle(.failure(CancellationError()))
            progress.abandonHandler()
        }
    }

    /// Gives the answer that `make` makes. Only the first call does anything, and only while it is waited for.
    func give(_ make: (DiskWork.Stop) throws -> Value) {
        let isFirst = !isGiven.exchange(true, ordering: .sequentiallyConsistent)
        guard isFirst, !outcome.isSettled else { return }
        outcome.settle(Result { try make(stop) })
    }

    /// Whether nobody waits, and no answer has come.
    private var isAbandoned: Bool { outcome.isSettled && !isGiven.load(ordering: .sequentiallyConsistent) }

    /// Whether nothing has moved for this long; false as soon as nobody needs to know.
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
        // Who has begun to answer is given the time to read or copy what it gave.
        return !isGiven.load(ordering: .sequentiallyConsistent)
    }
}
