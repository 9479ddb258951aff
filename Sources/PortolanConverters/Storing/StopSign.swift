import Synchronization

/// Stop flag, raised once and polled by work on a thread.
final class StopSign: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}
