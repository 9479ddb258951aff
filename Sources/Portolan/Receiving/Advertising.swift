import Foundation
import PortolanConcurrency
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import Synchronization

/// Makes a receiving node findable by whom its configuration says, and lets in who may come.
struct Advertising: Sendable {
    /// Which handshakes are answered.
    let door: Door

    private let node: Node
    private let events: @Sendable (ReceiveEvent) -> Void
    private let secrets: TeamSecrets
    private let nonces: AdvertisedNonces

    /// - Throws: `NodeError` where a node hides from all but its teams and is in none, `StoreError`
    init(of node: Node, events: @escaping @Sendable (ReceiveEvent) -> Void) async throws {
        self.node = node
        self.events = events
        let secrets = TeamSecrets()
        self.secrets = secrets
        nonces = AdvertisedNonces { secrets.accepted(now: .now) }
        let isHidden = node.configuration.discoverability == .team
        door = isHidden ? Door(allowsOpen: false, teams: nonces) : .open
        guard isHidden else { return }
        _ = try await secrets.reload(from: node)
        guard !secrets.current.isEmpty else {
            throw NodeError(
                .badInput, "This device is in no team by which it could be found. Join one first.", advice: .joinTeam)
        }
    }

    /// Lasts until the task is cancelled.
    func run(port: UInt16) async {
        let name = node.identity.name.text
        let off = Node.Configuration.Discovery.off.rawValue
        guard !node.presence.isOff, node.configuration.discoverability != .nobody else {
            return events(.listening(port: port, name: name, discovery: off))
        }
        var isStarted = false
        do {
            try await node.presence.withDiscovery { discovery in
                isStarted = true
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    defer { tasks.cancelAll() }
                    tasks.addTask { await watch(discovery) }
                    tasks.addTask { await RosterMessenger(of: node, on: discovery).run() }
                    tasks.addTask {
                        switch node.configuration.discoverability {
                        case .team: try await hide(on: discovery, port: port)
                        case .everyone, .nobody: try await show(on: discovery, port: port)
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
        } catch is CancellationError {
            // Receiving was stopped.
        } catch {
            if !isStarted { events(.listening(port: port, name: name, discovery: off)) }
            events(.warning("Others cannot find this device, and reach it only as host:port: \(error)"))
        }
    }

    private func show(on discovery: any Discovery, port: UInt16) async throws {
        let name = node.identity.name.text
        let handle = try await discovery.advertise(
            .open(name: name, fingerprint: node.identity.fingerprint, port: port))
        events(.listening(port: port, name: name, discovery: discovery.backend.rawValue))
        for await published in handle.names where published != name { events(.renamed(published)) }
        await handle.withdraw()
    }

    /// Reports that this device cannot be found for a while, and, once, that another machine shows its key. Lasts until the task is
    /// cancelled or discovery ends.
    private func watch(_ discovery: any Discovery) async {
        let own = node.identity.fingerprint
        let teams = try? await withLookupThread { try node.ownTeams() }
        var directory = PeerDirectory(foundBy: discovery.backend, recogniser: PresenceRecogniser(of: teams ?? []))
        var isTold = false
        for await event in discovery.browse() {
            _ = directory.apply(event)
            switch event {
            case .unavailable(let reason): events(.warning("Others cannot find this device for now. \(reason)"))
            case .recovered: events(.warning("Others can find this device again."))
            default: break
            }
            guard !isTold else { continue }
            let sightings = directory.clones(own: own, local: LinkAddresses.all())
            guard let clone = sightings.first(where: { $0.kind == .ownElsewhere }) else { continue }
            events(.warning(clone.sentence))
            isTold = true
        }
    }

    /// How often a nonce is looked at, which some thousand sessions of members use up.
    private static let lookInterval = Duration.seconds(30)

    private func hide(on discovery: any Discovery, port: UInt16) async throws {
        let fingerprint = node.identity.fingerprint
        let presence = HiddenPresence(port: port) { [secrets, nonces] in
            var generator = SystemRandomNumberGenerator()
            let seal = PresenceSeal(
                of: fingerprint, port: port, for: secrets.current.prefix(PresenceSeal.slotCount), using: &generator)
            nonces.rotate(to: seal.nonce)
            return [seal]
        }
        events(.listening(port: port, name: node.identity.name.text, discovery: discovery.backend.rawValue))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { try await presence.run(on: discovery) }
            tasks.addTask {
                let changes = TeamWatch(home: node.configuration.home).changes
                // Teams may have changed between their loading and the beginning of the watch.
                if (try? await secrets.reload(from: node)) ?? false { presence.renew() }
                for await _ in changes {
                    if (try? await secrets.reload(from: node)) ?? false { presence.renew() }
                }
                await untilCancelled()
            }
            tasks.addTask {
                while true {
                    try await Task.sleep(for: Self.lookInterval)
                    if nonces.isExhausted { presence.renew() }
                }
            }
            try await tasks.next()
        }
    }
}

/// The secrets of a device's teams, at hand where nothing may block.
private final class TeamSecrets: Sendable {
    /// How long a secret is good after another has taken its place: until what was sealed with it is off the network.
    private static let grace = Duration.seconds(15)

    private struct State {
        var current: [SecretBytes] = []
        var former: [SecretBytes] = []
        var formerEnd = ContinuousClock.now
    }

    private let state = Mutex(State())

    var current: [SecretBytes] { state.withLock(\.current) }

    func accepted(now: ContinuousClock.Instant) -> [SecretBytes] {
        state.withLock { $0.current + (now < $0.formerEnd ? $0.former : []) }
    }

    /// - Returns: whether they have changed.
    func reload(from node: Node) async throws -> Bool {
        let advertised = try await withLookupThread { try node.ownTeams().map(\.advertised) }
        // The newest of every team have their slots before any other.
        let secrets = advertised.compactMap(\.first) + advertised.flatMap { $0.dropFirst() }
        return state.withLock { state in
            guard state.current != secrets else { return false }
            state.former = state.current.filter { !secrets.contains($0) }
            state.formerEnd = .now + Self.grace
            state.current = secrets
            return true
        }
    }
}
