import PortolanConcurrency

/// Runs a test's own code on a thread of its own: the hostile peers block, and must not hold the threads that their
/// victims need.
func withHostileThread<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await BlockingThreads(named: "hostile", limit: 1).run(isolation: nil, body)
}
