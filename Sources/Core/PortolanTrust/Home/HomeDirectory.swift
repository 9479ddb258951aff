import Foundation
import PortolanValues

/// Directories for the state of one installation: by the XDG rules, or all below one directory.
///
/// ```swift
/// let home = try HomeDirectory(override: options.home, environment: ProcessInfo.processInfo.environment)
/// ```
///
/// Directories are created, with mode 0700, when the first file in them is needed.
public struct HomeDirectory: Sendable, Hashable {
    /// Environment variable that overrides every XDG directory.
    public static let overrideVariable = "PORTOLAN_HOME"

    /// Directory for files that the user writes: the configuration file.
    public let configuration: String
    /// Directory for files that must not be lost: the device key and the known peers.
    public let data: String
    /// Directory for state that could be made again: the device's name.
    public let state: String
    /// Directory for files that can be made again at any time, and may be deleted.
    public let cache: String
    /// Directory for sockets, removed at logout. `nil` if the system offers no such directory.
    public let runtime: String?
    /// Directory that contains all others, if the user chose one.
    public let root: String?
    /// The user's home directory, from the environment. `nil` if that names none.
    package let user: String?

    /// Absolute path of a configuration file for this run in place of that of this home; nil for none.
    package var chosenConfigurationFile: String?

    /// Path of the configuration file.
    public var configurationFile: String {
        chosenConfigurationFile ?? configuration + "/" + Self.configurationFileName
    }

    package static let configurationFileName = "portolan.yaml"

    /// - Parameters:
    ///   - override: one directory for all state; overrides `PORTOLAN_HOME`.
    ///   - environment: the process's environment. Relative XDG values are ignored, as XDG 0.8 demands.
    public init(override: String? = nil, environment: [String: String]) throws(HomeError) {
        user = Self.absoluteValue("HOME", environment)
        if let chosen = override ?? environment[Self.overrideVariable], !chosen.isEmpty {
            let root = try Self.absolute(chosen)
            self.root = root
            configuration = root + "/config"
            data = root + "/data"
            state = root + "/state"
            cache = root + "/cache"
            runtime = root + "/run"
            return
        }
        if override != nil { throw .emptyOverride }
        if geteuid() == 0, let user { try Self.checkOwner(of: user) }
        root = nil
        configuration = try Self.directory("XDG_CONFIG_HOME", default: ".config", environment)
        data = try Self.directory("XDG_DATA_HOME", default: ".local/share", environment)
        state = try Self.directory("XDG_STATE_HOME", default: ".local/state", environment)
        cache = try Self.directory("XDG_CACHE_HOME", default: ".cache", environment)
        runtime = try Self.absoluteValue("XDG_RUNTIME_DIR", environment).map { value throws(HomeError) in
            try Self.checked(value) + "/portolan"
        }
    }

    /// Environment variables of this process that name directories; the others are not copied.
    package static var environmentOfThisProcess: [String: String] {
        var environment: [String: String] = [:]
        for name in [
            overrideVariable, "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
            "XDG_RUNTIME_DIR",
        ] {
            environment[name] = getenv(name).map { PathText.text(of: $0) }
        }
        return environment
    }

    /// - Throws: `HomeError` if the home is another user's, whom files of root would lock out.
    private static func checkOwner(of home: String) throws(HomeError) {
        var status = stat()
        guard stat(home.pathBytes, &status) == 0, status.st_uid != 0 else { return }
        let name = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "user \(status.st_uid)"
        throw .foreign(path: DisplayText(home), owner: DisplayText(name))
    }

    private static func directory(
        _ variable: String, default fallback: String, _ environment: [String: String]
    ) throws(HomeError) -> String {
        if let value = absoluteValue(variable, environment) { return try checked(value) + "/portolan" }
        guard let home = absoluteValue("HOME", environment) else { throw .noHome }
        return try checked(home) + "/" + fallback + "/portolan"
    }

    private static func absoluteValue(_ variable: String, _ environment: [String: String]) -> String? {
        guard let value = environment[variable], value.hasPrefix("/") else { return nil }
        return withoutTrailingSlashes(value)
    }

    private static func absolute(_ path: String) throws(HomeError) -> String {
        let whole = try translating(WorkingFolder.absolute(path)) { (error: WorkingFolderError) in
            HomeError.noWorkingFolder(reason: error.description)
        }
        return try checked(withoutTrailingSlashes(whole))
    }

    /// Paths in a home are passed to databases, to the service manager and to other programs, which accept only text.
    private static func checked(_ path: String) throws(HomeError) -> String {
        guard PathText.isPlain(path) else { throw .notText(shown: DisplayText(path, limit: 1024)) }
        return path
    }

    private static func withoutTrailingSlashes(_ path: String) -> String {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        return String(trimmed)
    }
}

/// Reason why no directory for the device's state was found.
public enum HomeError: Error, Hashable, Sendable, CustomStringConvertible {
    case noHome
    case emptyOverride
    /// The path is not UTF-8.
    case notText(shown: DisplayText)
    /// The path is relative, and the working folder cannot be read.
    case noWorkingFolder(reason: String)

    /// Root runs in the home of another user.
    case foreign(path: DisplayText, owner: DisplayText)

    public var description: String {
        switch self {
        case .foreign(let path, let owner):
            "“\(path)” is the home of \(owner), and root's files in it would lock \(owner) out. Run this as \(owner), without sudo; "
                + "or keep root's own state elsewhere, with sudo -H or \(HomeDirectory.overrideVariable)."
        case .noHome:
            "There is no home directory to keep this device's key in: HOME is not set to an absolute path. "
                + "Set HOME, or name a directory with \(HomeDirectory.overrideVariable)."
        case .emptyOverride: "The directory given for this device's state is empty."
        case .notText(let shown):
            "This device's state cannot lie in “\(shown)”, whose name is not UTF-8."
        case .noWorkingFolder(let reason): reason
        }
    }
}
