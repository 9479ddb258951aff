import PortolanConcurrency

/// Runs a test's code on a separate thread: hostile peers block, and must not occupy the threads that their victims
/// need.
func withHostileThread<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await BlockingThreads(named: "hostile", limit: 1).run(isolation: nil, body)
}
