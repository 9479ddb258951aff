import Portolan
import PortolanAgent
import PortolanValues

/// The unit by which systemd runs the agent: for one user, or as root for the machine.
struct ServiceUnit: Sendable, Hashable {
    static let name = "portolan-agent.service"

    /// Manager that runs the unit: that of a user or that of the machine.
    enum Scope: Sendable, Hashable {
        case user
        case machine
    }

    let scope: Scope
    /// Absolute path.
    let program: String
    /// Behind the program.
    let arguments: [String]
    /// Assignments such as `HOME=/root`.
    var environment: [String] = []
    /// Absolute paths of the folders that it may write to.
    let writable: [String]
    /// True if the socket lies in the folder `portolan` of the runtime directory, which the manager makes and removes
    /// at logout.
    let hasRuntimeFolder: Bool
    /// Version of systemd; nil if unknown.
    var version: Int?

    /// Time without a sign of life after which it is started anew, in seconds.
    private static let watchdog = 120
    /// First version that waits longer from one failure to the next one.
    private static let versionWithSteps = 254

    /// Contents of the file.
    ///
    /// - Throws: `ValueError` for arguments or paths that no unit can have.
    func text() throws(ValueError) -> String {
        var lines = [
            "# Made by 'portolan agent install', which makes it anew each time.",
            "# Add settings with 'systemctl\(scope.flag) edit \(Self.name)'.",
            "[Unit]", "Description=Portolan agent: receives by a policy, and delivers what is queued",
        ]
        if scope == .machine { lines.append("After=network.target") }
        // The time between two starts is bounded below, and folders may come as fast as one types.
        lines.append("StartLimitIntervalSec=0")
        lines += ["", "[Service]", "Type=notify", "ExecStart=\(try command())"]
        lines += ["ExecReload=/bin/kill -HUP $MAINPID"]
        for assignment in environment { lines.append("Environment=\(try UnitText.value(assignment))") }
        lines.append("Environment=\(AgentParent.variable)=\(AgentParent.restartStatus)")
        lines += ["WatchdogSec=\(Self.watchdog)", "TimeoutStopSec=15", "Restart=on-failure"]
        lines += restarting
        lines += ["", "# The process confines itself to the same folders, where the kernel has Landlock."]
        lines += ["ProtectSystem=strict", "ProtectHome=read-only"]
        for path in writable { lines.append(try Self.permission(path)) }
        if hasRuntimeFolder {
            // The mark of an agent that starts again lies there.
            lines += ["RuntimeDirectory=portolan", "RuntimeDirectoryMode=0700", "RuntimeDirectoryPreserve=restart"]
        }
        lines += Self.hardening + scope.hardening
        lines += ["", "[Install]", "WantedBy=\(scope.target)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func command() throws(ValueError) -> String {
        var words = [try UnitText.program(program)]
        for argument in arguments { words.append(try UnitText.argument(argument)) }
        return words.joined(separator: " ")
    }

    private var restarting: [String] {
        // Usage, bad data and what is not trusted stay as they are, however often it is started; so does a program that
        // is gone (203).
        let prevented = "RestartPreventExitStatus=64 65 77 203"
        // The agent has ended in order, to write to a folder that has come.
        let wished = ["SuccessExitStatus", "RestartForceExitStatus"].map { "\($0)=\(AgentParent.restartStatus)" }
        guard let version, version >= Self.versionWithSteps else { return ["RestartSec=10", prevented] + wished }
        return ["RestartSec=1", "RestartSteps=8", "RestartMaxDelaySec=300", prevented] + wished
    }

    private static let permissionKey = "ReadWritePaths="

    private static func permission(_ path: String) throws(ValueError) -> String {
        permissionKey + (try UnitText.value("-" + path))
    }

    /// The text of a unit that was made here, with one more folder that the service may write to.
    ///
    /// - Parameter path: absolute.
    /// - Returns: nil if it has the folder already.
    /// - Throws: `ValueError` for a path that no unit can have.
    static func text(_ text: String, permitting path: String) throws(ValueError) -> String? {
        let line = try permission(path)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard !lines.contains(line) else { return nil }
        // Permissions of synchronized folders come last, in the order of the list.
        guard let last = lines.lastIndex(where: { $0.hasPrefix(permissionKey) }) else { return nil }
        lines.insert(line, at: last + 1)
        return lines.joined(separator: "\n")
    }

    /// Hardening that works without privileges, too. No private /tmp: content to be sent may lie there.
    private static let hardening = [
        "NoNewPrivileges=yes",
        "KeyringMode=private",
        "PrivateDevices=yes",
        "ProtectClock=yes",
        "ProtectControlGroups=yes",
        "ProtectHostname=yes",
        "ProtectKernelLogs=yes",
        "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes",
        "LockPersonality=yes",
        "MemoryDenyWriteExecute=yes",
        "SystemCallArchitectures=native",
        // Older versions do not count Landlock among what services need.
        "SystemCallFilter=@system-service landlock_create_ruleset landlock_add_rule landlock_restrict_self",
        "SystemCallErrorNumber=EPERM",
    ]
}

extension ServiceUnit.Scope {
    /// Argument for programs of systemd.
    var flag: String { self == .user ? " --user" : "" }

    fileprivate var target: String { self == .user ? "default.target" : "multi-user.target" }

    fileprivate var hardening: [String] {
        switch self {
        // A user's manager needs a user namespace for most of the above.
        case .user: ["CapabilityBoundingSet=", "PrivateUsers=yes"]
        // Reads what belongs to others, and gives files their modes.
        case .machine:
            [
                "CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_FSETID CAP_SETPCAP",
                "ProtectProc=invisible",
            ]
        }
    }
}
