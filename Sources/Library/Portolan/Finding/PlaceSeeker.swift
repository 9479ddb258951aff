import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

/// Finds more places of a peer after none of the known ones has answered.
struct PlaceSeeker: Sendable {
    let peer: Peer
    let choice: PlaceChoice
    let neighbourhood: Neighbourhood
    /// Longest time.
    let wait: Duration
    /// True to end when the network has had time to answer.
    let isBrief: Bool

    /// New places as they are found. Ends when the time is over.
    func places() -> AsyncStream<[ConnectionPlace]> {
        AsyncStream { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { try? await neighbourhood.runtime.sleep(for: wait) }
                    tasks.addTask {
                        let wanted = peer.isHidden ? nil : peer.name
                        await Self.look(
                            for: peer, choice, among: neighbourhood.snapshots(wanted: wanted), isBrief: isBrief
                        ) {
                            continuation.yield($0.map(ConnectionPlace.init))
                        }
                    }
                    // Without discovery, no further place can be found.
                    await tasks.next()
                    tasks.cancelAll()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Yields places until the task is cancelled, the snapshots end, or no further place is possible.
    static func look(
        for peer: Peer, _ choice: PlaceChoice, among snapshots: AsyncStream<PeerSnapshot>, isBrief: Bool,
        _ yield: ([PeerPlace]) -> Void
    ) async {
        var choice = choice
        var latest = peer
        for await snapshot in snapshots {
            latest = snapshot.peers.first { $0.fingerprint == peer.fingerprint } ?? latest
            let new = choice.take(of: latest)
            if !new.isEmpty { yield(new) }
            guard snapshot.isSettled else { continue }
            // The peer itself is asked, since its records may be wrong about its activities.
            if !choice.hasGivenAny { yield(choice.takeRest(of: latest)) }
            if isBrief { break }
        }
        yield(choice.takeRest(of: latest))
    }
}

extension ConnectionPlace {
    init(_ place: PeerPlace) {
        self.init(place.address, Opening(place.opening))
    }
}

extension Opening {
    fileprivate init(_ opening: DiscoveredPeer.SessionAccess) {
        self =
            switch opening {
            case .open: .open
            case .hidden(let access): .team(secret: access.secret, nonce: access.nonce)
            }
    }
}
