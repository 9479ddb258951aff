/// The wish that the agent end, to be started again by whoever started it: once for all that asks for it within a moment.
final class RestartRequest: Sendable {
    /// Least age of an agent that ends so. What is wrong at each start would have it started all the time.
    static let leastAge = Duration.seconds(2)
    /// Time in which further folders may come that one restart is enough for.
    static let pause = Duration.milliseconds(500)

    private let sleep: @Sendable (Duration) async throws -> Void
    private let (asked, asking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter sleep: lets time pass.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
        self.sleep = sleep
    }

    /// Asks for it; also before ``run()``.
    func ask() { asking.yield() }

    /// Returns when the agent is to end. Called once, when it begins.
    ///
    /// - Throws: `CancellationError`
    func run() async throws {
        try await sleep(Self.leastAge)
        for await _ in asked { return try await sleep(Self.pause) }
        throw CancellationError()
    }
}
