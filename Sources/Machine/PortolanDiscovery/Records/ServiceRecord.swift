/// A service record on one link: its instance, address and TXT data. All of it may be forged.
package struct ServiceRecord: Hashable, Sendable, Identifiable {
    /// Identifier of a record. One device on two links with two address families has four records.
    package struct ID: Hashable, Sendable {
        package let instanceName: String
        package let interface: UInt32
        package let family: AddressFamily

        package init(instanceName: String, interface: UInt32, family: AddressFamily) {
            self.instanceName = instanceName
            self.interface = interface
            self.family = family
        }
    }

    package let id: ID
    package let hostName: String
    package let address: NetworkAddress
    /// TXT values by lower-case key; see ``TXTRecord``.
    package let txt: [String: [UInt8]]
    /// True if this ``Discovery`` itself announced the record.
    package let isOwn: Bool
    /// True if the address can be reached without a router on the link where it was heard, see ``LinkPrefixes``.
    package let isOnLink: Bool

    /// The received instance name: valid UTF-8 of at most 63 bytes, not checked further.
    package var instanceName: String { id.instanceName }

    /// Reason why the address is not tried; nil if it may be.
    package var refusal: AddressRefusal? {
        AddressRanker.refusal(of: address, from: .network) ?? (isOnLink ? nil : .offLink)
    }

    package init(
        id: ID, hostName: String, address: NetworkAddress, txt: [String: [UInt8]], isOwn: Bool, isOnLink: Bool
    ) {
        self.id = id
        self.hostName = hostName
        self.address = address
        self.txt = txt
        self.isOwn = isOwn
        self.isOnLink = isOnLink
    }
}

/// Protocol over which a record was heard, and family of its address.
package enum AddressFamily: Hashable, Sendable {
    case v4, v6
}
