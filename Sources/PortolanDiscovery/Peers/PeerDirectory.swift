import PortolanCrypto
import PortolanTrust

/// Turns records into peers: all records that carry one device's fingerprint are one peer.
///
/// Sans-I/O, and bounded whatever the network says. A record that lies about its device only adds an address to try; a
/// handshake there fails. Records of this process itself are left out.
package struct PeerDirectory: Sendable {
    package static let maximumPeers = 1024
    /// Records that count for one peer: each gives one address.
    package static let maximumRecords = 16

    package enum Change: Hashable, Sendable {
        case appeared(DiscoveredPeer)
        case changed(DiscoveredPeer)
        case vanished(DiscoveredPeer)
    }

    private let foundBy: DiscoveryBackend
    private var entries: [DiscoveredPeer.ID: Entry] = [:]
    private var owners: [ServiceRecord.ID: DiscoveredPeer.ID] = [:]
    private var arrivals = 0

    /// Whether the network has had time to answer.
    package private(set) var isSettled = false
    /// Why nothing can be found at the moment.
    package private(set) var trouble: String?

    package init(foundBy: DiscoveryBackend) {
        self.foundBy = foundBy
    }

    /// Everyone there, in the order of arrival.
    package var peers: [DiscoveredPeer] {
        entries.values.sorted { $0.arrival < $1.arrival }.map(\.peer)
    }

    package mutating func apply(_ event: DiscoveryEvent) -> [Change] {
        switch event {
        case .found(let record): return add(record)
        case .lost(let id): return remove(id)
        case .settled: isSettled = true
        case .unavailable(let reason): trouble = reason
        case .recovered: trouble = nil
        }
        return []
    }

    private mutating func add(_ record: ServiceRecord) -> [Change] {
        // A record that has become unusable, or another device's, is gone from where it was.
        guard let owner = Self.owner(of: record) else { return remove(record.id) }
        var changes: [Change] = []
        if let before = owners[record.id], before != owner { changes = remove(record.id) }

        var entry: Entry
        let before = entries[owner]?.peer
        if let known = entries[owner] {
            entry = known
        } else {
            guard entries.count < Self.maximumPeers else { return changes }
            arrivals += 1
            entry = Entry(id: owner, arrival: arrivals, foundBy: foundBy)
        }
        guard entry.put(record) else { return changes }
        owners[record.id] = owner
        entries[owner] = entry
        if let before {
            if before != entry.peer { changes.append(.changed(entry.peer)) }
        } else {
            changes.append(.appeared(entry.peer))
        }
        return changes
    }

    private mutating func remove(_ record: ServiceRecord.ID) -> [Change] {
        guard let owner = owners.removeValue(forKey: record), var entry = entries[owner] else { return [] }
        let before = entry.peer
        entry.drop(record)
        guard !entry.isEmpty else {
            entries[owner] = nil
            return [.vanished(before)]
        }
        entries[owner] = entry
        return before == entry.peer ? [] : [.changed(entry.peer)]
    }

    /// The peer a record counts for; nil if it counts for none.
    private static func owner(of record: ServiceRecord) -> DiscoveredPeer.ID? {
        guard !record.isOwn, (1...63).contains(record.instanceName.utf8.count),
            // A TXT record of another format (RFC 6763 §6.7) says nothing that can be read here.
            record.txt["txtvers"].map({ $0 == [UInt8(ascii: "1")] }) ?? true,
            AddressRanking.refusal(of: record.address, from: .network) == nil
        else { return nil }
        if let bytes = record.txt["id"], let fingerprint = Fingerprint(bytes: bytes) {
            return .device(fingerprint)
        }
        return .named(record.instanceName)
    }
}

/// One peer and the records it is made of, oldest first.
private struct Entry: Sendable {
    let arrival: Int
    private(set) var peer: DiscoveredPeer
    private var records: [ServiceRecord] = []

    init(id: DiscoveredPeer.ID, arrival: Int, foundBy: DiscoveryBackend) {
        self.arrival = arrival
        peer = DiscoveredPeer(id: id, name: "", versions: [], addresses: [], foundBy: foundBy)
    }

    var isEmpty: Bool { records.isEmpty }

    /// Returns false if there is no room for it.
    mutating func put(_ record: ServiceRecord) -> Bool {
        if let index = records.firstIndex(where: { $0.id == record.id }) {
            records[index] = record
        } else {
            guard records.count < PeerDirectory.maximumRecords else { return false }
            records.append(record)
        }
        describe()
        return true
    }

    mutating func drop(_ id: ServiceRecord.ID) {
        records.removeAll { $0.id == id }
        describe()
    }

    /// The oldest record names the peer, so that a later one cannot rename it.
    private mutating func describe() {
        guard let oldest = records.first else { return }
        peer = DiscoveredPeer(
            id: peer.id, name: DisplayText(oldest.instanceName).text, versions: Self.versions(of: oldest),
            addresses: AddressRanking.ordered(records.map(\.address)), foundBy: peer.foundBy)
    }

    /// TXT `v`: decimal numbers with commas between.
    private static func versions(of record: ServiceRecord) -> [UInt8] {
        guard let value = record.txt["v"], value.count <= 64 else { return [] }
        let numbers = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { digits in
            digits.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(String(decoding: digits, as: UTF8.self)) : nil
        }
        return numbers.contains(nil) ? [] : numbers.compactMap { $0 }
    }
}
