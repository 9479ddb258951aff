import PortolanCrypto
import PortolanTrust

/// A device as advertised on the network, unproven.
public struct DiscoveredPeer: Hashable, Sendable, Identifiable {
    /// Identity of a device by its records.
    public enum ID: Hashable, Sendable {
        case device(Fingerprint)
        /// Name of records without a fingerprint: older, broken or made by hand.
        case named(String)
    }

    /// Beginning of a session with the peer.
    package enum SessionAccess: Hashable, Sendable {
        /// Session as anyone.
        case open
        /// Session as a member of one of its teams.
        case hidden(PresenceAccess)
    }

    public let id: ID
    /// The advertised name, made safe to show. Empty for a hidden device, whose name is in its team's roster.
    public let name: String
    /// Names of its other instances, in the same form.
    package let otherNames: [String]
    /// Advertised protocol versions; empty if the record has none that can be read.
    public let versions: [UInt8]
    /// Addresses to try, likeliest first.
    public let addresses: [NetworkAddress]
    public let foundBy: DiscoveryBackend
    private let openings: [NetworkAddress.Destination: [SessionAccess]]
    private let activities: [UInt16: Activities]

    /// The advertised fingerprint, unproven.
    public var fingerprint: Fingerprint? {
        if case .device(let fingerprint) = id { fingerprint } else { nil }
    }

    /// True if the device is visible to its teams alone.
    public var isHidden: Bool { !openings.values.contains { $0.contains(.open) } }

    /// Returns the beginnings of a session at an address, in the order of the attempts: open if it advertises openly,
    /// else with its last seal.
    ///
    /// More than one means that the device has just renewed its advertisement, or that another machine replays an old
    /// one.
    package func openings(at address: NetworkAddress) -> [SessionAccess] { openings[address.destination] ?? [] }

    /// Beginning of a session at the likeliest address.
    package var opening: SessionAccess { addresses.first.flatMap { openings(at: $0).first } ?? .open }

    /// Activities of the instance at a port, by the union of its records.
    package func activities(at port: UInt16) -> Activities { activities[port] ?? .any }

    /// - Parameters:
    ///   - openings: openings of each address.
    ///   - activities: activities by port, for ports whose records all state them.
    package init(
        id: ID, name: String, otherNames: [String] = [], versions: [UInt8], addresses: [NetworkAddress],
        foundBy: DiscoveryBackend,
        openings: [NetworkAddress.Destination: [SessionAccess]], activities: [UInt16: Activities] = [:]
    ) {
        self.id = id
        self.name = name
        self.otherNames = otherNames
        self.versions = versions
        self.addresses = addresses
        self.foundBy = foundBy
        self.openings = openings
        self.activities = activities
    }
}
