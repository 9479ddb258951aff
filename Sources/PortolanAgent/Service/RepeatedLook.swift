/// Looks at something whenever it is called, and when the time that the last look named has passed.
final class RepeatedLook: Sendable {
    private let (calls, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Has `body` of ``run(_:)`` look, once for all calls since it last began.
    func call() { caller.yield() }

    /// Runs until the task is cancelled. Called once.
    ///
    /// - Parameter body: looks; returns the time until the next look, nil if none is needed before the next call.
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
