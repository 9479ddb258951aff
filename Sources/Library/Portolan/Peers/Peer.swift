import PortolanDiscovery

/// A node that can be sent to: found on the network, or given by its address.
public struct Peer: Sendable, Hashable, Identifiable {
    /// Name that the peer announces: unproven text from the network until a session is open. Show it through
    /// `DisplayText`.
    public let name: String
    /// The fingerprint it advertises; a session proves it or fails. nil for a peer given by address alone.
    public let fingerprint: Fingerprint?
    /// True if items were exchanged before with the device of this fingerprint, under any name.
    public internal(set) var isKnown = false
    /// Standing of the device with this fingerprint; valid only if the peer proves to be that device.
    public internal(set) var standing: Standing = .anyone
    /// Names that other processes of the device announce.
    var otherNames: [String] = []
    /// Addresses of the peer, likeliest first.
    public let addresses: [NetworkAddress]
    /// Places of the peer with the contents of their records, in the order of connection attempts.
    var places: [PeerPlace]
    /// True if the user named one process of the device, so that no other is used.
    var isOneInstance = false
    /// True if the user named the peer by its fingerprint, so that its announced name is irrelevant.
    public internal(set) var isChosenByKey = false
    /// Name on this device, if the key is known. Show it through `DisplayText`.
    public internal(set) var localName: String?
    /// For a person: that several machines show its key, if they do.
    public internal(set) var clones: String?
    /// True if it can be found by its teams alone.
    public let isHidden: Bool
    /// Method by which it was found: `avahi`, `embedded` or `address`.
    public let foundBy: String

    init(
        name: String, fingerprint: Fingerprint?, addresses: [NetworkAddress], foundBy: String,
        places: [PeerPlace]?
    ) {
        self.name = name
        self.fingerprint = fingerprint
        self.addresses = addresses
        self.foundBy = foundBy
        self.places = places ?? addresses.map { PeerPlace($0) }
        isHidden = places.map { !$0.contains { $0.opening == .open } } ?? false
    }

    package init(name: String, fingerprint: Fingerprint?, addresses: [NetworkAddress], foundBy: String) {
        self.init(name: name, fingerprint: fingerprint, addresses: addresses, foundBy: foundBy, places: nil)
    }

    /// True if the device itself announces `name`, so that a different name in the session reveals an impostor.
    var saysItsName: Bool { foundBy != Self.byAddress && !isHidden }

    /// Value of ``foundBy`` for a peer that was given as `host:port`.
    static let byAddress = "address"

    public var id: String { fingerprint?.description ?? addresses.first?.description ?? name }
}

/// Peers in sight at one moment.
public struct PeerSnapshot: Sendable {
    public let peers: [Peer]
    /// True if the network has had time to answer: before, more peers are likely to appear.
    public let isSettled: Bool
    /// Reason why discovery is limited; nil if it is not.
    public let note: String?
    /// Reason why no peers are looked for at the moment, until the search is begun again; nil otherwise.
    package internal(set) var problem: String?
    /// Keys that several machines show, one sentence for each.
    public internal(set) var clones: [String] = []
    /// Sentences for a person: reasons why peers may be missing, such as a flooded network.
    public var remarks: [String] { directory?.remarks ?? [] }
    /// The directory that the peers were taken from; nil where discovery is off.
    var directory: PeerDirectory?
}
