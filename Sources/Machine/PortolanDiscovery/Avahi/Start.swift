import PortolanConcurrency

extension DiscoveryChoice {
    /// Longest wait for the daemon's first answer before `automatic` works without it. The answer takes a millisecond
    /// or two; a daemon that hangs would block for 25 seconds.
    private static let patience = Duration.milliseconds(500)
    /// Longest wait without an alternative to the daemon: a busy machine may need it.
    private static let lastPatience = Duration.seconds(10)

    /// Starts discovery.
    ///
    /// - Parameter interfaces: names of the links to advertise and browse on; nil for all.
    package func start(interfaces: [String]? = nil) async throws(DiscoveryError) -> any Discovery {
        switch self {
        case .avahi: return try await Self.startDaemon(interfaces, within: Self.lastPatience)
        case .embedded: return try await Self.startEmbedded(interfaces)
        case .automatic:
            do {
                return try await Self.startDaemon(interfaces, within: Self.patience, canDoWithout: true)
            } catch .noDaemon {
                return try await Self.startEmbedded(interfaces)
            }
        }
    }

    /// - Parameter canDoWithout: true if this process does mDNS itself when the daemon stops.
    private static func startDaemon(
        _ interfaces: [String]?, within patience: Duration, canDoWithout: Bool = false
    ) async throws(DiscoveryError) -> any Discovery {
        let indices = try Self.indices(of: interfaces)
        return try await start(.avahi, within: patience, failure: DiscoveryError.noDaemon) {
            loop throws(MissingLibrary) in
            let client = try AvahiLibraries.client()
            let core = canDoWithout ? try? AvahiLibraries.core() : nil
            let stack: any AvahiStack =
                core.map { AutomaticStack(client: client, core: $0, loop: loop, interfaces: interfaces) }
                ?? LibraryStack(.daemon(client, poll: loop.api))
            return AvahiStation(loop: loop, stack: stack, interfaces: indices, links: interfaces)
        }
    }

    private static func startEmbedded(_ interfaces: [String]?) async throws(DiscoveryError) -> any Discovery {
        // The stack itself is limited to the interfaces, so browsing and publishing need no limit.
        _ = try Self.indices(of: interfaces)
        return try await start(.embedded, within: lastPatience, failure: DiscoveryError.embeddedFailed) {
            loop throws(MissingLibrary) in
            let stack = LibraryStack(.embedded(try AvahiLibraries.core(), loop: loop, interfaces: interfaces))
            return AvahiStation(loop: loop, stack: stack, interfaces: [everyInterface], links: interfaces)
        }
    }

    private static func start(
        _ backend: DiscoveryBackend, within patience: Duration,
        failure: @escaping @Sendable (String) -> DiscoveryError,
        makeStation: @escaping @Sendable (AvahiLoop) throws(MissingLibrary) -> AvahiStation
    ) async throws(DiscoveryError) -> any Discovery {
        let opening = OneShot<Void, DiscoveryError>()
        let thread: StationThread
        do {
            thread = try StationThread(makeStation: makeStation) { result in
                opening.settle(result.mapError { failure("\($0)") })
            }
        } catch {
            throw failure("\(error)")
        }
        // The timer is not awaited: it refers only to the result.
        let timer = Task {
            try await Task.sleep(for: patience)
            opening.settle(.failure(failure("it did not answer in time")))
        }
        defer { timer.cancel() }
        do {
            try await opening.value()
        } catch {
            thread.perform { $0.shutDown() }
            throw error
        }
        return AvahiDiscovery(backend: backend, thread: thread)
    }

    private static func indices(of names: [String]?) throws(DiscoveryError) -> [Int32] {
        guard let names else { return [everyInterface] }
        var indices: [Int32] = []
        for name in names {
            guard let interface = NetworkInterface(named: name) else { throw .noSuchInterface(name) }
            indices.append(Int32(interface.index))
        }
        return indices
    }
}
