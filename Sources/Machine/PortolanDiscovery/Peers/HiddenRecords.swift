import PortolanTrust

/// Records of hidden devices, recognised or not: unknown ones are kept, because another roster may recognise them.
struct HiddenRecords: Sendable {
    /// Largest number of records of each kind. Floods of strangers do not displace recognised records.
    static let maximum = 4096

    struct HiddenRecord: Sendable {
        let record: ServiceRecord
        let seal: PresenceSeal
        let match: PresenceRecogniser.RecognisedDevice?
        fileprivate let arrival: Int

        var owner: DiscoveredPeer.ID? { match.map { .device($0.fingerprint) } }
    }

    private var recognised: [ServiceRecord.ID: HiddenRecord] = [:]
    private var strangers: [ServiceRecord.ID: HiddenRecord] = [:]
    private var arrivals = 0
    private var recogniser: PresenceRecogniser

    init(_ recogniser: PresenceRecogniser) { self.recogniser = recogniser }

    /// Keeps the record, if there is room, and returns its device if recognised.
    mutating func put(_ record: ServiceRecord, _ seal: PresenceSeal) -> PresenceRecogniser.RecognisedDevice? {
        let known = recognised[record.id] ?? strangers[record.id]
        // The seal is unchanged: only the address may differ, so no decryption is needed.
        if let known, known.seal == seal, known.record.address.port == record.address.port {
            return keep(HiddenRecord(record: record, seal: seal, match: known.match, arrival: known.arrival))
        }
        arrivals += 1
        let match = recogniser.recognise(seal, port: record.address.port)
        return keep(HiddenRecord(record: record, seal: seal, match: match, arrival: known?.arrival ?? arrivals))
    }

    private mutating func keep(_ sighting: HiddenRecord) -> PresenceRecogniser.RecognisedDevice? {
        let id = sighting.record.id
        remove(id)
        if sighting.match != nil {
            guard recognised.count < Self.maximum else { return nil }
            recognised[id] = sighting
        } else if strangers.count < Self.maximum {
            strangers[id] = sighting
        }
        return sighting.match
    }

    mutating func remove(_ id: ServiceRecord.ID) {
        recognised[id] = nil
        strangers[id] = nil
    }

    /// Returns the recognised records of one device, oldest first.
    func records(of owner: DiscoveredPeer.ID) -> [HiddenRecord] {
        recognised.values.filter { $0.owner == owner }.sorted { $0.arrival < $1.arrival }
    }

    /// Recognises every record again; returns all recognised ones, oldest first.
    mutating func recognise(with recogniser: PresenceRecogniser) -> [HiddenRecord] {
        self.recogniser = recogniser
        let all = (Array(recognised.values) + strangers.values).sorted { $0.arrival < $1.arrival }.map {
            HiddenRecord(
                record: $0.record, seal: $0.seal, match: recogniser.recognise($0.seal, port: $0.record.address.port),
                arrival: $0.arrival)
        }
        recognised = [:]
        strangers = [:]
        for sighting in all { _ = keep(sighting) }
        return all
    }
}
