import Synchronization

/// Claims of this process on files, and the waiters for them.
final class FileClaims: Sendable {
    typealias Identifier = UInt64

    static let shared = FileClaims()

    /// A file or folder with its contents, to be read or written.
    struct Part: Sendable {
        private let path: [String]
        private let isWriting: Bool

        init(_ url: URL, isWriting: Bool) {
            // Links are resolved, so that an item has one path.
            path = url.resolvingSymlinksInPath().standardizedFileURL.pathComponents
            self.isWriting = isWriting
        }

        func excludes(_ other: Part) -> Bool {
            (isWriting || other.isWriting) && (path.starts(with: other.path) || other.path.starts(with: path))
        }
    }

    /// Owner of waits that are cancelled together.
    final class WaitOwner: Sendable {
        fileprivate let isCancelled = Atomic(false)
    }

    private struct Claim: Sendable {
        let identifier: Identifier
        let parts: [Part]
        let purpose: String
        let asker: WaitOwner
        /// Thread that works with the files; nil until it is known.
        var thread: pthread_t?

        func excludes(_ other: Claim) -> Bool {
            purpose != other.purpose && parts.contains { part in other.parts.contains(where: part.excludes) }
        }
    }

    private struct Waiter: Sendable {
        let claim: Claim
        /// True if the waiter's thread already holds files: it precedes waiters in the queue, which may wait for those
        /// files.
        let isNested: Bool
        let signal: DispatchSemaphore
    }

    private struct State {
        var held: [Claim] = []
        /// Waiters in the order of their arrival.
        var waiting: [Waiter] = []
        var nextIdentifier: Identifier = 0

        func isFree(_ claim: Claim, behind earlier: some Sequence<Waiter>, isNested: Bool) -> Bool {
            !held.contains(where: claim.excludes) && (isNested || !earlier.contains { claim.excludes($0.claim) })
        }

        /// Grants free parts to the next waiters, and returns the signals that wake them.
        mutating func advance() -> [DispatchSemaphore] {
            var woken: [DispatchSemaphore] = []
            var index = 0
            while index < waiting.count {
                let waiter = waiting[index]
                if isFree(waiter.claim, behind: waiting[..<index], isNested: waiter.isNested) {
                    waiting.remove(at: index)
                    held.append(waiter.claim)
                    woken.append(waiter.signal)
                } else {
                    index += 1
                }
            }
            return woken
        }
    }

    private let state = Mutex(State())

    /// Waits until all parts are free, and claims them.
    /// - Parameter thread: The calling thread, if it is the one to work with them.
    /// - Throws: `CocoaError.userCancelled`; `POSIXError.EDEADLK` if the thread itself holds a part that it would
    ///   wait for.
    func claim(_ parts: [Part], for purpose: String, by asker: WaitOwner, thread: pthread_t?) throws -> Identifier {
        let signal = DispatchSemaphore(value: 0)
        let (identifier, mustWait) = try state.withLock { state in
            guard !asker.isCancelled.load(ordering: .relaxed) else { throw CocoaError(.userCancelled) }
            let claim = Claim(
                identifier: state.nextIdentifier, parts: parts, purpose: purpose, asker: asker, thread: thread)
            state.nextIdentifier += 1
            let own = state.held.filter { thread != nil && $0.thread == thread }
            guard !own.contains(where: claim.excludes) else { throw POSIXError(.EDEADLK) }
            if state.isFree(claim, behind: state.waiting, isNested: !own.isEmpty) {
                state.held.append(claim)
                return (claim.identifier, false)
            }
            state.waiting.append(Waiter(claim: claim, isNested: !own.isEmpty, signal: signal))
            return (claim.identifier, true)
        }
        guard mustWait else { return identifier }
        signal.wait()
        guard state.withLock({ $0.held.contains { $0.identifier == identifier } }) else {
            throw CocoaError(.userCancelled)
        }
        return identifier
    }

    func release(_ identifier: Identifier) {
        let woken = state.withLock { state in
            state.held.removeAll { $0.identifier == identifier }
            return state.advance()
        }
        for signal in woken { signal.signal() }
    }

    /// Moves a claim to the calling thread, which works with it from now on.
    func continueOnThisThread(_ identifier: Identifier) {
        let thread = pthread_self()
        state.withLock { state in
            guard let index = state.held.firstIndex(where: { $0.identifier == identifier }) else { return }
            state.held[index].thread = thread
        }
    }

    func cancel(_ asker: WaitOwner) {
        let woken = state.withLock { state in
            asker.isCancelled.store(true, ordering: .relaxed)
            let cancelled = state.waiting.filter { $0.claim.asker === asker }.map(\.signal)
            state.waiting.removeAll { $0.claim.asker === asker }
            return cancelled + state.advance()
        }
        for signal in woken { signal.signal() }
    }
}
