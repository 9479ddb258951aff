import Portolan

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
            "[Unit]", "Description=Portolan agent: receives by a policy, and delivers queued items",
        ]
        if scope == .machine { lines.append("After=network.target") }
        // The delay between two starts is limited below instead.
        lines.append("StartLimitIntervalSec=0")
        lines += ["", "[Service]", "Type=notify", "ExecStart=\(try command())"]
        lines += ["ExecReload=/bin/kill -HUP $MAINPID"]
        for assignment in environment { lines.append("Environment=\(try UnitText.value(assignment))") }
        lines += ["WatchdogSec=\(Self.watchdog)", "TimeoutStopSec=15", "Restart=on-failure"]
        lines += restarting + [""]
        if hasRuntimeFolder { lines += ["RuntimeDirectory=portolan", "RuntimeDirectoryMode=0700"] }
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
        guard let version, version >= Self.versionWithSteps else { return ["RestartSec=10", prevented] }
        return ["RestartSec=1", "RestartSteps=8", "RestartMaxDelaySec=300", prevented]
    }

    /// Hardening that also works without privileges, and needs no list of folders: items and folders kept alike may lie
    /// anywhere outside of the system. No private /tmp, since content to be sent may be there.
    private static let hardening = [
        "ProtectSystem=full",
        "NoNewPrivileges=yes",
        "KeyringMode=private",
        "PrivateDevices=yes",
        "PrivateMounts=yes",
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
        // Converters are confined by Landlock, which older versions of systemd do not include in this set.
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
