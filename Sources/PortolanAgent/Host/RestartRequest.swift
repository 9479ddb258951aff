/// Request for a restart of the agent by its starter: requests within a short time are one.
final class RestartRequest: Sendable {
    /// Least age of an agent at a restart. A problem at each start would cause restarts without end.
    static let leastAge = Duration.seconds(2)
    /// Time in which further requests join the same restart.
    static let pause = Duration.milliseconds(500)

    private let sleep: @Sendable (Duration) async throws -> Void
    private let (asked, asking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter sleep: waits for a time.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
        self.sleep = sleep
    }

    /// Requests a restart; also before ``run()``.
    func ask() { asking.yield() }

    /// Returns when the agent must end. Called once, at its start.
    ///
    /// - Throws: `CancellationError`
    func run() async throws {
        try await sleep(Self.leastAge)
        for await _ in asked { return try await sleep(Self.pause) }
        throw CancellationError()
    }
}
