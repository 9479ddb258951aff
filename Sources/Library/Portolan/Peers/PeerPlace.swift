import PortolanDiscovery

/// Possible place of a peer, from its records.
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

    /// Instances that may have these activities, each as a separate peer. A peer that was given by address is one
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

    /// True if another process of the same device can replace the one at `port`.
    ///
    /// - Parameter activities: required activities. The result is false if the records of `port` did not list them.
    func mayBeReplaced(at port: UInt16, doing activities: Activities) -> Bool {
        guard canBeFoundAgain else { return false }
        let told = places.filter { $0.address.port == port }
        return told.isEmpty || told.contains { $0.activities.isSuperset(of: activities) }
    }

    /// True if discovery may find more places of the same device.
    var canBeFoundAgain: Bool { fingerprint != nil && foundBy != Self.byAddress && !isOneInstance }
}

/// Chooses the places to try, each once: those of instances with the wanted activities, or all others if there are
/// none.
struct PlaceChoice: Sendable {
    private struct Key: Hashable {
        let destination: NetworkAddress.Destination
        let opening: DiscoveredPeer.SessionAccess
    }

    private let wanted: Activities
    private let avoided: Set<UInt16>
    private var given: Set<Key> = []

    /// - Parameter avoided: ports of instances that turned out not to have the wanted activities.
    init(wanting wanted: Activities, avoiding avoided: Set<UInt16> = []) {
        self.wanted = wanted
        self.avoided = avoided
    }

    var hasGivenAny: Bool { !given.isEmpty }

    /// Places with the wanted activities that were not returned before.
    mutating func take(of peer: Peer) -> [PeerPlace] {
        take(peer.places.filter { $0.activities.isSuperset(of: wanted) })
    }

    /// Places that were not returned before, whatever their records say, since those may be out of date.
    mutating func takeRest(of peer: Peer) -> [PeerPlace] { take(peer.places) }

    private mutating func take(_ places: [PeerPlace]) -> [PeerPlace] {
        places.filter { place in
            !avoided.contains(place.address.port)
                && given.insert(Key(destination: place.address.destination, opening: place.opening)).inserted
        }
    }
}
