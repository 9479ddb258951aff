import Synchronization

/// A request that steps which last end soon. From any thread, at any time.
final class StopRequest: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() { flag.store(true, ordering: .relaxed) }
}
