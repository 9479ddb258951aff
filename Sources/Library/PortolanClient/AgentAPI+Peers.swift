extension AgentAPI {
    /// A visible peer.
    public struct Peer: Codable, Hashable, Sendable {
        /// Name on this device, or the announced name.
        public var name: String
        /// Name that the peer announces; unproven.
        public var announcedName: String?
        /// Fingerprint; nil until the peer has announced one.
        public var fingerprint: String?
        public var known: Bool
        public var contact: Bool
        /// Text for people about the peer's relation to this device.
        public var standing: String?
        /// Teams of the peer: `@team` or `@team/group`.
        public var teams: [String]
        /// Teams in structured form.
        public var memberships: [Membership]?
        public var addresses: [String]
        /// Means of discovery.
        public var foundBy: String

        public init(
            name: String, announcedName: String? = nil, fingerprint: String?, known: Bool, contact: Bool,
            standing: String? = nil, teams: [String], memberships: [Membership]? = nil, addresses: [String],
            foundBy: String
        ) {
            self.name = name
            self.announcedName = announcedName
            self.fingerprint = fingerprint
            self.known = known
            self.contact = contact
            self.standing = standing
            self.teams = teams
            self.memberships = memberships
            self.addresses = addresses
            self.foundBy = foundBy
        }
    }

    /// A common team of this device and a peer.
    public struct Membership: Codable, Hashable, Sendable {
        public var team: String
        /// Identifier of the team.
        public var id: String
        public var groups: [String]
        public var admin: Bool

        public init(team: String, id: String, groups: [String], admin: Bool) {
            self.team = team
            self.id = id
            self.groups = groups
            self.admin = admin
        }
    }

    /// Peers that are visible at the moment.
    public struct PeerList: Codable, Hashable, Sendable {
        public var peers: [Peer]
        /// Reason why discovery is limited, a sentence; nil if it is not.
        public var note: String?
        /// Keys that several machines advertise, one sentence each.
        public var clones: [String]?
        /// Reasons why peers may be missing, one sentence each.
        public var remarks: [String]?

        public init(peers: [Peer], note: String? = nil, clones: [String]? = nil, remarks: [String]? = nil) {
            self.peers = peers
            self.note = note
            self.clones = clones
            self.remarks = remarks
        }
    }
}
