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

    private var offLink = OffLinkRecords()

    /// Addresses that are advertised with the number and not tried, because they are off the link where they were heard.
    package var offLinkAddresses: [NetworkAddress] { offLink.addresses() }
    /// Services advertised, if there are more than a network of people has; see ``DiscoveryEvent/crowded(_:)``.
    package private(set) var crowd: Int?
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
            offLink.remove(record.id)
            guard !record.isOwn, record.meaning == .waiting(number: number, purpose) else { return remove(record.id) }
            offLink.note(record)
            guard record.refusal == nil else { return remove(record.id) }
            put(record)
        case .lost(let id):
            offLink.remove(id)
            remove(id)
        case .crowded(let count): crowd = count
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
