import PortolanProtocol

/// A session that is kept from one use to the next.
extension SessionDriver {
    /// Most uses of a session are over by then, which is a sign of life, too.
    private static let moment = Duration.milliseconds(200)

    /// Runs `body`, which orders something of the session, and keeps the session from ending in order meanwhile.
    ///
    /// - Parameter expectingSign: true if the peer has to give a sign of life, if nothing was going on in the session
    ///   and `body` takes longer than a moment. One that gives none for a tenth of the time of silence is gone, and the
    ///   session with it.
    /// - Returns: nil if the session is ending, and nothing is begun in it any more.
    /// - Throws: errors of `body`, or the error that ended the session early.
    package func use<Result: Sendable>(
        expectingSign: Bool = false,
        _ body: @escaping @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result? {
        guard let wasAtRest = work.begin(by: .own) else { return nil }
        return try await useHeld(expectingSign: expectingSign && wasAtRest, body)
    }

    /// Keeps the session from ending in order until ``useHeld(expectingSign:_:)`` has been called.
    package func hold() { _ = work.begin(by: .own, evenIfEnding: true) }

    /// Uses the session as ``use(expectingSign:_:)`` does, and lets go of it afterwards. To be called once after
    /// ``hold()``.
    package func useHeld<Result: Sendable>(
        expectingSign: Bool = false,
        _ body: @escaping @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        defer { work.end(by: .own) }
        do {
            guard expectingSign else { return try await body(self) }
            return try await session.alarms.with(
                Alarm(after: Self.moment) {
                    await self.expectSign()
                    return false
                }
            ) {
                try await body(self)
            }
        } catch {
            try Task.checkCancellation()
            let reason = cause ?? error
            // The cancelled task was another one.
            throw reason is CancellationError ? TransportError.abandoned : reason
        }
    }

    private func expectSign() async {
        let patience = session.silence / 10
        guard await !session.isAnswering(within: patience), !Task.isCancelled else { return }
        fail(TransportError.silent(seconds: Int(patience.components.seconds)))
    }

    /// Returns when the session is to end: the peer has ended it, it was retired, or it has been at rest for as long as
    /// it is kept.
    ///
    /// - Throws: the error that ended the session early. Where the task is cancelled, `CancellationError` if anything
    ///   is going on in it.
    package func stay() async throws {
        try await withTaskCancellationHandler {
            try await work.untilOver()
        } onCancel: {
            stop()
        }
    }

    /// Since when nothing has been going on in the session; nil while something is, and when it is ending.
    package var restingSince: ContinuousClock.Instant? { work.restingSince }

    /// True if the session has no work, or had none when it ended.
    package var isAtRest: Bool { work.isAtRest }

    /// Ends the session in order as soon as nothing is going on in it.
    package func retire() { work.retire() }

    /// Ends the session now: in order if both sides keep it and nothing is going on in it.
    package func stop() {
        if !work.endAtRest() { fail(CancellationError()) }
    }

    /// Ends the session as ``retire()`` does, but at once if the peer is being served or received from.
    package func stopServing() {
        if work.hasWorkOfPeer { fail(CancellationError()) } else { work.retire() }
    }

    /// Ends the session when it has been at rest for `time`, if both sides keep it so long.
    func endAfterRest(of time: Duration) async {
        guard let capabilities = try? await peerCapabilities, capabilities.contains(.stays) else { return }
        await work.endAfterRest(of: time)
    }
}
