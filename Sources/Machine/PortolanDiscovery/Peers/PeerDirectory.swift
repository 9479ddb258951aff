import PortolanCrypto
import PortolanTrust

/// Table of peers, made from records: all records with one fingerprint are one peer.
///
/// The type does no input or output, and is bounded. A forged record only adds an address to try, where the handshake
/// fails. Omitted are records of this process itself, of devices that wait with a code, and of hidden devices that the
/// recogniser does not recognise.
package struct PeerDirectory: Sendable {
    package static let maximumPeers = 1024
    /// Largest number of records of one peer; each gives one address.
    package static let maximumRecords = 16

    package enum Change: Hashable, Sendable {
        case appeared(DiscoveredPeer)
        case changed(DiscoveredPeer)
        case vanished(DiscoveredPeer)
    }

    private let foundBy: DiscoveryBackend
    private var entries: [DiscoveredPeer.ID: PeerRecords] = [:]
    private var owners: [ServiceRecord.ID: DiscoveredPeer.ID] = [:]
    private var hidden: HiddenRecords
    private var arrivals = 0

    private var offLink = OffLinkRecords()
    /// Peers with reserved places.
    private let expected: Expected

    /// Peers whose places a flood of others cannot take.
    package struct Expected: Sendable {
        /// Places for devices with the sought instance name, of which there may be several.
        static let namesakes = 64

        let name: String?
        let fingerprints: Set<Fingerprint>

        /// - Parameters:
        ///   - name: an instance name, in either case.
        ///   - fingerprints: fingerprints of devices that this one knows.
        package init(name: String? = nil, fingerprints: Set<Fingerprint> = []) {
            self.name = name?.lowercased()
            self.fingerprints = fingerprints
        }

        fileprivate func knows(_ owner: DiscoveredPeer.ID) -> Bool {
            if case .device(let fingerprint) = owner { fingerprints.contains(fingerprint) } else { false }
        }

        fileprivate func isNamed(_ record: ServiceRecord) -> Bool {
            name != nil && record.instanceName.lowercased() == name
        }
    }

    /// Number of advertised services if the network is crowded; see ``DiscoveryEvent/crowded(_:)``.
    package private(set) var crowd: Int?
    /// True once the network has had time to answer.
    package private(set) var isSettled = false
    /// Reason why browsing does not work at the moment.
    package private(set) var trouble: String?

    /// - Parameters:
    ///   - recogniser: recogniser for the hidden devices of this device's teams.
    ///   - expected: peers with reserved places.
    package init(
        foundBy: DiscoveryBackend, recogniser: PresenceRecogniser = PresenceRecogniser([]),
        expected: Expected = Expected()
    ) {
        self.foundBy = foundBy
        self.expected = expected
        hidden = HiddenRecords(recogniser)
    }

    /// All peers, in the order of arrival.
    package var peers: [DiscoveredPeer] { entriesByArrival.map(\.peer) }

    /// Returns the advertised addresses that are not tried, because they are off the link where they were heard: those
    /// of peers whose instance name or fingerprint passes the filter.
    package func offLinkAddresses(where isWanted: (String, Fingerprint?) -> Bool) -> [NetworkAddress] {
        offLink.addresses { record in
            guard !record.isOwn, case .open(let fingerprint) = record.meaning else { return false }
            return isWanted(record.instanceName, fingerprint)
        }
    }

    var entriesByArrival: [PeerRecords] { entries.values.sorted { $0.arrival < $1.arrival } }

    package mutating func apply(_ event: DiscoveryEvent) -> [Change] {
        switch event {
        case .found(let record): return add(record)
        case .lost(let id):
            hidden.remove(id)
            offLink.remove(id)
            return remove(id)
        case .crowded(let count): crowd = count
        case .settled: isSettled = true
        case .unavailable(let reason): trouble = reason
        case .recovered: trouble = nil
        }
        return []
    }

    /// Recognises the hidden devices again after a change of teams or their secrets.
    package mutating func recognise(with recogniser: PresenceRecogniser) -> [Change] {
        let before = entries
        for sighting in hidden.recognise(with: recogniser) {
            if let match = sighting.match {
                _ = put(sighting.record, for: .device(match.fingerprint), .hidden(match.access))
            } else {
                _ = remove(sighting.record.id)
            }
        }
        // Only the difference between the states before and after is reported.
        let vanished = before.values.filter { entries[$0.peer.id] == nil }.sorted { $0.arrival < $1.arrival }
        return vanished.map { .vanished($0.peer) }
            + entriesByArrival.compactMap { entry in
                guard let old = before[entry.peer.id] else { return .appeared(entry.peer) }
                return old.peer == entry.peer ? nil : .changed(entry.peer)
            }
    }

    private mutating func add(_ record: ServiceRecord) -> [Change] {
        // A record that has become unusable, or names another device, is removed from its former peer.
        offLink.note(record)
        guard !record.isOwn, record.refusal == nil else {
            hidden.remove(record.id)
            return remove(record.id)
        }
        let meaning = record.meaning
        if case .hidden(let seal) = meaning {
            guard let match = hidden.put(record, seal) else { return remove(record.id) }
            return put(record, for: .device(match.fingerprint), .hidden(match.access))
        }
        hidden.remove(record.id)
        guard case .open(let fingerprint) = meaning else { return remove(record.id) }
        return put(record, for: fingerprint.map { .device($0) } ?? .named(record.instanceName), .open)
    }

    private mutating func put(
        _ record: ServiceRecord, for owner: DiscoveredPeer.ID, _ opening: DiscoveredPeer.SessionAccess
    ) -> [Change] {
        var changes: [Change] = []
        if let before = owners[record.id], before != owner { changes = remove(record.id) }

        var entry: PeerRecords
        let before = entries[owner]?.peer
        if let known = entries[owner] {
            entry = known
        } else {
            guard hasRoom(for: owner, record) else { return changes }
            arrivals += 1
            entry = PeerRecords(id: owner, arrival: arrivals, foundBy: foundBy)
        }
        guard entry.put(record, opening) else { return changes }
        owners[record.id] = owner
        entries[owner] = entry
        if let before {
            if before != entry.peer { changes.append(.changed(entry.peer)) }
        } else {
            changes.append(.appeared(entry.peer))
        }
        return changes
    }

    private func hasRoom(for owner: DiscoveredPeer.ID, _ record: ServiceRecord) -> Bool {
        // Each fingerprint has one entry, so that these are bounded, too.
        if expected.knows(owner) { return true }
        return entries.count < Self.maximumPeers + (expected.isNamed(record) ? Expected.namesakes : 0)
    }

    private mutating func remove(_ record: ServiceRecord.ID) -> [Change] {
        guard let owner = owners.removeValue(forKey: record), var entry = entries[owner] else { return [] }
        let before = entry.peer
        let wasFull = entry.isFull
        entry.drop(record)
        if wasFull { fill(&entry) }
        guard !entry.isEmpty else {
            entries[owner] = nil
            return [.vanished(before)]
        }
        entries[owner] = entry
        return before == entry.peer ? [] : [.changed(entry.peer)]
    }

    /// Adds records that had no room before: a device that renews its advertisement has twice its records for a while.
    private mutating func fill(_ entry: inout PeerRecords) {
        for sighting in hidden.records(of: entry.peer.id) where !entry.contains(sighting.record.id) {
            guard let match = sighting.match, entry.put(sighting.record, .hidden(match.access)) else { return }
            owners[sighting.record.id] = entry.peer.id
        }
    }
}
