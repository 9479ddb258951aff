import PortolanDiscovery

/// Discovery of a node: started when somebody needs it first, shared by all who look around or advertise, and shut down with the last of
/// them.
///
/// However much goes on at once, there is one connection to the machine's daemon, or one mDNS stack with one picture of the network.
actor Presence {
    /// Whether there is no discovery: peers are reached by address alone.
    nonisolated let isOff: Bool

    private let start: @Sendable () async throws -> any Discovery
    private var running: Task<any Discovery, any Error>?
    private var users = 0
    /// The shutdown of the one before: others see this device until it is over.
    private var ending: Task<Void, Never>?

    init(_ configuration: Node.Configuration) {
        let choice = configuration.discovery.choice
        isOff = choice == nil
        start = { [interfaces = configuration.interfaces] in
            guard let choice else { preconditionFailure("Discovery is off") }
            return try await choice.start(interfaces: interfaces)
        }
    }

    /// - Parameter start: starts discovery.
    init(start: @escaping @Sendable () async throws -> any Discovery) {
        isOff = false
        self.start = start
    }

    /// Runs `body` with discovery. What `body` advertises it withdraws: discovery may go on when it ends.
    ///
    /// - Throws: `DiscoveryError` if discovery cannot be started; what `body` throws.
    nonisolated func withDiscovery<Result: Sendable>(
        _ body: (any Discovery) async throws -> Result
    ) async throws -> Result {
        let discovery = try await join()
        do {
            let result = try await body(discovery)
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func join() async throws -> any Discovery {
        users += 1
        // Another one may be starting or ending by the time this goes on.
        while let ending { await finish(ending) }
        let task = running ?? Task { [start] in try await start() }
        running = task
        do {
            return try await task.value
        } catch {
            if running == task { running = nil }
            await leave()
            throw error
        }
    }

    private func leave() async {
        users -= 1
        guard users == 0, let task = running else { return }
        running = nil
        let ending = Task {
            if let discovery = try? await task.value { await discovery.shutdown() }
        }
        self.ending = ending
        await finish(ending)
    }

    private func finish(_ ending: Task<Void, Never>) async {
        await ending.value
        if self.ending == ending { self.ending = nil }
    }
}
