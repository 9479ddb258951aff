import Glibc

/// State that threads share, and on whose changes they can wait.
package final class Monitor<State>: @unchecked Sendable {
    // Sendable because the state comes in as `sending` and is touched under the lock alone, and a result leaves as
    // `sending`. The two pointers never change; pthread lets all threads use what is there.
    private var state: State
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// Whose threads wait, if they are not the machine's.
    private let simulation: (any SimulatedThreads)?

    /// - Parameter simulation: stands in for the machine; nil stands for the machine itself.
    package init(_ state: sending State, simulation: (any SimulatedThreads)? = nil) {
        self.state = state
        self.simulation = simulation
        lock = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A clock that is set must not end a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
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
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&state)
    }

    /// Has whoever waits look again.
    package func wake() { pthread_cond_broadcast(changed) }

    /// Has one of those that wait look again: enough where any of them can do what there is to do.
    package func wakeOne() { pthread_cond_signal(changed) }

    /// Waits until `body` has an answer. Blocks the thread. Wakes nobody: whoever takes what another one waits to see gone, wakes it.
    package func wait<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result?
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        var isRetry = false
        while true {
            if let result = try body(&state) { return result }
            if let simulation {
                giveWay(in: simulation, isRetry)
            } else {
                pthread_cond_wait(changed, lock)
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
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        var isRetry = false
        while true {
            if let result = try body(&state) { return result }
            if let simulation {
                guard simulation.instant < deadline else { return nil }
                giveWay(in: simulation, isRetry, until: deadline)
                isRetry = true
                continue
            }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return nil }
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            let (seconds, nanoseconds) = left.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            end.tv_sec += Int(seconds) + (end.tv_nsec + Int(nanoseconds)) / 1_000_000_000
            end.tv_nsec = (end.tv_nsec + Int(nanoseconds)) % 1_000_000_000
            pthread_cond_timedwait(changed, lock, &end)
        }
    }

    /// Waits as a thread of a simulation does, where only one runs at a time.
    private func giveWay(
        in simulation: any SimulatedThreads, _ isRetry: Bool, until deadline: ContinuousClock.Instant? = nil
    ) {
        pthread_mutex_unlock(lock)
        simulation.giveWay(isRetry: isRetry, until: deadline)
        pthread_mutex_lock(lock)
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

extension Duration {
    /// Whole nanoseconds; those of 292 years if there are more.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows ? (seconds < 0 ? .min : .max) : sum
    }
}
