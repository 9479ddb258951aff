import PortolanProtocol

/// Session that is kept between operations.
extension SessionDriver {
    /// Most uses of a session are over by then, which is a sign of life, too.
    private static let moment = Duration.milliseconds(200)

    /// Runs `body`, which uses the session, and delays the session's end in order until `body` returns.
    ///
    /// - Parameter expectingSign: true to require a sign of life from the peer if the session was idle and `body` takes
    ///   longer than a moment. Without one for a tenth of the silence limit, the session ends.
    /// - Returns: nil if the session is ending and accepts no more work.
    /// - Throws: errors of `body`, or the error that ended the session early.
    package func use<Result: Sendable>(
        expectingSign: Bool = false,
        _ body: @escaping @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result? {
        guard let wasAtRest = work.begin(by: .own) else { return nil }
        return try await useHeld(expectingSign: expectingSign && wasAtRest, body)
    }

    /// Delays the session's end in order until ``useHeld(expectingSign:_:)`` has been called.
    package func hold() { _ = work.begin(by: .own, evenIfEnding: true) }

    /// Uses the session like ``use(expectingSign:_:)``, and releases the hold afterwards. Called once after ``hold()``.
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

    /// Returns when the session must end: the peer has ended it, it was retired, or its idle time is over.
    ///
    /// - Throws: the error that ended the session early. `CancellationError` if the task is cancelled while the session
    ///   has work.
    package func stay() async throws {
        try await withTaskCancellationHandler {
            try await work.untilOver()
        } onCancel: {
            stop()
        }
    }

    /// Begin of the session's idle time; nil while it has work or is ending.
    package var restingSince: ContinuousClock.Instant? { work.restingSince }

    /// True if the session has no work, or had none when it ended.
    package var isAtRest: Bool { work.isAtRest }

    /// Ends the session in order as soon as it has no work.
    package func retire() { work.retire() }

    /// Ends the session now: in order if both sides keep it and it has no work.
    package func stop() {
        if !work.endAtRest() { fail(CancellationError()) }
    }

    /// Sends the peer changes of shared teams now, and then ends the session if it must end. May block.
    ///
    /// - Parameter error: reason for which the session ends at once; nil if it goes on. Open work of the peer is
    ///   refused in order, if that takes no longer than half a second.
    package func tellTeams(ending error: TransportError? = nil) {
        if work.begin(by: .own) != nil {
            defer { work.end(by: .own) }
            do { try tellRosters(evenLater: true) } catch { fail(error) }
        }
        guard let error else { return }
        guard work.hasWorkOfPeer else { return fail(error) }
        refuse(error)
        Task {
            try? await session.runtime.sleep(for: Self.refusal)
            fail(error)
        }
    }

    private static let refusal = Duration.milliseconds(500)

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
