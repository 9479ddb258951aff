/// Signs of life for a service manager, each behind a proof of it.
///
/// A process that has got stuck gives none, and is started anew by the manager.
struct Watchdog: Sendable {
    private let manager: ServiceManager
    /// Time between two signs: half of what the manager waits for one.
    private let interval: Duration
    private let prove: @Sendable () async -> Void

    /// - Parameter prove: returns when the process has shown that it is alive.
    /// - Returns: nil if the manager does not watch.
    init?(_ manager: ServiceManager, prove: @escaping @Sendable () async -> Void) {
        guard let watchdog = manager.watchdog else { return nil }
        self.manager = manager
        self.prove = prove
        interval = watchdog / 2
    }

    /// Gives signs until the task is cancelled.
    ///
    /// A proof that takes longer than the time between two signs is none: what waits for the same thing waits too long as well. One that
    /// never comes keeps this from returning, so that nobody should wait for it.
    func run() async {
        while (try? await Task.sleep(for: interval)) != nil {
            let start = ContinuousClock.now
            await prove()
            guard ContinuousClock.now - start <= interval, !Task.isCancelled else { continue }
            await manager.tell(.alive)
        }
    }
}
