import PortolanValues

/// State that threads share, and on whose changes they can wait.
package final class Monitor<State>: @unchecked Sendable {
    // Sendable because the state comes in as `sending` and is touched under the lock alone, and a result leaves as
    // `sending`.
    private var state: State
    private let lock = PlainLock()
    private let changed = Condition()
    /// Whose threads wait, if they are not the machine's.
    private let simulation: (any SimulatedThreads)?

    /// - Parameter simulation: stands in for the machine; nil stands for the machine itself.
    package init(_ state: sending State, simulation: (any SimulatedThreads)? = nil) {
        self.state = state
        self.simulation = simulation
    }

    /// Looks at the state or changes it; whoever waits looks again.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        defer { wake() }
        return try quietly(body)
    }

    /// The same for what nobody waits for: whoever waits sleeps on.
    package func quietly<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// Has whoever waits look again.
    package func wake() { changed.broadcast() }

    /// Waits until `body` has an answer. Blocks the thread. Wakes nobody: whoever takes what another one waits to see gone, wakes it.
    package func wait<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result?
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        var isRetry = false
        while true {
            if let result = try body(&state) { return result }
            if let simulation {
                giveWay(in: simulation, isRetry)
            } else {
                changed.wait(lock)
            }
            isRetry = true
        }
    }

    /// The same, but no longer than until `deadline`.
    ///
    /// - Returns: nil if there is no answer by then.
    package func wait<Result, Failure: Error>(
        until deadline: ContinuousClock.Instant, _ body: (inout State) throws(Failure) -> sending Result?
    ) throws(Failure) -> sending Result? {
        lock.lock()
        defer { lock.unlock() }
        var isRetry = false
        while true {
            if let result = try body(&state) { return result }
            if let simulation {
                guard simulation.instant < deadline else { return nil }
                giveWay(in: simulation, isRetry, until: deadline)
                isRetry = true
                continue
            }
            guard changed.wait(lock, until: deadline) else { return nil }
        }
    }

    /// Waits as a thread of a simulation does, where only one runs at a time.
    private func giveWay(
        in simulation: any SimulatedThreads, _ isRetry: Bool, until deadline: ContinuousClock.Instant? = nil
    ) {
        lock.unlock()
        simulation.giveWay(isRetry: isRetry, until: deadline)
        lock.lock()
    }
}

/// Threads of which only one runs at a time, and that one until it waits, by a virtual clock.
package protocol SimulatedThreads: Sendable {
    /// The present moment of virtual time.
    var instant: ContinuousClock.Instant { get }

    /// Waits, on a thread of the simulation, until something has happened that the thread may have waited for.
    ///
    /// - Parameters:
    ///   - isRetry: whether the thread found nothing to do since its last call.
    ///   - deadline: when it is to go on even if nothing has happened.
    func giveWay(isRetry: Bool, until deadline: ContinuousClock.Instant?)
}
