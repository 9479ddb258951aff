/// Check that runs at each call, and at the time that the previous run returned.
final class RepeatedCheck: Sendable {
    private let (calls, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Requests a run of the body of ``run(_:)``; calls before it begins are one.
    func call() { caller.yield() }

    /// Runs until the task is cancelled. Called once.
    ///
    /// - Parameter body: runs the check; returns the time until the next one, nil if none is needed before the next
    ///   call.
    func run(_ body: () async -> Duration?) async {
        var alarm: Task<Void, Never>?
        for await _ in calls {
            alarm?.cancel()
            guard let wait = await body() else { continue }
            alarm = Task { [caller] in
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                caller.yield()
            }
        }
        alarm?.cancel()
    }
}
