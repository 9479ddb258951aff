import PortolanDiscovery
import PortolanProtocol
import PortolanTransport

/// A place where a peer may be, as its records tell.
struct PeerPlace: Hashable, Sendable {
    let address: NetworkAddress
    let opening: DiscoveredPeer.SessionAccess
    /// Sessions that peers can begin there.
    let activities: Activities

    init(
        _ address: NetworkAddress, _ opening: DiscoveredPeer.SessionAccess = .open, doing activities: Activities = .any
    ) {
        self.address = address
        self.opening = opening
        self.activities = activities
    }
}

extension Peer {
    /// Ports of the instances that may do something, likeliest first: each is one process of the device.
    private func ports(doing activities: Activities) -> [UInt16] {
        var ports: [UInt16] = []
        for place in places where place.activities.isSuperset(of: activities) && !ports.contains(place.address.port) {
            ports.append(place.address.port)
        }
        return ports
    }

    /// The instances that may do something, each as a peer of its own. A peer that was given by address is one
    /// instance.
    func instances(doing activities: Activities) -> [Peer] {
        guard fingerprint != nil, foundBy != Self.byAddress else { return [self] }
        return ports(doing: activities).map { port in
            var instance = self
            instance.places = places.filter { $0.address.port == port }
            instance.isOneInstance = true
            return instance
        }
    }

    /// True if another process of the same device can stand in for the one at `port`.
    ///
    /// - Parameter activities: activities that it must do; false where the records said of that port that it does not.
    func mayBeReplaced(at port: UInt16, doing activities: Activities) -> Bool {
        guard canBeFoundAgain else { return false }
        let told = places.filter { $0.address.port == port }
        return told.isEmpty || told.contains { $0.activities.isSuperset(of: activities) }
    }

    /// True if discovery may know more places of this very device.
    var canBeFoundAgain: Bool { fingerprint != nil && foundBy != Self.byAddress && !isOneInstance }
}

/// Picks the places at which a peer is tried, each once: those of instances that do what is wanted, and the others when
/// there are none of those.
struct PlaceChoice: Sendable {
    private struct Key: Hashable {
        let destination: NetworkAddress.Destination
        let opening: DiscoveredPeer.SessionAccess
    }

    private let wanted: Activities
    private let avoided: Set<UInt16>
    private var given: Set<Key> = []

    /// - Parameter avoided: ports of instances that turned out not to do what is wanted.
    init(wanting wanted: Activities, avoiding avoided: Set<UInt16> = []) {
        self.wanted = wanted
        self.avoided = avoided
    }

    var hasGivenAny: Bool { !given.isEmpty }

    /// Places that do what is wanted and were not given before.
    mutating func take(of peer: Peer) -> [PeerPlace] {
        take(peer.places.filter { $0.activities.isSuperset(of: wanted) })
    }

    /// Places that were not given before. Their records are ignored, since they may be out of date.
    mutating func takeRest(of peer: Peer) -> [PeerPlace] { take(peer.places) }

    private mutating func take(_ places: [PeerPlace]) -> [PeerPlace] {
        places.filter { place in
            !avoided.contains(place.address.port)
                && given.insert(Key(destination: place.address.destination, opening: place.opening)).inserted
        }
    }
}
