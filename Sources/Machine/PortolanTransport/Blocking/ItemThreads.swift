import PortolanConcurrency

extension BlockingThreads {
    /// Threads for the files of items: enough for all sessions of a listener, so that no call waits for a call of
    /// another peer.
    static let forItems = BlockingThreads(named: "files", limit: callsOfSession * DescriptorBudget.mostPlaces)

    /// Most blocking calls of one session at a time: one each for its input, receiving, polling of stop requests,
    /// offering and producing, opening a lane, and answering.
    private static let callsOfSession = 7
}

/// Runs `body` where blocking calls on the files of items are allowed.
package func withBlockingThread<Result, Failure>(
    _ body: @Sendable () async throws(Failure) -> sending Result
) async throws(Failure) -> sending Result {
    try await BlockingThreads.forItems.run(body)
}
