import PortolanCrypto
import PortolanTrust

extension NodeEvent {
    /// The code to say to somebody.
    public struct Code: Codable, Hashable, Sendable {
        /// Secret: it admits whoever enters it.
        public let code: String
        /// Seconds until it expires.
        public let seconds: Int64
        /// Name of the team that it lets others into; null for pairing.
        public let team: OrNull<String>
        /// Groups that a new member is put into.
        public let groups: [String]
        /// Number of devices that can use it.
        public let uses: Int

        package init(_ code: PairingCode, seconds: Int64, team: TeamName?, groups: [GroupName], uses: Int) {
            self.code = code.text
            self.seconds = seconds
            self.team = OrNull(team?.text)
            self.groups = groups.map(\.text)
            self.uses = uses
        }
    }

    /// Ready for whoever enters the code.
    public struct Awaiting: Codable, Hashable, Sendable {
        public let port: UInt16
        /// Discovery in use: avahi, embedded or off.
        public let discovery: String
    }

    /// The machine that shows the code is there.
    public struct Found: Codable, Hashable, Sendable {
        public let address: String
    }
}

extension NodeEvent {
    package init(_ event: CodeEvent) {
        self =
            switch event {
            case .waiting(let port, let discovery): .awaiting(Awaiting(port: port, discovery: discovery))
            case .found(let address): .found(Found(address: String(peerText: address)))
            case .refused(let address, let reason): .refused(Refused(address: address, reason: reason))
            case .warning(let message): .note(Note(message))
            }
    }
}
