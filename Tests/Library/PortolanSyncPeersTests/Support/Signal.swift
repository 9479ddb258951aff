import Synchronization

/// An event of a test, for which any number of tasks wait.
final class Signal: Sendable {
    private let isGiven = Atomic(false)

    func give() { isGiven.store(true, ordering: .sequentiallyConsistent) }

    /// - Throws: `CancellationError`.
    func wait() async throws {
        while !isGiven.load(ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// Waits until the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    static func never() async throws { try await Task.sleep(for: .seconds(86_400)) }
}
