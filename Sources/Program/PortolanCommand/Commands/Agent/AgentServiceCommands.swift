import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan agent uninstall`.
struct AgentUninstallCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "uninstall", "Stop the service of the agent, and remove it.",
        examples: "portolan agent uninstall",
        manual: "Keys, contacts, queued items, the journal and the inbox stay.")

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let control = ServiceControl.own
        let installed = try InstalledUnit.own(control)
        guard await installed.exists() else {
            guard await installed.cameWithProgram(), try await control.version() != nil else {
                console.say("The service is not installed.")
                return try console.emit(.agentService, ["result": "not-installed"])
            }
            try await control.disable()
            console.say("The service is stopped, and starts no more. Its unit came with the program, and stays.")
            return try console.emit(.agentService, ["result": "disabled"])
        }
        let isReachable = try await control.version() != nil
        if isReachable { try await control.disable() }
        try await installed.remove()
        if isReachable {
            try await control.reload()
            try await control.forgetFailure()
        } else {
            console.diagnose("No systemd answers here: the unit is removed, and a running agent goes on.")
        }
        console.say(
            "The service is removed. Its data stays: \(DisplayText(settings.home.data)), \(DisplayText(settings.home.state)), "
                + "and the inbox \(DisplayText(settings.inbox))")
        try console.emit(.agentService, ["result": "removed"])
    }
}

/// `portolan agent start`.
struct AgentStartCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "start", "Start the service of the agent.",
        examples: "portolan agent start",
        manual: "Returns when the agent is ready. 'portolan agent install' makes the service.")

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let control = ServiceControl.own
        guard try await InstalledUnit.own(control).canBeStarted() else {
            throw CommandFailure(
                .unreachable,
                "The service is not installed. Use 'portolan agent install' for that, or 'portolan agent run' without it."
            )
        }
        guard try await control.version() != nil else { throw ServiceControl.unreachable(control.scope) }
        try await control.start()
        console.say("The agent runs.")
        try console.emit(.agentService, ["result": "started"])
    }
}

/// `portolan agent stop`.
struct AgentStopCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "stop", "Stop the agent, started by systemd or otherwise.",
        examples: "portolan agent stop",
        manual: """
            Returns when it has stopped; the next one goes on with running deliveries. A service of systemd starts \
            again with 'portolan agent start', or when the machine does. Ends with 69 if no agent runs.
            """)

    @OptionGroup var shared: SharedOptions

    /// Most attempts to reach an agent that is stopping.
    private static let attempts = 200

    func perform(_ console: Console) async throws {
        let control = ServiceControl.own
        if try await InstalledUnit.own(control).canBeStarted(), try await control.isActive() {
            try await control.stop()
        } else {
            try await stop(Settings(shared).agentClient())
        }
        console.say("The agent has stopped.")
        try console.emit(.agentService, ["result": "stopped"])
    }

    private func stop(_ client: AgentClient) async throws {
        try await client.stop()
        for _ in 0..<Self.attempts {
            do {
                _ = try await client.status()
            } catch {
                // The socket is gone or does not answer.
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure(.inputOutput, "The agent was told to stop, and still runs.")
    }
}

/// `portolan agent logs`.
struct AgentLogsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "logs", "Show the output of the agent's service.",
        examples: """
            portolan agent logs
            portolan agent logs --follow
            """,
        manual: "By journalctl(1). The agent's own journal has the history of items: 'portolan events'.")

    @Flag(help: "Go on with lines as they come, until stopped.")
    var follow = false

    @Option(help: .value("number", "Show so many lines."))
    var lines = 100

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard lines >= 0 else { throw ValidationError("A number of lines is not negative.") }
    }

    func perform(_ console: Console) async throws {
        let control = ServiceControl.own
        guard try await InstalledUnit.own(control).canBeStarted() else {
            throw CommandFailure(
                .unreachable,
                "The service is not installed, so that systemd has none of the agent's output: 'portolan agent run' prints it "
                    + "where it was started. 'portolan events' shows the history of items.")
        }
        var words = ["journalctl", "--no-pager", "--lines=\(lines)"]
        words.append(control.scope == .user ? "--user-unit=\(ServiceUnit.name)" : "--unit=\(ServiceUnit.name)")
        if follow { words.append("--follow") }
        if shared.json { words.append("--output=json") }
        let reason = ProgramRun.become(words)
        guard reason == ENOENT else { throw ProgramRun.failure(words, reason) }
        throw CommandFailure(.unreachable, "There is no journalctl here to show the journal with.")
    }
}

extension InstalledUnit {
    /// Unit of this user, or of the machine for root.
    fileprivate static func own(_ control: ServiceControl) throws -> InstalledUnit {
        try InstalledUnit(scope: control.scope, environment: HomeDirectory.environmentOfThisProcess)
    }
}
