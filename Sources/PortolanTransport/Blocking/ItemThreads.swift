import PortolanConcurrency

extension BlockingThreads {
    /// Threads for the files of items: enough for all sessions that a listener has places for, so that no call waits
    /// for another peer's.
    static let forItems = BlockingThreads(named: "files", limit: callsOfSession * DescriptorBudget.mostPlaces)

    /// Blocking calls that one session can have under way: one each for its input, for receiving and for polling stop
    /// requests, for offering and producing, for opening a lane, and for answering.
    private static let callsOfSession = 7
}

/// Runs `body` where blocking calls on the files of items are allowed.
package func withBlockingThread<Result, Failure>(
    _ body: @Sendable () async throws(Failure) -> sending Result
) async throws(Failure) -> sending Result {
    try await BlockingThreads.forItems.run(body)
}
