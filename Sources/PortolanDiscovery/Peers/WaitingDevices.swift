/// Collects the devices that wait with one number for one purpose: where a code can be tried.
///
/// Sans-I/O and bounded. Several devices may show the same number, by chance or because somebody wants the guess; which of
/// them was meant is for the caller to find out, or for a person.
package struct WaitingDevices: Sendable {
    package static let maximumDevices = 16
    /// Records of one device that count: each gives one address.
    package static let maximumRecords = 16

    private let number: Int
    private let purpose: WaitingPurpose
    private var entries: [(instance: String, records: [ServiceRecord])] = []

    /// Whether the network has had time to answer.
    package private(set) var isSettled = false
    /// Why nothing can be found at the moment.
    package private(set) var trouble: String?

    package init(number: Int, purpose: WaitingPurpose) {
        self.number = number
        self.purpose = purpose
    }

    /// Those that wait, in the order of arrival.
    package var devices: [WaitingDevice] {
        entries.map { entry in
            WaitingDevice(
                instance: entry.instance, versions: entry.records.first?.versions ?? [],
                addresses: AddressRanking.ordered(entry.records.map(\.address)))
        }
    }

    package mutating func apply(_ event: DiscoveryEvent) {
        switch event {
        case .found(let record):
            guard !record.isOwn, record.meaning == .waiting(number: number, purpose),
                AddressRanking.refusal(of: record.address, from: .network) == nil
            else { return remove(record.id) }
            put(record)
        case .lost(let id): remove(id)
        case .settled: isSettled = true
        case .unavailable(let reason): trouble = reason
        case .recovered: trouble = nil
        }
    }

    private mutating func put(_ record: ServiceRecord) {
        guard let index = entries.firstIndex(where: { $0.instance == record.instanceName }) else {
            if entries.count < Self.maximumDevices { entries.append((record.instanceName, [record])) }
            return
        }
        if let place = entries[index].records.firstIndex(where: { $0.id == record.id }) {
            entries[index].records[place] = record
        } else if entries[index].records.count < Self.maximumRecords {
            entries[index].records.append(record)
        }
    }

    private mutating func remove(_ id: ServiceRecord.ID) {
        guard let index = entries.firstIndex(where: { $0.instance == id.instanceName }) else { return }
        entries[index].records.removeAll { $0.id == id }
        if entries[index].records.isEmpty { entries.remove(at: index) }
    }
}

/// One device that waits for whoever knows its code.
package struct WaitingDevice: Hashable, Sendable {
    /// Its random name: tells it from others with the same number, and nothing else.
    package let instance: String
    /// The protocol versions it says it speaks; empty if it says nothing that can be read.
    package let versions: [UInt8]
    /// Where to try it, likeliest first.
    package let addresses: [NetworkAddress]
}
