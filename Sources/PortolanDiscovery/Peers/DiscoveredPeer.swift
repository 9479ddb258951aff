import PortolanCrypto

/// A device as the network describes it: nothing of it is proven.
public struct DiscoveredPeer: Hashable, Sendable, Identifiable {
    /// One device, as far as its records tell.
    public enum ID: Hashable, Sendable {
        case device(Fingerprint)
        /// For records that name no device: older, broken or made by hand.
        case named(String)
    }

    public let id: ID
    /// The advertised name, made safe to show.
    public let name: String
    /// The protocol versions it says it speaks; empty if it says nothing that can be read.
    public let versions: [UInt8]
    /// Where to try it, likeliest first.
    public let addresses: [NetworkAddress]
    public let foundBy: DiscoveryBackend

    /// The fingerprint it advertises, unproven.
    public var fingerprint: Fingerprint? {
        if case .device(let fingerprint) = id { fingerprint } else { nil }
    }

    /// The interfaces on which it was heard, sorted.
    public var interfaceNames: [String] { Set(addresses.compactMap(\.interface?.name)).sorted() }

    package init(
        id: ID, name: String, versions: [UInt8], addresses: [NetworkAddress], foundBy: DiscoveryBackend
    ) {
        self.id = id
        self.name = name
        self.versions = versions
        self.addresses = addresses
        self.foundBy = foundBy
    }
}
