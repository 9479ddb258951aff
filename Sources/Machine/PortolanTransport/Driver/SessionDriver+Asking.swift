import PortolanConcurrency
import PortolanProtocol
import Synchronization

/// Questions that this side asks of the peer, and detection of a peer that sends only signs of life.
extension SessionDriver {
    /// Asks for a part of the items that the peer shows this side; returns them in the peer's order.
    ///
    /// - Parameters:
    ///   - after: `next` of the preceding part; empty for the first.
    ///   - most: largest number of items; with 0 the peer decides.
    ///   - stallWait: longest silence of the peer; nil waits without end.
    /// - Throws: `TransportError.sharesNothing`, `.refused`, `.endedUnanswered`, and the error that ends the session.
    package func list(
        after: [UInt8] = [], most: Int = 0, stallWait: Duration? = nil
    ) async throws -> Message.Listing {
        guard let requesting = role(RequestingRole.self) else { throw TransportError.sharesNothing }
        return try await endingIfStalled(for: stallWait) {
            try await requesting.list(after: after, most: most) { try await prepareToAsk() }
        }
    }

    /// Fetches an item: returns when `reception` has settled the offer of it.
    ///
    /// If the task is cancelled after the item was requested, the session ends.
    ///
    /// - Parameter stallWait: longest time without content; nil waits without end.
    /// - Throws: `TransportError.sharesNothing`, `.refused`, `.endedUnanswered`, and the error that ends the session.
    package func fetch(_ item: ItemID, _ reception: Reception, stallWait: Duration? = nil) async throws {
        guard let requesting = role(RequestingRole.self) else { throw TransportError.sharesNothing }
        try await endingIfStalled(for: stallWait) {
            let settled = try await requesting.request(.item(item), reception) { try await prepareToAsk() }
            try await abandoningIfCancelled { try await settled.value() }
        }
    }

    /// Fetches contents of a folder: returns when `reception` has settled the offer of them.
    ///
    /// The wait does not end if the task is cancelled: `reception` stops the transfer, and the session goes on.
    ///
    /// - Parameter stallWait: longest time without content.
    /// - Throws: `TransportError.refused`, `.endedUnanswered`, and the error that ends the session.
    package func fetch(
        _ contents: [Message.SyncWant.Content], of folder: SyncFolderID, _ reception: Reception, stallWait: Duration
    ) async throws {
        guard let requesting = role(RequestingRole.self) else { throw TransportError.sharesNothing }
        try await endingIfStalled(for: stallWait) {
            session.offerMade()
            try await requesting.request(.contents(contents, of: folder), reception) {}.value()
        }
    }

    private func prepareToAsk() async throws {
        guard try await peerCapabilities.contains(.serves) else { throw TransportError.sharesNothing }
        session.offerMade()
        try await session.runtime.withLookupThread { try tellRosters() }
    }

    /// Runs `body`, which waits for the answer to a question, and ends the session if the peer is silent about it for
    /// too long.
    ///
    /// - Parameter wait: longest silence of the peer; nil waits without end.
    /// - Throws: errors of `body`; `TransportError.stalled`, which ends the session.
    private func endingIfStalled<Result: Sendable>(
        for wait: Duration?, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let wait, let incoming = role(ReceivingRole.self)?.lanes else { return try await body() }
        let runtime = session.runtime
        let watch = Mutex(StallWatch(patience: wait, now: runtime.now))
        return try await session.alarms.with(
            Alarm(after: StallWatch.interval) { [self] in
                let isExpected = !incoming.isAtWork && !incoming.isHeard
                let sample = isExpected ? StallWatch.Sample(heard: heard.load(ordering: .relaxed)) : nil
                let comparing = StallWatch.storingTime(of: incoming.claimed)
                guard watch.withLock({ $0.isStalled(at: sample, now: runtime.now, allowing: comparing) }) else {
                    return true
                }
                fail(TransportError.stalled(seconds: Int(wait.components.seconds)))
                return false
            }
        ) {
            try await body()
        }
    }
}
