extension NodeEvent {
    /// The code to read aloud.
    public struct Code: EventFields {
        /// Secret: it admits any device on which it is entered.
        public let code: String
        /// Seconds until it expires.
        public let seconds: Int64
        /// Name of the team of an invitation; null for pairing.
        public let team: OrNull<String>
        /// Groups that a new member is put into.
        public let groups: [String]
        /// Number of devices that can use it.
        public let uses: Int

        public static let fields: [Field] = [
            Field("code", .text, "text; whoever has it can take the other's place"),
            Field("seconds", .count, "how long it is good"), Field("team", .orNull(.text), "name, or null for pairing"),
            Field("groups", .list(.text), "names that a new member is put into"),
            Field("uses", .count, "how many devices can use it"),
        ]

        package init(_ code: PairingCode, seconds: Int64, team: TeamName?, groups: [GroupName], uses: Int) {
            self.code = code.text
            self.seconds = seconds
            self.team = OrNull(team?.text)
            self.groups = groups.map(\.text)
            self.uses = uses
        }
    }

    /// Ready for a device on which the code is entered.
    public struct Awaiting: EventFields {
        public let port: UInt16
        /// Discovery in use: avahi, embedded or off.
        public let discovery: String

        public static let fields: [Field] = [
            Field("port", .count, "number"),
            Field("discovery", .text, "how others find this device: avahi, embedded or off"),
        ]
    }

    /// Discovery found the machine that shows the code.
    public struct Found: EventFields {
        public let address: String

        public static let fields: [Field] = [Field("address", .text, "text")]
    }
}

extension NodeEvent {
    package init(_ event: CodeEvent) {
        self =
            switch event {
            case .waiting(let port, let discovery): NodeEvent(\.awaiting, Awaiting(port: port, discovery: discovery))
            case .found(let address): NodeEvent(\.found, Found(address: String(peerText: address)))
            case .refused(let address, let reason): NodeEvent(\.refused, Refused(address: address, reason: reason))
            case .warning(let message): NodeEvent(\.note, Note(message))
            }
    }
}
