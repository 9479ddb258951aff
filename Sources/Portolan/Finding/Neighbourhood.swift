import PortolanCrypto
import PortolanDiscovery
import PortolanTrust

/// Who is there: the peers that discovery finds, with what this device knows about them.
struct Neighbourhood: Sendable {
    let configuration: Node.Configuration
    let own: Fingerprint
    let known: KnownPeers

    /// The peers at each change, until the stream is dropped. The first snapshot comes as soon as anything is known.
    func snapshots() -> AsyncStream<PeerSnapshot> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await look { continuation.yield($0) }
                } catch {
                    continuation.yield(PeerSnapshot(peers: [], isSettled: true, note: "\(error)"))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func look(_ report: (PeerSnapshot) -> Void) async throws {
        guard let choice = configuration.discovery.choice else {
            report(PeerSnapshot(peers: [], isSettled: true, note: "Discovery is off; reach peers as host:port."))
            return
        }
        let pins = try Dictionary(
            known.all().map { ($0.key.fingerprint, $0.name) }, uniquingKeysWith: { first, _ in first })
        let discovery = try await choice.start(interfaces: configuration.interfaces)
        var directory = PeerDirectory(foundBy: discovery.backend)
        for await event in discovery.browse() {
            _ = directory.apply(event)
            let peers = directory.peers.filter { $0.fingerprint != own }.map { discovered in
                var peer = Peer(discovered)
                peer.isKnown = peer.fingerprint.flatMap { pins[$0] }?.text == peer.ownName
                return peer
            }
            report(PeerSnapshot(peers: peers, isSettled: directory.isSettled, note: directory.trouble))
        }
        await discovery.shutdown()
    }
}

extension Peer {
    init(_ discovered: DiscoveredPeer) {
        self.init(
            name: discovered.name, fingerprint: discovered.fingerprint, addresses: discovered.addresses,
            foundBy: discovered.foundBy.rawValue)
    }
}

extension Node.Configuration.Discovery {
    /// nil for none.
    var choice: DiscoveryChoice? {
        switch self {
        case .automatic: .automatic
        case .avahi: .avahi
        case .embedded: .embedded
        case .off: nil
        }
    }
}
