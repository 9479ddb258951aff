import PortolanValues

/// A peer with its records, oldest first.
struct PeerRecords: Sendable {
    let arrival: Int
    private(set) var peer: DiscoveredPeer
    private(set) var records: [(record: ServiceRecord, opening: DiscoveredPeer.SessionAccess)] = []

    init(id: DiscoveredPeer.ID, arrival: Int, foundBy: DiscoveryBackend) {
        self.arrival = arrival
        peer = DiscoveredPeer(
            id: id, name: "", versions: [], addresses: [], foundBy: foundBy, openings: [:], activities: [:])
    }

    var isEmpty: Bool { records.isEmpty }
    var isFull: Bool { records.count >= PeerDirectory.maximumRecords }

    func contains(_ id: ServiceRecord.ID) -> Bool { records.contains { $0.record.id == id } }

    /// Adds a record; returns false if there is no room for it.
    mutating func put(_ record: ServiceRecord, _ opening: DiscoveredPeer.SessionAccess) -> Bool {
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

    /// Updates the peer. Its oldest open record gives the name, so that a later one cannot rename it; a hidden one has
    /// no name.
    private mutating func describe() {
        let names = records.filter { $0.opening == .open }.map { DisplayText(sentence: $0.record.instanceName).text }
        guard let oldest = records.first(where: { $0.opening == .open }) ?? records.first else { return }
        peer = DiscoveredPeer(
            id: peer.id, name: names.first ?? "",
            otherNames: Set(names.dropFirst()).subtracting(names.prefix(1)).sorted(),
            versions: oldest.record.versions,
            addresses: AddressRanker.ordered(records.map(\.record.address)), foundBy: peer.foundBy,
            openings: openings, activities: activities)
    }

    /// Activities by port. A port is one instance of the device; records that differ, of which one may be forged, are
    /// united.
    private var activities: [UInt16: Activities] {
        records.reduce(into: [:]) { $0[$1.record.address.port, default: []].formUnion($1.record.activities) }
    }

    /// Beginnings of sessions by destination: open ones first, then the most recent.
    private var openings: [NetworkAddress.Destination: [DiscoveredPeer.SessionAccess]] {
        let places = Dictionary(grouping: records.reversed()) { $0.record.address.destination }
        return places.mapValues { sightings in
            var seen: Set<DiscoveredPeer.SessionAccess> = []
            let unique = sightings.map(\.opening).filter { seen.insert($0).inserted }
            return unique.filter { $0 == .open } + unique.filter { $0 != .open }
        }
    }
}
