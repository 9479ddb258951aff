import Dispatch
import Foundation
import Synchronization

/// Where somebody else's code is run that may block: load handlers, completion handlers, reading and copying files.
let providerQueue = DispatchQueue(label: "item provider", attributes: .concurrent)

/// What somebody else's code is asked for. It may answer at once, late, twice or never: the first answer counts, unless
/// the asker has stopped waiting.
final class Answer<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var early: Result<Value, any Error>?
        var isGiven = false
        var isSettled = false
    }

    private let state = Mutex(State())

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
            answer.settle(.failure(ItemProviderError.noAnswer(what, within: timeout)))
            progress.abandonHandler()
        }
        defer { watch.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard answer.begin(continuation) else { return }
                providerQueue.async {
                    guard !answer.isSettled else { return }
                    let handlers = ask(answer)
                    if answer.isAbandoned { handlers?.cancel() } else { progress.follow(handlers) }
                }
            }
        } onCancel: {
            answer.stop.set()
            answer.settle(.failure(CancellationError()))
            progress.abandonHandler()
        }
    }

    /// Gives the answer that `make` makes. Only the first call does anything, and only while it is waited for.
    func give(_ make: (DiskWork.Stop) throws -> Value) {
        let isFirst = state.withLock { state in
            defer { state.isGiven = true }
            return !state.isGiven && !state.isSettled
        }
        guard isFirst else { return }
        settle(Result { try make(stop) })
    }

    private var isSettled: Bool { state.withLock(\.isSettled) }

    /// Whether nobody waits, and no answer has come.
    private var isAbandoned: Bool { state.withLock { $0.isSettled && !$0.isGiven } }

    /// Sets what is resumed with the answer; false where it was at once.
    private func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let early = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(with: early) }
        return early == nil
    }

    private func settle(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard !state.isSettled else { return nil }
            state.isSettled = true
            if state.continuation == nil { state.early = result }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

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
        return !state.withLock(\.isGiven)
    }
}
