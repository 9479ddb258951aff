/// Records that lead nowhere, because their address is not on the link where they were heard: kept to tell people.
struct OffLinkRecords: Sendable {
    static let maximum = 64

    private(set) var records: [ServiceRecord.ID: ServiceRecord] = [:]

    /// Keeps the record if its address is off the link, if there is room; forgets what was known of it otherwise.
    mutating func note(_ record: ServiceRecord) {
        remove(record.id)
        guard record.refusal == .offLink, records.count < Self.maximum else { return }
        records[record.id] = record
    }

    mutating func remove(_ id: ServiceRecord.ID) { records[id] = nil }

    /// Their addresses, in one order.
    func addresses(where isWanted: (ServiceRecord) -> Bool = { _ in true }) -> [NetworkAddress] {
        AddressRanking.ordered(records.values.filter(isWanted).map(\.address))
    }
}
