import PortolanDiscovery

/// Discovery of a node: started by its first user, shared by all searches and advertisements, and shut down with the
/// last of them.
///
/// All operations share one connection to the machine's daemon, or one mDNS stack; on a crowded network
/// ``LiveDirectory`` starts a second stack temporarily.
struct Presence: Sendable {
    /// True if there is no discovery: peers are reached only by address.
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

    /// Runs `body` with discovery. `body` must withdraw its advertisements, since discovery may continue after it.
    ///
    /// - Throws: `DiscoveryError` if discovery cannot be started; what `body` throws.
    func withDiscovery<Result: Sendable>(_ body: (any Discovery) async throws -> Result) async throws -> Result {
        try await discovery.with(body)
    }
}
