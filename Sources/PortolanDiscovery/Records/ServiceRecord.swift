/// One service as one link shows it: who announces it, where it says it is, and what it says about itself. All of it
/// may be invented.
package struct ServiceRecord: Hashable, Sendable, Identifiable {
    /// One device on two links with two address families has four of these.
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
    /// By lower-case key; see ``TXTRecord``.
    package let txt: [String: [UInt8]]
    /// Announced by this very ``Discovery``.
    package let isOwn: Bool
    /// Whether the address can be reached without a router on the link where it was heard, see ``LinkPrefixes``.
    package let isOnLink: Bool

    /// The advertised name as it came: valid UTF-8 of at most 63 bytes, and nothing else is certain.
    package var instanceName: String { id.instanceName }

    /// Why the address is not tried; nil if it may be.
    package var refusal: AddressRefusal? {
        AddressRanking.refusal(of: address, from: .network) ?? (isOnLink ? nil : .offLink)
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

/// The protocol a record was heard over, and the family of its address.
package enum AddressFamily: Hashable, Sendable {
    case v4, v6
}
