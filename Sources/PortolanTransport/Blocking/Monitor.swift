import Glibc

/// State that threads share, and on whose changes they can wait.
final class Monitor<State>: @unchecked Sendable {
    // Sendable because the state comes in as `sending` and is touched under the lock alone, and a result leaves as
    // `sending`. The two pointers never change; pthread lets all threads use what is there.
    private var state: State
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// Whose threads wait, if they are not the machine's.
    private let simulation: (any SimulatedRuntime)?

    init(_ state: sending State, on runtime: Runtime = .system) {
        self.state = state
        simulation = runtime.simulation
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
    func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        defer { wake() }
        return try quietly(body)
    }

    /// The same for what nobody waits for: whoever waits sleeps on.
    func quietly<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&state)
    }

    /// Has whoever waits look again.
    func wake() { pthread_cond_broadcast(changed) }

    /// Has one of those that wait look again: enough where any of them can do what there is to do.
    func wakeOne() { pthread_cond_signal(changed) }

    /// Waits until `body` has an answer. Blocks the thread. Wakes nobody: whoever takes what another one waits to see gone, wakes it.
    func wait<Result, Failure: Error>(
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
    func wait<Result, Failure: Error>(
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
            let nanoseconds = Int64(end.tv_nsec) + left.nanoseconds
            end.tv_sec += Int(nanoseconds / 1_000_000_000)
            end.tv_nsec = Int(nanoseconds % 1_000_000_000)
            pthread_cond_timedwait(changed, lock, &end)
        }
    }

    /// Waits as a thread of a simulation does, where only one runs at a time.
    private func giveWay(
        in simulation: any SimulatedRuntime, _ isRetry: Bool, until deadline: ContinuousClock.Instant? = nil
    ) {
        pthread_mutex_unlock(lock)
        simulation.giveWay(isRetry: isRetry, until: deadline)
        pthread_mutex_lock(lock)
    }
}
