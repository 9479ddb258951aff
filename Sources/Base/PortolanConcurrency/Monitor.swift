import PortolanValues

/// State that threads share, with a condition on which they wait for its changes.
package final class Monitor<State>: @unchecked Sendable {
    // Sendable because the state enters as `sending` and is used only under the lock, and results leave as `sending`.
    private var state: State
    private let lock = PlainLock()
    private let changed = Condition()
    /// Simulation whose threads wait; nil for threads of the machine.
    private let simulation: (any SimulatedThreads)?

    /// - Parameter simulation: replaces the machine; nil uses the machine.
    package init(_ state: sending State, simulation: (any SimulatedThreads)? = nil) {
        self.state = state
        self.simulation = simulation
    }

    /// Reads or changes the state, and wakes all waiters.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        defer { wake() }
        return try quietly(body)
    }

    /// Reads or changes the state without waking waiters.
    package func quietly<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// Wakes all waiters; each evaluates its condition again.
    package func wake() { changed.broadcast() }

    /// Waits until `body` returns a value. Blocks the thread. Wakes no waiter: after a change that another waiter
    /// needs, call ``wake()``.
    package func wait<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result?
    ) throws(Failure) -> sending Result {
        guard let result = try wait(until: nil, body) else { preconditionFailure("This wait has no other end") }
        return result
    }

    /// Waits like ``wait(_:)``, but at most until `deadline`, if there is one.
    ///
    /// - Returns: nil if there is no value by then.
    package func wait<Result, Failure: Error>(
        until deadline: ContinuousClock.Instant?, _ body: (inout State) throws(Failure) -> sending Result?
    ) throws(Failure) -> sending Result? {
        lock.lock()
        defer { lock.unlock() }
        var isRetry = false
        while true {
            if let result = try body(&state) { return result }
            if let simulation {
                if let deadline, simulation.instant >= deadline { return nil }
                giveWay(in: simulation, isRetry, until: deadline)
                isRetry = true
            } else if let deadline {
                guard changed.wait(lock, until: deadline) else { return nil }
            } else {
                changed.wait(lock)
            }
        }
    }

    /// Waits as a thread of a simulation, in which one thread runs at a time.
    private func giveWay(
        in simulation: any SimulatedThreads, _ isRetry: Bool, until deadline: ContinuousClock.Instant?
    ) {
        lock.unlock()
        simulation.giveWay(isRetry: isRetry, until: deadline)
        lock.lock()
    }
}

/// Threads of a simulation: one runs at a time, until it waits; time is a virtual clock.
package protocol SimulatedThreads: Sendable {
    /// The present moment of virtual time.
    var instant: ContinuousClock.Instant { get }

    /// Waits, on a thread of the simulation, for an event that the thread may have waited for.
    ///
    /// - Parameters:
    ///   - isRetry: true if the thread found no work since its last call.
    ///   - deadline: end of the wait without an event.
    func giveWay(isRetry: Bool, until deadline: ContinuousClock.Instant?)
}
