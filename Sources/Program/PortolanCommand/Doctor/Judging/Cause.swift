/// Fault that `portolan doctor` detects. Its number is the exit status if it is the first fault found, and never
/// changes.
enum Cause: Int32, CaseIterable, Sendable {
    case configuration = 101
    case state = 102
    case interface = 103
    case multicast = 104
    case daemon = 105
    case port = 106
    case firewall = 107
    case records = 108
    case disk = 109
    case limits = 110
    case clock = 111
    case agent = 112
    case peerUnknown = 113
    case peerRefuses = 114
    case peerSilent = 115
    case peerUnroutable = 116

    /// Status of remarks without a fault.
    static let remarks: Int32 = 1

    /// Word for the fault in `--json` output.
    var word: String { "\(self)".hyphenated }

    var meaning: String {
        switch self {
        case .configuration: "the configuration file cannot be used"
        case .state: "the key or the state cannot be read, or others can read it"
        case .interface: "no interface is up with an address"
        case .multicast: "multicast packets of mDNS do not come back"
        case .daemon: "avahi-daemon does not answer, and it has to"
        case .port: "the port to listen on is taken or forbidden"
        case .firewall: "a rule of this machine drops packets for us"
        case .records: "this device is not found under its own name or key"
        case .disk: "no space or no inodes where items are stored"
        case .limits: "too few open files, or too few folders can be watched"
        case .clock: "the clock is wrong or jumps"
        case .agent: "the agent is there and does not answer"
        case .peerUnknown: "no peer answers to the name"
        case .peerRefuses: "the peer's machine is there and nothing listens"
        case .peerSilent: "nothing comes back from the peer's address"
        case .peerUnroutable: "there is no way to the peer's address"
        }
    }

    /// The table in the help of the command.
    static var table: String {
        let rows = [(0, "nothing was found"), (Int(remarks), "remarks only (warn)")]
        return (rows + allCases.map { (Int($0.rawValue), $0.meaning) })
            .map { "  \(String(repeating: " ", count: 3 - "\($0.0)".count))\($0.0)  \($0.1)" }
            .joined(separator: "\n")
    }
}
