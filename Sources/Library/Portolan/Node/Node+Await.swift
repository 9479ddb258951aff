import PortolanTransport

extension Node {
    /// Time between two looks for a peer that is not there yet.
    private static let lookInterval = Duration.seconds(1)

    /// Repeats `body` until the peer is available or the time is over. The peer is unavailable while it is not
    /// announced, its name has no address, or nothing answers at its address.
    ///
    /// - Parameters:
    ///   - target: target as of ``find(_:withEveryInstance:)``.
    ///   - patience: longest time to wait; zero runs `body` once. A running `body` is not ended by it.
    ///   - start: start of the wait; nil means now.
    ///   - hasMet: true if the peer was reached, so that `body` must not be repeated.
    ///   - absent: called once, with the reason, before the wait begins.
    ///   - body: finds the peer and connects to it.
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
