import Portolan

/// Settings of the user, in place of options on every command line. `Config/portolan.example.yaml` explains each key.
///
/// Every key is optional. An unknown key is an error, because a mistyped setting must not be silently without effect.
package struct ConfigurationFile: Sendable, Hashable {
    package var name: DeviceName?
    package var port: UInt16?
    package var interfaces: [String]?
    package var discovery: Node.Configuration.Discovery?
    package var discoverable: Node.Configuration.Discoverability?
    /// Default team; takes precedence over the one chosen with `portolan team use`.
    package var team: TeamName?
    /// Absolute path; `~/` means the home directory.
    package var inbox: String?
    package var accept: [UTType]?
    package var converters: Bool?
    /// Bytes that stay free on the file system of the inbox.
    package var reserve: UInt64?
    /// Bytes of the largest item that is taken.
    package var maximumSize: UInt64?
    /// Time for which an interrupted transfer is kept.
    package var partials: Duration?
    /// Rate limit in either direction, in bytes a second.
    package var limitRate: UInt64?
    package var timeouts = Timeouts()
    /// Line of each key in the file, from 1, by its dotted path.
    package var lines: [String: Int] = [:]

    package struct Timeouts: Sendable, Hashable {
        package var offer: Duration?
        package var silence: Duration?
        package var answer: Duration?
        package var find: Duration?
        package var retry: Duration?
        /// Zero waits without end.
        package var stall: Duration?
    }

    package init() {}

    /// Largest file, in bytes: more than anybody writes, and fast to read at every start.
    package static let sizeLimit = 65536

    /// Loads the settings of a home's file; empty without a file. A file that was chosen for this run must exist.
    ///
    /// - Throws: ``ConfigurationError`` naming the file, the line and the key, or the reason why the file is not
    ///   trusted.
    package static func load(from home: HomeDirectory) throws(ConfigurationError) -> ConfigurationFile {
        let bytes = try translating(read(home)) { (error: StoreError) in ConfigurationError(error) }
        let path = DisplayText(home.configurationFile)
        guard let bytes else {
            guard home.chosenConfigurationFile == nil else { throw ConfigurationError(missing: path) }
            return ConfigurationFile()
        }
        var defects: [ConfigurationDefect] = []
        let file = parse(bytes, userHome: home.folderOfUser, noting: &defects)
        guard defects.isEmpty else { throw ConfigurationError(defects, in: home.configurationFile) }
        return file
    }

    /// - Parameters:
    ///   - bytes: content of a file.
    ///   - userHome: path that `~` stands for.
    ///   - defects: receives all defects in the order of the file; one defect if the file is not YAML.
    package static func parse(
        _ bytes: [UInt8], userHome: String, noting defects: inout [ConfigurationDefect]
    ) -> ConfigurationFile {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            defects.append(
                ConfigurationDefect(line: line + 1, key: "", reason: "it is no text; save the file as UTF-8"))
            return ConfigurationFile()
        }
        return parse(text, userHome: userHome, noting: &defects)
    }

    private static func read(_ home: HomeDirectory) throws(StoreError) -> [UInt8]? {
        guard let chosen = home.chosenConfigurationFile, let slash = chosen.lastIndex(of: "/") else {
            return try TrustedFile.read(
                HomeDirectory.configurationFileName, in: home.configuration, below: home.root, limit: sizeLimit)
        }
        let folder = slash == chosen.startIndex ? "/" : String(chosen[..<slash])
        let name = String(chosen[chosen.index(after: slash)...])
        return try TrustedFile.read(name.isEmpty ? "." : name, in: folder, below: nil, limit: sizeLimit)
    }

    /// - Parameter userHome: path that `~` stands for.
    /// - Throws: the first defect.
    package static func parse(
        _ text: String, userHome: String = NSHomeDirectory()
    ) throws(ConfigurationDefect) -> ConfigurationFile {
        var defects: [ConfigurationDefect] = []
        let file = parse(text, userHome: userHome, noting: &defects)
        if let first = defects.first { throw first }
        return file
    }

    private static func parse(
        _ text: String, userHome: String, noting defects: inout [ConfigurationDefect]
    ) -> ConfigurationFile {
        var file = ConfigurationFile()
        do throws(ConfigurationDefect) {
            guard let root = try ConfigurationNode.root(of: text) else { return file }
            root.readMembers(noting: &defects) { key, value, defects throws(ConfigurationDefect) in
                file.lines[key.path] = key.line
                try file.set(key, value, userHome: userHome, noting: &defects)
            }
        } catch {
            defects.append(error)
        }
        defects.sort { ($0.line, $0.column ?? 0) < ($1.line, $1.column ?? 0) }
        return file
    }

    /// - Parameter defects: receives the defects of single elements and members.
    private mutating func set(
        _ key: ConfigurationNode.Key, _ value: ConfigurationNode, userHome: String,
        noting defects: inout [ConfigurationDefect]
    ) throws(ConfigurationDefect) {
        switch key.text {
        case "name": name = try value.converted(DeviceName.given)
        case "port": port = try value.converted(PortSyntax.parse)
        case "interfaces":
            interfaces = value.elements(noting: &defects) { node throws(ConfigurationDefect) in try node.scalar() }
        case "discovery": discovery = try value.converted(DiscoverySyntax.parse)
        case "discoverable": discoverable = try value.converted(DiscoverabilitySyntax.parse)
        case "team": team = try value.converted(TeamSyntax.parse)
        case "inbox":
            inbox = try value.converted { text throws(ValueError) in
                try Self.absolutePath(text, userHome: userHome)
            }
        case "accept":
            accept = value.elements(noting: &defects) { node throws(ConfigurationDefect) in
                try node.converted(TypeSyntax.parse)
            }
        case "converters": converters = try value.converted(Self.truth)
        case "reserve": reserve = try value.converted(SizeSyntax.parse)
        case "max-size": maximumSize = try value.converted(SizeSyntax.parse)
        case "partials": partials = try value.converted(LifetimeSyntax.parse)
        case "limit-rate": limitRate = try value.converted(RateSyntax.parse)
        case "timeouts":
            value.readMembers(noting: &defects) { key, value, _ throws(ConfigurationDefect) in
                lines[key.path] = key.line
                try timeouts.set(key, value)
            }
        default:
            throw key.defect(
                "unknown key; the keys are name, port, interfaces, discovery, discoverable, team, inbox, accept, "
                    + "converters, reserve, max-size, partials, limit-rate and timeouts")
        }
    }

    fileprivate static func seconds(_ text: String) throws(ValueError) -> Duration {
        guard let seconds = Int(text), (1...86400).contains(seconds) else {
            throw ValueError("a time is a whole number of seconds from 1 to 86400")
        }
        return .seconds(seconds)
    }

    fileprivate static func secondsOrNone(_ text: String) throws(ValueError) -> Duration {
        text == "0" ? .zero : try seconds(text)
    }

    package static func truth(_ text: String) throws(ValueError) -> Bool {
        guard let value = Bool(text) else { throw ValueError("here stands true or false") }
        return value
    }

    private static func absolutePath(_ text: String, userHome: String) throws(ValueError) -> String {
        let path = text.hasPrefix("~/") ? userHome + text.dropFirst() : text
        guard path.hasPrefix("/"), !path.contains("\0") else {
            throw ValueError("a folder is an absolute path, or begins with ~/")
        }
        return path
    }
}

extension ConfigurationFile.Timeouts {
    fileprivate mutating func set(
        _ key: ConfigurationNode.Key, _ value: ConfigurationNode
    ) throws(ConfigurationDefect) {
        switch key.text {
        case "offer": offer = try value.converted(ConfigurationFile.seconds)
        case "silence": silence = try value.converted(ConfigurationFile.seconds)
        case "answer": answer = try value.converted(ConfigurationFile.seconds)
        case "find": find = try value.converted(ConfigurationFile.seconds)
        case "retry": retry = try value.converted(ConfigurationFile.secondsOrNone)
        case "stall": stall = try value.converted(ConfigurationFile.secondsOrNone)
        default: throw key.defect("unknown key; the timeouts are offer, silence, answer, find, retry and stall")
        }
    }
}

/// Defect of a configuration file that cannot be used, in one sentence: the first, if there are several.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// True if another user could have written the file.
    package private(set) var isUntrusted = false
    /// True if a file that was chosen does not exist.
    package private(set) var isMissing = false
    /// All mistakes in the order of the file; empty if it was not read.
    package private(set) var defects: [ConfigurationDefect] = []

    /// - Parameter defects: one at least.
    init(_ defects: [ConfigurationDefect], in file: String) {
        let others = defects.count - 1
        let more =
            switch others {
            case 0: ""
            case 1: " There is 1 more; 'portolan config check' shows it."
            default: " There are \(others) more; 'portolan config check' shows them."
            }
        description = "\(DisplayText(file)), \(defects[0])\(more)"
        self.defects = defects
    }

    init(missing path: DisplayText) {
        description = "There is no configuration file \(path)."
        isMissing = true
    }

    init(_ error: StoreError) {
        description = "The configuration is not used: \(error)"
        isUntrusted = error.isOfUntrustedFile
    }
}

extension StoreError {
    /// True if another user could have written the file.
    package var isOfUntrustedFile: Bool {
        switch kind {
        case .foreignOwner, .writable: true
        default: false
        }
    }
}
