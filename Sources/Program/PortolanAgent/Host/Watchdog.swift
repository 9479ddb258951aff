/// Signs of life for a service manager, each after a proof.
///
/// A stalled process sends none, and the manager restarts it.
struct Watchdog: Sendable {
    private let manager: ServiceManager
    /// Time between two signs: half of the manager's limit.
    private let interval: Duration
    private let prove: @Sendable () async -> Void

    /// - Parameter prove: returns when the process has proved that it is alive.
    /// - Returns: nil if the manager does not watch.
    init?(_ manager: ServiceManager, prove: @escaping @Sendable () async -> Void) {
        guard let watchdog = manager.watchdog else { return nil }
        self.manager = manager
        self.prove = prove
        interval = watchdog / 2
    }

    /// Sends signs until the task is cancelled.
    ///
    /// A proof that takes longer than the interval is late: other work waits for the same resource. A proof that never
    /// comes keeps this from returning, so that the task must not be awaited.
    func run() async {
        while (try? await Task.sleep(for: interval)) != nil {
            let start = ContinuousClock.now
            await prove()
            guard ContinuousClock.now - start <= interval, !Task.isCancelled else { continue }
            await manager.tell(.alive)
        }
    }
}
