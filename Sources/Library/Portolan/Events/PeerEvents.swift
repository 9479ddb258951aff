import PortolanDiscovery

extension NodeEvent {
    /// Peer of a session, which has proved its key.
    public struct ProvenPeer: Codable, Hashable, Sendable {
        public let name: String
        public let fingerprint: Fingerprint
        public let address: String
        /// True if this key was met before, under any name.
        public let known: Bool
        public let contact: Bool
        public let teams: [Membership]
        /// Name on this device, or the name under which it will be stored after an exchange.
        public let localName: String
        /// Fingerprint of the other key that is stored under this name.
        public let namesakeOf: OrNull<Fingerprint>
    }

    /// A team of this device that a peer is in.
    public struct Membership: Codable, Hashable, Sendable {
        public let team: String
        public let id: String
        public let groups: [String]
        public let admin: Bool
    }

    /// Discovered peer, which has proved nothing yet.
    public struct PeerState: EventFields {
        public let name: String
        public let fingerprint: OrNull<Fingerprint>
        /// True if this fingerprint was met under this name.
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

        public static let fields: [Field] = [
            Field("name", .text, "text, unproven"),
            Field("fingerprint", .orNull(.fingerprint), "text or null, unproven"),
            Field("known", .truth, "this fingerprint was met before, under whatever name"),
            Field("standing", .text, "text for people"), Field("contact", .truth, "whether it was paired with"),
            Field("teams", .list(.membership), "those of yours that it is in: team, id, groups, admin of each"),
            Field("addresses", .list(.text), "likeliest first"),
            Field(
                "foundBy", .text, "avahi (also where this process stands in for a stopped daemon), embedded or address"),
            Field("localName", .orNull(.text), "what this device calls it, or null"),
        ]
    }

    /// Peer that is not announced any more.
    public struct PeerGone: EventFields {
        public let name: String
        public let fingerprint: OrNull<Fingerprint>

        public static let fields: [Field] = [
            Field("name", .text, "text"), Field("fingerprint", .orNull(.fingerprint), "text or null"),
        ]
    }

    /// Peer that this device was paired with.
    public struct ContactState: EventFields {
        /// Its name on this device.
        public let name: String
        /// Name that the peer announces.
        public let announcedName: String
        public let fingerprint: Fingerprint
        /// Time of the pairing.
        public let since: EventTime
        /// Time of the last session, to the hour.
        public let lastSeen: EventTime

        public static let fields: [Field] = [
            Field("name", .text, "what this device calls it"), Field("announcedName", .text, "what it calls itself"),
            Field("fingerprint", .fingerprint, "text"), Field("since", .moment, "when it was paired (RFC 3339)"),
            Field("lastSeen", .moment, "when it was last met, to the hour"),
        ]
    }

    /// Restriction of an item to a team, or to groups of it.
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
    /// Nil for a restriction that names no team.
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
