import PortolanConcurrency
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import Synchronization

/// Advertises a receiving node to the peers that its configuration permits, and admits these peers.
struct ReceiverAdvertiser: Sendable {
    /// Handshakes that are answered.
    let door: Door

    private let environment: NodeEnvironment
    private let duties: NodeDuties
    private let name: String
    private let discoverability: NodeConfiguration.Discoverability
    private let events: @Sendable (ReceiveEvent) -> Void
    private let secrets: TeamSecrets
    private let nonces: AdvertisedNonces

    /// Makes the advertiser for the current configuration.
    ///
    /// - Throws: `NodeError` if the node is visible to its teams only and is in none, `StoreError`
    init(
        in environment: NodeEnvironment, of duties: NodeDuties, events: @escaping @Sendable (ReceiveEvent) -> Void
    ) async throws {
        let secrets = TeamSecrets()
        let nonces = AdvertisedNonces { [runtime = environment.runtime] in secrets.accepted(now: runtime.now) }
        try await self.init(in: environment, of: duties, secrets, nonces, events)
    }

    /// Returns an advertiser for the current configuration. Peers that know the former hidden record are still
    /// admitted.
    ///
    /// - Throws: errors of ``init(in:of:events:)``
    func renewed() async throws -> Self { try await Self(in: environment, of: duties, secrets, nonces, events) }

    private init(
        in environment: NodeEnvironment, of duties: NodeDuties, _ secrets: TeamSecrets, _ nonces: AdvertisedNonces,
        _ events: @escaping @Sendable (ReceiveEvent) -> Void
    ) async throws {
        self.environment = environment
        self.duties = duties
        self.secrets = secrets
        self.nonces = nonces
        self.events = events
        name = environment.identity.name.text
        discoverability = environment.configuration.discoverability
        let isHidden = discoverability == .team
        door = isHidden ? Door(allowsOpen: false, teams: nonces) : .open
        guard isHidden else { return }
        _ = try await secrets.reload(from: environment)
        guard !secrets.current.isEmpty else {
            throw NodeError.hidesFromAll
        }
    }

    /// Time after which discovery that failed is begun again; it doubles each time.
    private static let pauses = (first: Duration.seconds(30), longest: Duration.seconds(600))

    /// Lasts until the task is cancelled.
    func run(at place: NodeListener.Place) async {
        let port = place.port
        let news = ListeningNews(port: port, name: name) { event in
            events(event)
            place.tells(of: port)
        }
        guard !environment.presence.isOff, discoverability != .nobody else {
            news.tell(NodeConfiguration.Discovery.off.rawValue)
            return await untilCancelled()
        }
        if environment.configuration.interfaces == nil, LinkAddresses.areOwnAlone {
            events(.warning("No interface of this machine is up with an address. Others reach it when one is."))
        }
        var pause = Self.pauses.first
        while !Task.isCancelled {
            do {
                try await run(port: port, news)
            } catch is CancellationError {
                // Receiving was stopped.
                return
            } catch {
                if news.tell(NodeConfiguration.Discovery.off.rawValue) {
                    events(.warning("Others cannot find this device, and reach it only as host:port: \(error)"))
                }
            }
            try? await environment.runtime.sleep(for: pause)
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    private func run(port: UInt16, _ news: ListeningNews) async throws {
        try await environment.presence.withDiscovery { discovery in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { tasks.cancelAll() }
                tasks.addTask { await watch(discovery) }
                tasks.addTask { await RosterMessenger(in: environment, on: discovery).run() }
                tasks.addTask {
                    switch discoverability {
                    case .team: try await hide(on: discovery, port: port, news)
                    case .everyone, .nobody: try await show(on: discovery, port: port, news)
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }

    private func show(on discovery: any Discovery, port: UInt16, _ news: ListeningNews) async throws {
        let changes = duties.bells.changes
        let handle = try await discovery.advertise(advertisement(port: port))
        news.tell(discovery.backend.rawValue)
        await withDiscardingTaskGroup { tasks in
            tasks.addTask {
                for await _ in changes {
                    if let changed = try? advertisement(port: port) { await handle.update(changed) }
                }
            }
            for await published in handle.names where published != name { events(.renamed(published)) }
            tasks.cancelAll()
        }
        await handle.withdraw()
    }

    /// Open record of this instance, with its current activities.
    private func advertisement(port: UInt16) throws(DiscoveryError) -> Advertisement {
        try .open(
            name: name, fingerprint: environment.identity.fingerprint, port: port,
            activities: Activities(duties.capabilities))
    }

    /// Reports that this device cannot be found for a while, and, once, that another machine shows its key. Lasts until
    /// the task is cancelled or discovery ends.
    private func watch(_ discovery: any Discovery) async {
        let teams = try? await withLookupThread { try environment.ownTeams() }
        var directory = PeerDirectory(foundBy: discovery.backend, recogniser: PresenceRecogniser(of: teams ?? []))
        let watch = Mutex(CopyWatch())
        let (copies, copied) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        /// Tells a person of a copy, or waits for the time when it may be told.
        let see: @Sendable ([CloneReport]?) -> Void = { [events, runtime = environment.runtime] sightings in
            let (report, isWaiting) = watch.withLock { ($0.see(sightings, at: runtime.now), $0.isWaiting) }
            if let report { events(.warning(report.sentence)) }
            if isWaiting { copied.yield() }
        }
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { [runtime = environment.runtime] in
                for await _ in copies {
                    guard (try? await runtime.sleep(for: CopyWatch.patience)) != nil else { return }
                    see(nil)
                }
            }
            for await event in discovery.browse() {
                _ = directory.apply(event)
                switch event {
                case .unavailable(let reason): events(.warning("Others cannot find this device for now. \(reason)"))
                case .recovered: events(.warning("Others can find this device again."))
                default: break
                }
                see(directory.clones(own: environment.identity.fingerprint, local: LinkAddresses.all()))
            }
            tasks.cancelAll()
        }
    }

    private func hide(on discovery: any Discovery, port: UInt16, _ news: ListeningNews) async throws {
        let fingerprint = environment.identity.fingerprint
        let presence = HiddenPresence(port: port) { [secrets, nonces] in
            var generator = SystemRandomNumberGenerator()
            let seal = PresenceSeal(
                of: fingerprint, port: port, for: secrets.current.prefix(PresenceSeal.slotCount), using: &generator)
            nonces.rotate(to: seal.nonce)
            return [seal]
        }
        nonces.onExhaustion { presence.renew() }
        news.tell(discovery.backend.rawValue)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { try await presence.run(on: discovery) }
            tasks.addTask {
                let changes = TeamWatch(home: environment.configuration.home).changes
                // Teams may have changed between their loading and the beginning of the watch.
                await reload(presence)
                for await _ in changes { await reload(presence) }
                await untilCancelled()
            }
            try await tasks.next()
        }
    }

    /// Advertises by the current secrets. Retries while they cannot be read, because a removed member knows the former
    /// secrets.
    private func reload(_ presence: HiddenPresence) async {
        while !Task.isCancelled {
            if let hasChanged = try? await secrets.reload(from: environment) {
                if hasChanged { presence.renew() }
                return
            }
            try? await environment.runtime.sleep(for: .seconds(2))
        }
    }
}

/// Reports how others find the node, after each change.
private final class ListeningNews: Sendable {
    private let port: UInt16
    private let name: String
    private let events: @Sendable (ReceiveEvent) -> Void
    private let last = Mutex<String?>(nil)

    init(port: UInt16, name: String, events: @escaping @Sendable (ReceiveEvent) -> Void) {
        self.port = port
        self.name = name
        self.events = events
    }

    /// - Returns: true if `discovery` differs from the last report.
    @discardableResult
    func tell(_ discovery: String) -> Bool {
        let isNews = last.withLock { last in
            defer { last = discovery }
            return last != discovery
        }
        if isNews { events(.listening(port: port, name: name, discovery: discovery)) }
        return isNews
    }
}

/// Secrets of a device's teams, in memory for callers that may not block.
private final class TeamSecrets: Sendable {
    /// Lifetime of a replaced secret: until records sealed with it have left the network.
    private static let grace = Duration.seconds(15)

    private struct State {
        var current: [SecretBytes] = []
        /// Replaced secrets, and the end of their lifetime.
        var former: [(secret: SecretBytes, end: ContinuousClock.Instant)] = []
    }

    private let state = Mutex(State())

    var current: [SecretBytes] { state.withLock(\.current) }

    func accepted(now: ContinuousClock.Instant) -> [SecretBytes] {
        state.withLock { state in state.current + state.former.filter { now < $0.end }.map(\.secret) }
    }

    /// - Returns: true if they have changed.
    func reload(from environment: NodeEnvironment) async throws -> Bool {
        let advertised = try await withLookupThread { try environment.ownTeams().map(\.advertised) }
        // The newest secrets of all teams come first.
        let secrets = advertised.compactMap(\.first) + advertised.flatMap { $0.dropFirst() }
        return state.withLock { state in
            guard state.current != secrets else { return false }
            let now = environment.runtime.now
            state.former += state.current.map { (secret: $0, end: now + Self.grace) }
            state.former.removeAll { $0.end <= now || secrets.contains($0.secret) }
            state.current = secrets
            return true
        }
    }
}
