import PortolanCrypto
import PortolanDiscovery
import PortolanTrust

extension NodeEvent {
    /// Peer of a session, which has proved its key.
    public struct ProvenPeer: Codable, Hashable, Sendable {
        public let name: String
        public let fingerprint: Fingerprint
        public let address: String
        /// Whether this key was met before, under whatever name.
        public let known: Bool
        public let contact: Bool
        public let teams: [Membership]
        /// Its name on this device, or the one that it gets once something is exchanged.
        public let localName: String
        /// Fingerprint of another key that is known by its name.
        public let namesakeOf: OrNull<Fingerprint>
    }

    /// A team of this device that a peer is in.
    public struct Membership: Codable, Hashable, Sendable {
        public let team: String
        public let id: String
        public let groups: [String]
        public let admin: Bool
    }

    /// Peer that was found, and has proved nothing.
    public struct PeerState: Codable, Hashable, Sendable {
        public let name: String
        public let fingerprint: OrNull<Fingerprint>
        /// Whether this fingerprint was met under this name.
        public let known: Bool
        /// Text for people.
        public let standing: String
        public let contact: Bool
        public let teams: [Membership]
        /// Likeliest first.
        public let addresses: [String]
        public let foundBy: String
        /// Its name on this device.
        public let localName: OrNull<String>
    }

    /// Peer that is there no more.
    public struct PeerGone: Codable, Hashable, Sendable {
        public let name: String
        public let fingerprint: OrNull<Fingerprint>
    }

    /// Peer that this device was paired with.
    public struct ContactState: Codable, Hashable, Sendable {
        /// Its name on this device.
        public let name: String
        /// The name that it gives itself.
        public let announcedName: String
        public let fingerprint: Fingerprint
        /// When it was paired.
        public let since: EventTime
        /// When it was last met, to the hour.
        public let lastSeen: EventTime
    }

    /// The restriction of an item to a team, or to groups of it.
    public struct NamedAudience: Codable, Hashable, Sendable {
        /// The team's identifier.
        public let team: String
        public let groups: [String]
    }
}

extension NodeEvent.ProvenPeer {
    package init(_ peer: RemotePeer) {
        self.init(
            name: String(peerText: peer.name), fingerprint: peer.fingerprint, address: peer.address,
            known: peer.isKnown, contact: peer.standing.isContact, teams: peer.standing.membershipsOfEvent,
            localName: String(peerText: peer.localName), namesakeOf: OrNull(peer.namesakeOf))
    }
}

extension NodeEvent.PeerState {
    package init(_ peer: Peer) {
        self.init(
            name: String(peerText: peer.name), fingerprint: OrNull(peer.fingerprint), known: peer.isKnown,
            standing: peer.standing.description, contact: peer.standing.isContact,
            teams: peer.standing.membershipsOfEvent, addresses: peer.addresses.map(\.description),
            foundBy: peer.foundBy, localName: OrNull(peer.localName.map { String(peerText: $0) }))
    }
}

extension NodeEvent.PeerGone {
    package init(_ peer: Peer) {
        self.init(name: String(peerText: peer.name), fingerprint: OrNull(peer.fingerprint))
    }
}

extension NodeEvent.ContactState {
    package init(_ contact: Contact) {
        self.init(
            name: contact.name.text, announcedName: contact.announcedName.text, fingerprint: contact.fingerprint,
            since: EventTime(contact.since), lastSeen: EventTime(contact.lastSeen))
    }
}

extension NodeEvent.NamedAudience {
    /// nil for a restriction that is for no team.
    init?(_ restriction: Restriction) {
        guard let audience = restriction.audience else { return nil }
        self.init(team: audience.team.description, groups: audience.groups.map(\.text))
    }
}

extension Standing {
    fileprivate var membershipsOfEvent: [NodeEvent.Membership] {
        memberships.map { membership in
            NodeEvent.Membership(
                team: membership.teamName.text, id: membership.team.description, groups: membership.groups.map(\.text),
                admin: membership.isAdmin)
        }
    }
}
