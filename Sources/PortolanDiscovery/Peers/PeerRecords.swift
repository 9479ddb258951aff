import PortolanTrust

/// One peer and the records it is made of, oldest first.
struct PeerRecords: Sendable {
    let arrival: Int
    private(set) var peer: DiscoveredPeer
    private(set) var records: [(record: ServiceRecord, opening: DiscoveredPeer.Opening)] = []

    init(id: DiscoveredPeer.ID, arrival: Int, foundBy: DiscoveryBackend) {
        self.arrival = arrival
        peer = DiscoveredPeer(id: id, name: "", versions: [], addresses: [], foundBy: foundBy, openings: [:])
    }

    var isEmpty: Bool { records.isEmpty }
    var isFull: Bool { records.count >= PeerDirectory.maximumRecords }

    func contains(_ id: ServiceRecord.ID) -> Bool { records.contains { $0.record.id == id } }

    /// Returns false if there is no room for it.
    mutating func put(_ record: ServiceRecord, _ opening: DiscoveredPeer.Opening) -> Bool {
        if let index = records.firstIndex(where: { $0.record.id == record.id }) {
            records[index] = (record, opening)
        } else {
            guard !isFull else { return false }
            records.append((record, opening))
        }
        describe()
        return true
    }

    mutating func drop(_ id: ServiceRecord.ID) {
        records.removeAll { $0.record.id == id }
        describe()
    }

    /// The oldest open record names the peer, so that a later one cannot rename it; a hidden one has no name to give.
    private mutating func describe() {
        let naming = records.first { $0.opening == .open }
        guard let oldest = naming ?? records.first else { return }
        peer = DiscoveredPeer(
            id: peer.id, name: naming.map { DisplayText(sentence: $0.record.instanceName).text } ?? "",
            versions: oldest.record.versions,
            addresses: AddressRanking.ordered(records.map(\.record.address)), foundBy: peer.foundBy,
            openings: openings)
    }

    /// By place: openly if it can be, then what was heard last.
    private var openings: [NetworkAddress.Destination: [DiscoveredPeer.Opening]] {
        let places = Dictionary(grouping: records.reversed()) { $0.record.address.destination }
        return places.mapValues { sightings in
            var seen: Set<DiscoveredPeer.Opening> = []
            let unique = sightings.map(\.opening).filter { seen.insert($0).inserted }
            return unique.filter { $0 == .open } + unique.filter { $0 != .open }
        }
    }
}
