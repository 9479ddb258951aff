import ArgumentParser
import Portolan
import PortolanAgent
import PortolanClient
import PortolanConfiguration
import Synchronization

/// `portolan agent`: the background agent.
struct AgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Stay: receive by a policy, deliver what is queued, and keep a journal.",
        discussion: HelpText.discussion(
            examples: """
                portolan agent install             # by systemd; or: portolan agent run
                portolan agent status
                portolan send report.pdf --to laptop --queue
                portolan outbox
                portolan inbox
                portolan events --follow
                """,
            manual: """
                One agent runs for each home. What it takes is said by 'policy.yaml' beside the configuration file \
                ('portolan id' shows where); without that file, strangers are declined, and what contacts and members of teams offer \
                waits in the inbox for a decision, of which its sender is told.

                \(AgentPage.text)
                """),
        subcommands: [
            AgentRunCommand.self, AgentStatusCommand.self, AgentInstallCommand.self, AgentUninstallCommand.self,
            AgentStartCommand.self, AgentStopCommand.self, AgentLogsCommand.self,
        ])
}

/// `portolan agent run`.
struct AgentRunCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the agent in the foreground, until stopped.",
        discussion: HelpText.discussion(
            examples: """
                portolan agent run
                portolan agent run --port 47300 --interface eth0
                """,
            manual: """
                Ctrl-C and SIGTERM stop it within 5 seconds, with 0; what was being delivered is delivered by the next agent. SIGHUP \
                loads the policy again. A policy that cannot be loaded is reported and the old one stays. With one of that kind at its \
                start, it receives nothing until the policy is mended and loaded: senders are told to try again later.

                Folders of 'portolan sync' are kept alike, too.

                Where the kernel has Landlock, the process and its children write to the folders of the home, the inbox, the folders \
                that the policy names and those that are kept alike when it starts, and to nothing else; 'portolan agent status' tells \
                whether that holds. For a folder that comes to those that are kept alike, the agent starts again by itself, in a process \
                beside this one, which passes signals on. A service manager is told of its state, as sd_notify(3) says, if it wants to be; \
                under one, the agent starts again only where PORTOLAN_RESTART_STATUS has the exit status (84, say) after which the \
                manager starts it again, as the unit of 'portolan agent install' says.
                """))

    @Flag(help: "Let the process write wherever its user may.")
    var noConfine = false

    @OptionGroup var sync: SyncAddressOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let socket = settings.agentSocket
        let host = Self.early.withLock(\.self)
        let agent: Agent
        do {
            agent = try await Agent(
                settings: settings, node: listening.configuration(settings, network), version: Root.version, host: host,
                syncAddresses: sync.addresses
            ) { console.diagnose($0) }
        } catch {
            // Clients must not wait for an agent that will not start again.
            if let path = try? SocketPath(socket) { unlink(path.restartMark) }
            throw error
        }
        if !agent.isConfined, let shortcoming = host.confinement?.shortcoming {
            console.remark("The agent can write wherever its user may. \(shortcoming)")
        }
        for problem in agent.policyProblems { console.diagnose(problem) }
        Interruption.onHangup {
            Task {
                let reload = await agent.reload()
                for sentence in reload.problems + reload.remarks { console.diagnose(sentence) }
                if reload.problems.isEmpty { console.remark("The policy is loaded.") }
            }
        }
        let end = try await agent.run(socket: socket) {
            console.say("The agent runs. Its local API is at \(DisplayText(socket).text)")
            try? console.emit(["socket": socket])
        }
        guard end == .forRestart, let status = host.restartStatus else { return }
        console.remark("The agent starts again, to be able to write to a folder that has come.")
        throw ExitCode(status)
    }
}

extension AgentRunCommand {
    /// Set-up of the process from before it had threads.
    private static let early = Mutex(AgentHost())

    /// Sets up the process of an agent. Errors are ignored here, since ``perform(_:)`` reads and checks everything
    /// again.
    ///
    /// Called before a second thread exists, since that would see the environment change and would not be confined.
    ///
    /// - Parameter arguments: the command line without the program's name.
    static func setUpProcess(_ arguments: [String]) {
        guard arguments.prefix(2) == ["agent", "run"] else { return }
        // The parent needs none of the following setup. An agent that is not confined never has to restart.
        let ownStatus = arguments.contains("--no-confine") ? nil : AgentParent.begin(ending: Interruption.meant)
        guard let command = try? Root.parseAsRoot(arguments) as? Self else { return }
        let manager = ServiceManager.takeFromEnvironment()
        let status = AgentParent.takeStatusFromEnvironment() ?? ownStatus
        early.withLock {
            $0 = AgentHost(manager: manager, confinement: command.confine(), restartStatus: status)
        }
    }

    private func confine() -> AgentConfinement? {
        guard let settings = try? Settings(shared) else { return nil }
        // With a policy that is refused, nothing is received at first.
        let policy = try? OfferPolicy.load(from: settings.home)
        let folders = WritableFolders(settings: settings, policy: policy ?? OfferPolicy(), socket: settings.agentSocket)
        // Temporary files are created in a writable folder, including those on the file system of the cache.
        setenv("TMPDIR", folders.temporary, 1)
        if settings.home.root != nil { setenv("XDG_CACHE_HOME", settings.home.cache, 1) }
        return AgentConfinement(to: folders, userHome: settings.home.folderOfUser, isWanted: !noConfine)
    }
}

/// `portolan agent status`.
struct AgentStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the agent runs, and what it has to do.",
        discussion: HelpText.discussion(
            examples: """
                portolan agent status
                portolan agent status --json
                """,
            manual: """
                With --json: the object 'Status' of the local API. Ends with 69 if no agent runs.
                """))

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let status = try await Settings(shared).agentClient().status()
        console.say("“\(DisplayText(status.name))”, process \(status.process), since \(Human.minute(status.started))")
        console.say("outbox: \(status.outbox.waiting) waiting, \(status.outbox.running) on the way")
        console.say("inbox:  \(status.inbox.waiting) waiting for a decision")
        console.say("state:  \(DisplayText(status.state))")
        console.say("writes: \(status.confined ? "to its own folders only" : "wherever its user may")")
        for problem in status.problems { console.diagnose(DisplayText(sentence: problem, limit: 1000).text) }
        try console.emit(status)
    }
}
