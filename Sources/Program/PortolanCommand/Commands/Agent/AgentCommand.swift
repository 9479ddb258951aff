import ArgumentParser
import Portolan
import PortolanAgent
import PortolanClient
import PortolanSettings
import Synchronization

/// `portolan agent`: the background agent.
struct AgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "agent", "Stay: receive by a policy, deliver queued items, and keep a journal.",
        examples: """
            portolan agent install             # by systemd; or: portolan agent run
            portolan agent status
            portolan send report.pdf --to laptop --queue
            portolan outbox
            portolan inbox
            portolan events --follow
            """,
        manual: """
            One agent runs for each home. It takes items by 'policy.yaml' beside the configuration file ('portolan id' \
            shows where); without that file, strangers are declined, and items of contacts and members of teams wait \
            in the inbox for a decision, of which the sender is told.

            \(AgentPage.text)
            """,
        subcommands: [
            AgentRunCommand.self, AgentStatusCommand.self, AgentInstallCommand.self, AgentUninstallCommand.self,
            AgentStartCommand.self, AgentStopCommand.self, AgentLogsCommand.self,
        ])
}

/// `portolan agent run`.
struct AgentRunCommand: NetworkSubcommand {
    static let configuration = CommandConfiguration(
        "run", "Run the agent in the foreground, until stopped.",
        examples: """
            portolan agent run
            portolan agent run --port 47300 --interface eth0
            """,
        manual: """
            Ctrl-C and SIGTERM stop it within 5 seconds, with 0; the next agent goes on with running deliveries. \
            SIGHUP loads the policy again. A policy that cannot be loaded is reported and the old one stays. With one \
            of that kind at its start, it receives nothing until the policy is mended and loaded: senders are told to \
            try again later.

            Folders of 'portolan sync' are kept alike, too.

            A service manager is told of its state, as sd_notify(3) says, if it wants to be.
            """)

    @OptionGroup var sync: SyncAddressOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let socket = settings.agentSocket
        let agent = try await Agent(
            settings: settings, node: listening.configuration(settings, network), version: ProgramVersion.full,
            manager: Self.manager.withLock(\.self), syncAddresses: sync.addresses
        ) { console.diagnose($0) }
        for problem in agent.policyProblems { console.diagnose(problem) }
        Interruption.onHangup {
            Task {
                let reload = await agent.reload()
                for sentence in reload.problems + reload.remarks { console.diagnose(sentence) }
                if reload.problems.isEmpty { console.remark("The policy is loaded.") }
            }
        }
        try await agent.run(socket: socket) {
            console.say("The agent runs. Its local API is at \(DisplayText(socket).text)")
            try? console.emit(.agentStarted, ["socket": socket])
        }
    }

    /// Service manager in the environment; nil for none.
    private static let manager = Mutex<ServiceManager?>(nil)

    /// Takes the service manager from the environment. Called before a second thread exists, since all threads share
    /// the environment.
    ///
    /// - Parameter arguments: the command line without the program's name.
    static func setUpProcess(_ arguments: [String]) {
        guard arguments.prefix(2) == ["agent", "run"] else { return }
        let taken = ServiceManager.takeFromEnvironment()
        manager.withLock { $0 = taken }
    }
}

/// `portolan agent status`.
struct AgentStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        "status", "Show whether the agent runs, and its work.",
        examples: """
            portolan agent status
            portolan agent status --json
            """,
        manual: """
            It has a line for each folder that stands still, with the reason. With --json: the object 'Status' of the local API. Ends with \
            69 if no agent runs.
            """)

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let status = try await Settings(shared).agentClient().status()
        console.say("“\(DisplayText(status.name))”, process \(status.process), since \(Human.minute(status.started))")
        console.say("outbox: \(status.outbox.waiting) waiting, \(status.outbox.running) on the way")
        console.say("inbox:  \(status.inbox.waiting) waiting for a decision")
        console.say("state:  \(DisplayText(status.state))")
        for problem in status.problems { console.diagnose(DisplayText(sentence: problem, limit: 1000).text) }
        try console.emit(.agentStatus, status)
    }
}
