import PortolanCrypto
import PortolanTrust

/// A device as the network describes it: nothing of it is proven.
public struct DiscoveredPeer: Hashable, Sendable, Identifiable {
    /// One device, as far as its records tell.
    public enum ID: Hashable, Sendable {
        case device(Fingerprint)
        /// For records that name no device: older, broken or made by hand.
        case named(String)
    }

    /// How a session with it begins.
    package enum Opening: Hashable, Sendable {
        /// As anyone.
        case open
        /// As a member of one of its teams.
        case hidden(PresenceAccess)
    }

    public let id: ID
    /// The advertised name, made safe to show. Empty for a device that hides: its team's roster knows what it is called.
    public let name: String
    /// Names of its other instances, in the same form.
    package let otherNames: [String]
    /// The protocol versions it says it speaks; empty if it says nothing that can be read.
    public let versions: [UInt8]
    /// Where to try it, likeliest first.
    public let addresses: [NetworkAddress]
    public let foundBy: DiscoveryBackend
    private let openings: [NetworkAddress.Destination: [Opening]]
    private let activities: [UInt16: Activities]

    /// The fingerprint it advertises, unproven.
    public var fingerprint: Fingerprint? {
        if case .device(let fingerprint) = id { fingerprint } else { nil }
    }

    /// The interfaces on which it was heard, sorted.
    public var interfaceNames: [String] { Set(addresses.compactMap(\.interface?.name)).sorted() }

    /// Whether it shows itself to its teams alone.
    public var isHidden: Bool { !openings.values.contains { $0.contains(.open) } }

    /// How to begin there, in the order of trying: openly where it shows itself openly, else with what it advertised last.
    ///
    /// More than one means that it has just advertised anew, or that somebody repeats what it advertised before.
    package func openings(at address: NetworkAddress) -> [Opening] { openings[address.destination] ?? [] }

    /// How to begin at its likeliest address.
    package var opening: Opening { addresses.first.flatMap { openings(at: $0).first } ?? .open }

    /// What the instance at that port does, as far as any of its records tells.
    package func activities(at port: UInt16) -> Activities { activities[port] ?? .any }

    /// - Parameters:
    ///   - openings: for each of the addresses.
    ///   - activities: by port, for those of which all records tell.
    package init(
        id: ID, name: String, otherNames: [String] = [], versions: [UInt8], addresses: [NetworkAddress],
        foundBy: DiscoveryBackend,
        openings: [NetworkAddress.Destination: [Opening]], activities: [UInt16: Activities] = [:]
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
