import PortolanConcurrency
import PortolanDiscovery
import PortolanTransport

/// Peers that discovery finds, with the facts that this device has stored about them.
struct Neighbourhood: Sendable {
    let configuration: NodeConfiguration
    let presence: Presence
    let own: Fingerprint
    let store: PeerStore

    var runtime: Runtime { configuration.runtime }

    /// Pause before a search that failed is begun again. It doubles with each failure in a row.
    private static let pause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)

    /// Snapshots of the peers, one after each change, until the stream is dropped. The first one comes as soon as
    /// anything is known. The stream ends by itself only if discovery is off.
    ///
    /// - Parameter wanted: name of a peer that is kept if there are too many peers; nil for none.
    func snapshots(wanted: String? = nil) -> AsyncStream<PeerSnapshot> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                await keepLooking(for: wanted) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Looks until the task is cancelled. A search that fails is reported, and begun again after a pause: a file of the
    /// home may have been unreadable for a moment.
    private func keepLooking(for wanted: String?, _ report: (PeerSnapshot) -> Void) async {
        guard !presence.isOff else {
            report(PeerSnapshot(peers: [], isSettled: true, note: "Discovery is off; reach peers as host:port."))
            return
        }
        var pause = Self.pause
        while true {
            var reason = "Discovery has ended."
            do {
                try await look(for: wanted) { snapshot in
                    pause = Self.pause
                    report(snapshot)
                }
            } catch { reason = "\(error)" }
            guard !Task.isCancelled else { return }
            report(PeerSnapshot(peers: [], isSettled: true, note: reason, problem: reason))
            guard (try? await runtime.sleep(for: pause)) != nil else { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Looks until the task is cancelled or discovery ends.
    private func look(for wanted: String?, _ report: (PeerSnapshot) -> Void) async throws {
        let acquaintance = try await acquaintance()
        // An mDNS query reaches all hosts on the link, and a member may be hidden.
        let asked = wanted.flatMap { acquaintance.isMember($0) ? nil : $0 }
        try await presence.withDiscovery { discovery in
            let lookout = LiveDirectory(
                PeerDirectory(
                    foundBy: discovery.backend, recogniser: acquaintance.recogniser,
                    expected: .init(name: wanted, fingerprints: acquaintance.fingerprints)))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { tasks.cancelAll() }
                tasks.addTask { [configuration] in
                    await lookout.run(
                        on: discovery, wanted: asked, interfaces: configuration.interfaces,
                        runtime: configuration.runtime)
                }
                try await describe(lookout, acquaintance, report)
            }
        }
    }

    /// Yields a snapshot after each change, until discovery ends.
    private func describe(
        _ lookout: LiveDirectory, _ acquaintance: Acquaintance, _ report: (PeerSnapshot) -> Void
    ) async throws {
        var acquaintance = acquaintance
        var asOf = runtime.now
        var descriptions: [DiscoveredPeer: Peer] = [:]
        for await _ in lookout.changes {
            if runtime.now - asOf > Self.memory {
                acquaintance = try await self.acquaintance()
                asOf = runtime.now
                descriptions = [:]
                lookout.recognise(with: acquaintance.recogniser)
            }
            let directory = lookout.directory
            descriptions = try await described(directory.peers, acquaintance, known: descriptions)
            let clones = directory.clones(own: own, local: LinkAddresses.all())
            let sentences = Dictionary(
                clones.map { ($0.fingerprint, $0.sentence) }, uniquingKeysWith: { first, _ in first })
            report(
                PeerSnapshot(
                    peers: directory.peers.compactMap { descriptions[$0] }.map { peer in
                        var peer = peer
                        peer.clones = peer.fingerprint.flatMap { sentences[$0] }
                        return peer
                    }, isSettled: directory.isSettled, note: directory.trouble,
                    clones: clones.map(\.sentence), directory: directory))
        }
    }

    /// Lifetime of stored facts in memory; after it they are read again.
    private static let memory = Duration.seconds(5)

    private func acquaintance() async throws -> Acquaintance {
        try await withLookupThread { try Acquaintance(store) }
    }

    /// Returns the peers in sight without this device. Unchanged peers are not looked up again.
    private func described(
        _ peers: [DiscoveredPeer], _ acquaintance: Acquaintance, known: [DiscoveredPeer: Peer]
    ) async throws -> [DiscoveredPeer: Peer] {
        let others = peers.filter { $0.fingerprint != own }
        return try await withLookupThread {
            var described: [DiscoveredPeer: Peer] = [:]
            for peer in others { described[peer] = try known[peer] ?? describe(peer, acquaintance) }
            return described
        }
    }

    /// May block.
    private func describe(_ discovered: DiscoveredPeer, _ acquaintance: Acquaintance) throws -> Peer {
        var peer = Peer(discovered, named: acquaintance.name(of: discovered))
        guard let fingerprint = peer.fingerprint else { return peer }
        if let pin = acquaintance.pins[fingerprint] { peer.recognise(pin) }
        peer.standing = try store.presumedStanding(of: fingerprint, now: runtime.date)
        return peer
    }
}

/// Stored facts about other devices, read when the search began.
private struct Acquaintance: Sendable {
    let pins: [Fingerprint: KnownPeer]
    let recogniser: PresenceRecogniser
    private let members: [Fingerprint: DeviceName]

    /// Fingerprints of known peers and members of teams.
    var fingerprints: Set<Fingerprint> { Set(pins.keys).union(members.keys) }

    /// May block.
    init(_ store: PeerStore) throws {
        pins = try Dictionary(store.peers.all().map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
        let teams = try store.teams.all().filter { !$0.isRemoved }
        members = Dictionary(
            teams.flatMap { $0.team.members.map { ($0.key.fingerprint, $0.name) } },
            uniquingKeysWith: { first, _ in first })
        recogniser = PresenceRecogniser(of: teams)
    }

    /// True if a search for `wanted` can mean a member of a team.
    func isMember(_ wanted: String) -> Bool {
        let listed = members.map { Peer(name: $0.value.text, fingerprint: $0.key, addresses: [], foundBy: "") }
        return !Target.matches(wanted, in: listed).isEmpty
    }

    /// Returns the name of a device. A hidden device tells its name to members only, so it is taken from the rosters.
    func name(of peer: DiscoveredPeer) -> String {
        guard peer.isHidden, let fingerprint = peer.fingerprint else { return peer.name }
        return (members[fingerprint] ?? pins[fingerprint]?.name)?.text ?? "\(fingerprint)"
    }
}

extension PresenceRecogniser {
    /// Recognises the members of these teams, including those that do not have the newest secret yet.
    init(of teams: [StoredTeam]) {
        self.init(
            teams.flatMap { stored in
                stored.secrets.enumerated().map {
                    TeamSecret(team: stored.id, secret: $0.element, generation: $0.offset)
                }
            })
    }
}

extension Peer {
    /// Takes the stored facts on the device with its fingerprint, under any announced name.
    mutating func recognise(_ pin: KnownPeer) {
        isKnown = true
        localName = pin.name.text
    }

    init(_ discovered: DiscoveredPeer, named name: String) {
        let places = discovered.addresses.flatMap { address in
            discovered.openings(at: address).map {
                PeerPlace(address, $0, doing: discovered.activities(at: address.port))
            }
        }
        self.init(
            name: name, fingerprint: discovered.fingerprint, addresses: discovered.addresses,
            foundBy: discovered.foundBy.rawValue, places: places)
        otherNames = discovered.otherNames
    }
}
