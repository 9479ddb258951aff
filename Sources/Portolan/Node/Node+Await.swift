import PortolanTransport
import PortolanValues

extension Node {
    /// Time between two looks for a peer that is not there yet.
    private static let lookInterval = Duration.seconds(1)

    /// Runs what needs a peer until that is there, or the time is over: as long as it is not in sight, its name has no
    /// address, or nothing answers there.
    ///
    /// - Parameters:
    ///   - target: target as of ``find(_:withEveryInstance:)``.
    ///   - patience: longest time to wait; zero runs it once. What is under way when it is over goes on.
    ///   - start: time since which it has been waited for; nil means now.
    ///   - hasMet: true if the peer was there, so that nothing may be done again.
    ///   - absent: called once, with what is missing, before the waiting begins.
    ///   - body: looks for the peer, and connects to it.
    /// - Throws: errors of `body`; `CancellationError`.
    package func awaiting<Result: Sendable>(
        _ target: String, for patience: Duration, since start: ContinuousClock.Instant? = nil,
        hasMet: @Sendable () -> Bool = { false },
        absent: @Sendable (NodeError) -> Void, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let end = (start ?? runtime.now) + patience
        var hasTold = false
        while true {
            let missing: NodeError
            do {
                return try await body()
            } catch let error as NodeError where error.mayPass && !hasMet() && canAppear(target) {
                missing = error
            }
            guard patience > .zero, runtime.now < end else {
                throw patience > .zero ? missing.after(patience) : missing
            }
            if !hasTold { absent(missing) }
            hasTold = true
            try await runtime.sleep(for: min(Self.lookInterval, end - runtime.now))
        }
    }

    /// True if an absent peer can be found later: without discovery, only a peer with an address can.
    private func canAppear(_ target: String) -> Bool {
        if case .address = Target(target) { return true }
        return !environment.presence.isOff
    }
}

extension NodeError {
    /// True if the peer may appear later. Waiting does not resolve a name that several peers have.
    fileprivate var mayPass: Bool { kind == .unreachable && candidates.isEmpty }

    fileprivate func after(_ patience: Duration) -> NodeError {
        NodeError(
            kind, "After waiting for \(patience.asArgument): \(description)", candidates: candidates, advice: advice,
            fault: fault)
    }
}
