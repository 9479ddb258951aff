import PortolanDiscovery

/// Discovery of a node: started by its first user, shared by all searches and advertisements, and shut down with the
/// last of them.
///
/// However much goes on at once, there is one connection to the machine's daemon, or one mDNS stack with one picture of
/// the network; ``Lookout`` starts a second one for a while where a network is crowded.
struct Presence: Sendable {
    /// True if there is no discovery: peers are reached by address alone.
    let isOff: Bool

    private let discovery: SharedResource<any Discovery>

    init(_ configuration: NodeConfiguration) {
        let choice = configuration.discovery.choice
        self.init(isOff: choice == nil) { [interfaces = configuration.interfaces] in
            guard let choice else { preconditionFailure("Discovery is off") }
            return try await choice.start(interfaces: interfaces)
        }
    }

    /// - Parameter start: starts discovery.
    init(isOff: Bool = false, start: @escaping @Sendable () async throws -> any Discovery) {
        self.isOff = isOff
        discovery = SharedResource { isReady in
            let discovery = try await start()
            isReady(discovery)
            await untilCancelled()
            await discovery.shutdown()
        }
    }

    /// Runs `body` with discovery. `body` withdraws its advertisements: discovery may go on when it ends.
    ///
    /// - Throws: `DiscoveryError` if discovery cannot be started; what `body` throws.
    func withDiscovery<Result: Sendable>(_ body: (any Discovery) async throws -> Result) async throws -> Result {
        try await discovery.with(body)
    }
}
