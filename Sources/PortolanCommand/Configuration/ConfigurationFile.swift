import Foundation
import Portolan
import PortolanTrust
import UniformTypeIdentifiers

/// What the user has written down once instead of on every command line. `Config/portolan.example.yaml` explains each key.
///
/// Every key may be left out. A key that is not known is an error and not ignored: a policy that was meant and mistyped
/// must not silently be no policy.
struct ConfigurationFile: Sendable, Hashable {
    var name: DeviceName?
    var port: UInt16?
    var interfaces: [String]?
    var discovery: Node.Configuration.Discovery?
    var discoverable: Node.Configuration.Discoverability?
    /// The default team; goes before the one that was chosen with `portolan team use`.
    var team: TeamName?
    /// An absolute path; `~/` stands for the home directory.
    var inbox: String?
    var accept: [UTType]?
    var converters: Bool?
    /// Bytes that stay free where things are received.
    var reserve: UInt64?
    /// Bytes of the largest item that is taken.
    var maximumSize: UInt64?
    /// How long an interrupted transfer is kept.
    var partials: Duration?
    /// Bytes a second, either way.
    var limitRate: UInt64?
    var timeouts = Timeouts()

    struct Timeouts: Sendable, Hashable {
        var offer: Duration?
        var silence: Duration?
        var answer: Duration?
        var find: Duration?
        var retry: Duration?
    }

    /// More than anybody writes, and little enough to read at every start.
    private static let sizeLimit = 65536

    /// The file's settings, or none where there is no file.
    ///
    /// - Throws: `CommandFailure` naming the file, the line and the key.
    static func load(path: String) throws(CommandFailure) -> ConfigurationFile {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch CocoaError.fileReadNoSuchFile {
            return ConfigurationFile()
        } catch {
            throw CommandFailure(.usage, "The configuration file \(DisplayText(path)) cannot be read. Check its mode.")
        }
        guard data.count <= sizeLimit, let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(
                .usage, "The configuration file \(DisplayText(path)) is no text of at most \(sizeLimit) bytes.")
        }
        do throws(ConfigurationDefect) {
            return try parse(text)
        } catch {
            throw CommandFailure(.usage, "\(DisplayText(path)), \(error)")
        }
    }

    static func parse(_ text: String) throws(ConfigurationDefect) -> ConfigurationFile {
        var file = ConfigurationFile()
        guard let root = try ConfigurationNode.root(of: text) else { return file }
        for (key, value) in try root.members() {
            switch key.text {
            case "name": file.name = try value.converted { text throws(DeviceNameError) in try DeviceName(text) }
            case "port": file.port = try value.converted(PortArgument.parse)
            case "interfaces":
                file.interfaces = try value.elements { node throws(ConfigurationDefect) in try node.scalar() }
            case "discovery": file.discovery = try value.converted(DiscoveryArgument.parse)
            case "discoverable": file.discoverable = try value.converted(DiscoverabilityArgument.parse)
            case "team": file.team = try value.converted(TeamArgument.parse)
            case "inbox": file.inbox = try value.converted(absolutePath)
            case "accept":
                file.accept = try value.elements { node throws(ConfigurationDefect) in
                    try node.converted(TypeArgument.parse)
                }
            case "converters": file.converters = try value.converted(truth)
            case "reserve": file.reserve = try value.converted(SizeArgument.parse)
            case "max-size": file.maximumSize = try value.converted(SizeArgument.parse)
            case "partials": file.partials = try value.converted(LifetimeArgument.parse)
            case "limit-rate": file.limitRate = try value.converted(RateArgument.parse)
            case "timeouts": file.timeouts = try timeouts(value)
            default:
                throw key.defect(
                    "unknown key; the keys are name, port, interfaces, discovery, discoverable, team, inbox, accept, "
                        + "converters, reserve, max-size, partials, limit-rate and timeouts")
            }
        }
        return file
    }

    private static func timeouts(_ node: ConfigurationNode) throws(ConfigurationDefect) -> Timeouts {
        var timeouts = Timeouts()
        for (key, value) in try node.members() {
            switch key.text {
            case "offer": timeouts.offer = try value.converted(seconds)
            case "silence": timeouts.silence = try value.converted(seconds)
            case "answer": timeouts.answer = try value.converted(seconds)
            case "find": timeouts.find = try value.converted(seconds)
            case "retry": timeouts.retry = try value.converted(secondsOrNone)
            default: throw key.defect("unknown key; the timeouts are offer, silence, answer, find and retry")
            }
        }
        return timeouts
    }

    private static func seconds(_ text: String) throws(ArgumentFailure) -> Duration {
        guard let seconds = Int(text), (1...86400).contains(seconds) else {
            throw ArgumentFailure("a time is a whole number of seconds from 1 to 86400")
        }
        return .seconds(seconds)
    }

    private static func secondsOrNone(_ text: String) throws(ArgumentFailure) -> Duration {
        text == "0" ? .zero : try seconds(text)
    }

    private static func truth(_ text: String) throws(ArgumentFailure) -> Bool {
        guard let value = Bool(text) else { throw ArgumentFailure("here stands true or false") }
        return value
    }

    private static func absolutePath(_ text: String) throws(ArgumentFailure) -> String {
        let path = text.hasPrefix("~/") ? NSHomeDirectory() + text.dropFirst() : text
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw ArgumentFailure("a folder is an absolute path, or begins with ~/")
        }
        return path
    }
}
