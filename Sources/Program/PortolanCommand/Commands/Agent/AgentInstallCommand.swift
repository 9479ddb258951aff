import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// `portolan agent install`.
struct AgentInstallCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "install", "Have systemd run the agent, now and after each start.",
        examples: """
            portolan agent install
            portolan agent install --port 47300 --interface eth0
            portolan agent install --print
            """,
        manual: """
            Writes the unit 'portolan-agent.service' of your user, with the options of 'agent run' that are given here, and starts it. \
            As root, it becomes a service of the machine. Run it again when options have changed, or the program has been moved: the unit \
            is made anew, and the agent is started anew if that changed anything.
            """)

    @Flag(help: "Print the unit, and do nothing else.")
    var print = false

    @OptionGroup var sync: SyncAddressOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        _ = try SocketPath(settings.agentSocket)
        let control = ServiceControl.own
        let version = try await control.version()
        let unit = try ServiceUnit(
            options: runOptions(home: settings.home), home: settings.home, scope: control.scope, version: version)
        let text = try unit.text()
        if let warning = unit.warning { console.diagnose(warning) }
        if print {
            console.put(exactly: String(text.dropLast()))
            try console.emit(.agentUnit, ["unit": text])
            return
        }
        guard version != nil else { throw ServiceControl.unreachable(control.scope) }
        let installed = try InstalledUnit(
            scope: control.scope, environment: HomeDirectory.environmentOfThisProcess)
        try await checkForAgent(settings, control)
        let before = try await installed.text()
        if before != text {
            try await installed.write(text)
            try await control.reload()
            // Until now, the agent may have run by a unit that came with the program.
            let hadOther = await installed.cameWithProgram()
            if before != nil || hadOther { try await control.restart() }
        }
        try await control.enable()
        let result = before == nil ? "installed" : before == text ? "unchanged" : "updated"
        console.say("The service is \(result), and runs: \(DisplayText(installed.path))")
        let isLingering = control.scope == .machine ? true : try await control.isLingering()
        if let sentence = Self.sentence(isLingering: isLingering) { console.remark(sentence) }
        if let running = try? await settings.agentClient().status().version,
            let sentence = Self.sentence(running: running, scope: control.scope)
        {
            console.diagnose(sentence)
        }
        try console.emit(
            .agentService, ["unit": installed.path, "result": result, "lingering": isLingering])
    }

    /// Options of 'agent run' that were given to this command.
    private func runOptions(home: HomeDirectory) -> [String] {
        var arguments: [String] = []
        // This includes a path from the environment.
        if let root = home.root { arguments += ["--home", root] }
        if let file = home.chosenConfigurationFile { arguments += ["--config", file] }
        for address in sync.addresses { arguments += ["--sync-at", address] }
        if let port = listening.port { arguments += ["--port", "\(port)"] }
        if let name = listening.name { arguments += ["--name", name.text] }
        if let discoverable = listening.discoverable { arguments += ["--discoverable", discoverable.rawValue] }
        if let discovery = network.discovery { arguments += ["--discovery", discovery.rawValue] }
        for interface in network.interfaces { arguments += ["--interface", interface] }
        return arguments
    }

    /// Two agents would fight for one home.
    private func checkForAgent(_ settings: Settings, _ control: ServiceControl) async throws {
        guard try await !control.isActive(), let client = try? settings.agentClient(),
            let status = try? await client.status()
        else { return }
        throw CommandFailure(
            .inputOutput,
            "An agent of this home runs already, not by this service: process \(status.process). "
                + "Stop it first, with 'portolan agent stop'.")
    }

    /// Returns a sentence on an agent that was started before this program was installed; nil for one of this version.
    static func sentence(running version: String, scope: ServiceUnit.Scope) -> String? {
        guard version != ProgramVersion.full else { return nil }
        return
            "The agent that runs is still that of version \(DisplayText(version)); this is \(ProgramVersion.full). It may be "
            + "restarted at any time, and transfers go on: systemctl\(scope.flag) restart portolan-agent"
    }

    /// Returns a sentence on services of the user that end at logout; nil if they run all the time.
    static func sentence(isLingering: Bool?) -> String? {
        if isLingering == true { return nil }
        let state = isLingering == false ? "It ends" : "It may end"
        return "\(state) when you log out everywhere, and starts when you log in. "
            + "To have it run from the start of the machine on: loginctl enable-linger"
    }
}
