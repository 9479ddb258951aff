import Synchronization

/// Notifies its waiters of changes.
final class ChangeNotifier: Sendable {
    private struct State {
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Signal after changes, until the stream is dropped.
    var changes: AsyncStream<Void> {
        let (changes, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.bells[state.next] = bell
            return state.next
        }
        bell.onTermination = { [weak self] _ in self?.state.withLock { $0.bells[number] = nil } }
        return changes
    }

    func ring() {
        for bell in state.withLock({ Array($0.bells.values) }) { bell.yield() }
    }
}
