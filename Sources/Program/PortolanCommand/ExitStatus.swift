import Portolan

/// Exit status of the command, for scripts. The numbers are part of the command's interface and do not change.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case no = 1
    case incomplete = 23
    case usage = 64
    case badData = 65
    case noInput = 66
    case unreachable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case interrupted = 75
    case notTrusted = 77
    case declined = 80
    case nothingInCommon = 81
    case notDelivered = 82

    /// Word for the status in `--json` output.
    var word: String { "\(self)".hyphenated }

    var meaning: String {
        switch self {
        case .done: "done: everything asked for has happened"
        case .no: "the answer is no: 'types conforms'; 'doctor' has remarks alone"
        case .incomplete:
            "stored, but something was left out: unreadable, changed while it was sent, of a name or kind that cannot be stored, "
                + "or restricted; 0 with --allow-omissions. Of 'sync check': a finding is left. Of 'wait sync-idle': an entry "
                + "cannot be kept alike, or waits for a person"
        case .usage: "the command line or the configuration file is not right"
        case .badData:
            "data that was given cannot be used, such as a damaged key file, or content of which a converter made nothing"
        case .noInput: "a file that is named does not exist or cannot be read"
        case .unreachable:
            "no such peer, contact, team, member, group, transfer or item, no answer or item in time, or no agent runs; with --qr, no library to draw with"
        case .cannotCreate: "the destination cannot be written, or cannot keep a required property"
        case .inputOutput: "reading or writing failed half-way, or the other side broke the protocol"
        case .interrupted:
            "interrupted, the connection broke, no progress, or the event of 'wait' did not come: no partial item is visible, and the same command starts again or goes on"
        case .notTrusted:
            "not trusted: another key than before, a wrong code, not entitled, no admin, or secrets that others can read"
        case .declined: "the receiver declined"
        case .nothingInCommon: "the receiver can import none of the representations"
        case .notDelivered: "not delivered in the time allowed"
        }
    }

    /// The table that `portolan help exit-codes` shows.
    static var table: String {
        allCases.map { "  \($0.rawValue < 10 ? " " : "")\($0.rawValue)  \($0.word)\n      \($0.meaning)" }
            .joined(separator: "\n")
    }
}

extension String {
    /// A name in camel case as words with hyphens: `no-input` for `noInput`.
    var hyphenated: String { reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" } }
}

extension Sequence<ExitStatus> {
    /// First failure; if there is none, `incomplete` if something was left out, else `done`.
    var combined: ExitStatus {
        var result = ExitStatus.done
        for status in self {
            switch status {
            case .done: continue
            case .incomplete: result = .incomplete
            default: return status
            }
        }
        return result
    }
}

extension NodeEvent {
    /// Event with the end status of a command.
    static func end(_ status: ExitStatus) -> NodeEvent {
        NodeEvent(\.result, End(code: status.rawValue, kind: status.word))
    }
}
