import Synchronization

/// A request that steps which last end soon. From any thread, at any time.
package final class StopRequest: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isRequested: Bool { flag.load(ordering: .relaxed) }

    package func request() { flag.store(true, ordering: .relaxed) }
}
