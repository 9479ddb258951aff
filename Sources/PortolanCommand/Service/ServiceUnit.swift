import Portolan
import PortolanAgent

/// systemd unit that runs the agent: for one user, or as root for the machine.
struct ServiceUnit: Sendable, Hashable {
    static let name = "portolan-agent.service"

    /// Manager of the unit: a user's or the machine's.
    enum Scope: Sendable, Hashable {
        case user
        case machine
    }

    let scope: Scope
    /// Absolute path.
    let program: String
    /// Arguments after the program.
    let arguments: [String]
    /// Assignments such as `HOME=/root`.
    var environment: [String] = []
    /// Absolute paths of the folders that it may write to.
    let writable: [String]
    /// True if the socket is in the folder `portolan` of the runtime directory, which the manager creates and removes
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
        // The delay between two starts is limited below instead, since folders may be added in quick succession.
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
            // The restart mark of an agent is in this folder.
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
        // Errors of usage, bad data and trust do not go away by a restart; nor does a missing program (203).
        let prevented = "RestartPreventExitStatus=64 65 77 203"
        // The agent has ended in order, to gain write access to a new folder.
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

    /// Hardening that also works without privileges. No private /tmp, since content to be sent may be there.
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
        // Older versions of systemd do not include Landlock in this set.
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
        // Needed to read files of other users, and to set the modes of files.
        case .machine:
            [
                "CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_FSETID CAP_SETPCAP",
                "ProtectProc=invisible",
            ]
        }
    }
}
