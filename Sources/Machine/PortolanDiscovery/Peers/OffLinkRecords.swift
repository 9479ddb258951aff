/// Records whose address is not on the link where they were heard, so that it is not tried: kept for messages.
struct OffLinkRecords: Sendable {
    static let maximum = 64

    private(set) var records: [ServiceRecord.ID: ServiceRecord] = [:]

    /// Keeps a record whose address is off the link, if there is room; removes an earlier version otherwise.
    mutating func note(_ record: ServiceRecord) {
        remove(record.id)
        guard record.refusal == .offLink, records.count < Self.maximum else { return }
        records[record.id] = record
    }

    mutating func remove(_ id: ServiceRecord.ID) { records[id] = nil }

    /// Returns their addresses, in a stable order.
    func addresses(where isWanted: (ServiceRecord) -> Bool = { _ in true }) -> [NetworkAddress] {
        AddressRanker.ordered(records.values.filter(isWanted).map(\.address))
    }
}
