import PortolanConcurrency
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

/// Waits, discoverable by the number of a code, for devices that enter the code.
struct CodeListener: Sendable {
    let environment: NodeEnvironment
    let listener: NodeListener
    let code: PairingCode
    let gate: PairingGate
    let valid: Duration
    let events: @Sendable (CodeEvent) -> Void

    init(
        _ code: PairingCode, for purpose: PairingPurpose, uses: Int, valid: Duration, in environment: NodeEnvironment,
        listener: NodeListener, events: @escaping @Sendable (CodeEvent) -> Void
    ) {
        self.environment = environment
        self.listener = listener
        self.code = code
        self.valid = valid
        self.events = events
        gate = PairingGate(
            code: code, purpose: purpose, uses: uses, validity: valid,
            now: { [runtime = environment.runtime] in runtime.now })
    }

    /// Number of wrong codes in a row after which the user is warned of interference.
    private static let suspicious = 3

    /// Calls `serve` with each session that the code opens, one after the other, until it returns false.
    ///
    /// - Throws: `NodeError` when a wrong guess or the time ended the code, errors of `serve`, `CancellationError`.
    func run(_ serve: @escaping @Sendable (Session) async throws -> Bool) async throws {
        let allowance = try await withLookupThread { try environment.attempts.allowance(now: environment.runtime.date) }
        if case .allowed(let wrongInARow) = allowance, wrongInARow >= Self.suspicious {
            events(
                .warning(
                    "The last \(wrongInARow) codes were ended by wrong ones. Somebody on this network may be guessing, or be in "
                        + "the way on purpose."))
        }
        let feed = ArrivalFeed()
        // Handshakes that have begun may not have used the code yet.
        defer {
            gate.close()
            feed.end()
        }
        try await listener.with(.code(gate), arrived: { feed.put($0) }) { place in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { tasks.cancelAll() }
                tasks.addTask { try await advertise(at: place) }
                tasks.addTask {
                    try await environment.runtime.sleep(for: valid)
                    throw NodeError(.unreachable, "Nobody has entered the code while it was valid; make another one.")
                }
                tasks.addTask { try await self.serve(feed.arrivals, serve) }
                // Only serving ends without an error.
                try await tasks.next()
            }
        }
    }

    private func serve(
        _ arrivals: AsyncStream<Listener.Arrival>, _ serve: @Sendable (Session) async throws -> Bool
    ) async throws {
        for await arrival in arrivals {
            switch arrival {
            case .session(let session):
                let goesOn = try await serve(session)
                try await withLookupThread { try environment.attempts.noteSuccess() }
                guard goesOn else { return }
            case .refused(let address, let reason):
                guard gate.state == .guessedWrong else {
                    events(.refused(address: address, reason: reason))
                    continue
                }
                _ = try await withLookupThread {
                    try environment.attempts.noteWrongGuess(now: environment.runtime.date)
                }
                throw NodeError(
                    .notTrusted,
                    "Somebody at \(address) entered a wrong code, so this one is not good any more. Make another one; if that "
                        + "happens again, somebody interferes.")
            }
        }
        try Task.checkCancellation()
    }

    /// Lasts until the task is cancelled. Begins anew when the node listens on another port.
    private func advertise(at place: NodeListener.Place) async throws {
        while !Task.isCancelled {
            let changes = environment.bells.changes
            let port = place.port
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { tasks.cancelAll() }
                tasks.addTask {
                    try await advertise(port: port) { discovery in
                        events(.waiting(port: port, discovery: discovery))
                        place.tells(of: port)
                    }
                }
                tasks.addTask {
                    for await _ in changes where place.port != port { return }
                    await untilCancelled()
                }
                try await tasks.next()
            }
        }
        throw CancellationError()
    }

    /// - Parameter tell: called with the backend that announces this device.
    private func advertise(port: UInt16, _ tell: @Sendable (String) -> Void) async throws {
        let off = NodeConfiguration.Discovery.off.rawValue
        if environment.presence.isOff {
            tell(off)
        } else {
            var isTold = false
            do {
                try await environment.presence.withDiscovery { discovery in
                    let handle = try await discovery.advertise(
                        .waiting(number: code.number, for: WaitingPurpose(gate.purpose), port: port))
                    tell(discovery.backend.rawValue)
                    isTold = true
                    for await _ in handle.names {}
                    await handle.withdraw()
                }
            } catch {
                if !isTold { tell(off) }
                events(.warning("Others cannot find this device, and reach it only by its address: \(error)"))
            }
        }
        // The code can be used until its time is over, also without advertising.
        try await environment.runtime.sleep(for: valid * 2)
    }
}

extension WaitingPurpose {
    init(_ purpose: PairingPurpose) {
        self =
            switch purpose {
            case .pairing: .pair
            case .joining: .join
            }
    }
}
