import Synchronization

/// A wish, raised once, that work on a thread ends; the work looks at it now and then.
final class StopSign: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}
