/// Table of the devices that wait with one number for one purpose, at which a code can be tried.
///
/// The type does no input or output, and is bounded. Several devices may show the same number, by chance or because an
/// attacker wants the guess; the caller or a person decides between them.
package struct WaitingDevices: Sendable {
    package static let maximumDevices = 16
    /// Largest number of records of one device; each gives one address.
    package static let maximumRecords = 16

    private let number: Int
    private let purpose: WaitingPurpose
    private var entries: [(instance: String, records: [ServiceRecord])] = []

    private var offLink = OffLinkRecords()

    /// Advertised addresses with the number that are not tried, because they are off the link where they were heard.
    package var offLinkAddresses: [NetworkAddress] { offLink.addresses() }
    /// Number of advertised services if the network is crowded; see ``DiscoveryEvent/crowded(_:)``.
    package private(set) var crowd: Int?
    /// True once the network has had time to answer.
    package private(set) var isSettled = false
    /// Reason why browsing does not work at the moment.
    package private(set) var trouble: String?

    package init(number: Int, purpose: WaitingPurpose) {
        self.number = number
        self.purpose = purpose
    }

    /// Waiting devices, in the order of arrival.
    package var devices: [WaitingDevice] {
        entries.map { entry in
            WaitingDevice(
                instance: entry.instance, versions: entry.records.first?.versions ?? [],
                addresses: AddressRanker.ordered(entry.records.map(\.address)))
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

/// A device that waits for a holder of its code.
package struct WaitingDevice: Hashable, Sendable {
    /// Random name that distinguishes the device from others with the same number.
    package let instance: String
    /// Advertised protocol versions; empty if the record has none that can be read.
    package let versions: [UInt8]
    /// Addresses to try, likeliest first.
    package let addresses: [NetworkAddress]
}
