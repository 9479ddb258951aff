import ArgumentParser
import Portolan
import PortolanAgent
import PortolanClient
import PortolanTrust

/// `portolan agent`: the device's part that stays.
struct AgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Stay: receive by a policy, deliver what is queued, and keep a journal.",
        discussion: """
            One agent runs for each home. What it takes is said by 'policy.yaml' beside the configuration file \
            ('portolan id' shows where); without that file, strangers are declined, and what contacts and members of teams offer \
            waits in the inbox for a decision, of which its sender is told.

              portolan agent run
              portolan agent status
              portolan send report.pdf --to laptop --queue
              portolan outbox
              portolan inbox
              portolan events --follow
              curl --unix-socket "$XDG_RUNTIME_DIR/portolan/api.sock" http://portolan/v1/status
            """,
        subcommands: [AgentRunCommand.self, AgentStatusCommand.self])
}

/// `portolan agent run`.
struct AgentRunCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the agent in the foreground, until stopped.",
        discussion: """
            Ctrl-C and SIGTERM stop it within 5 seconds, with 0; what was being delivered is delivered by the next agent. SIGHUP \
            loads the policy again. A policy that cannot be loaded is reported and the old one stays; with one of that kind it does \
            not start.

              portolan agent run
              portolan agent run --port 47300 --interface eth0
            """)

    @OptionGroup var listening: ListeningOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let settings = try Settings(shared)
        let socket = settings.agentSocket
        let agent = try await Agent(
            settings: settings, node: listening.configuration(settings, network), version: Root.version
        ) { sentence in
            console.diagnose(sentence)
        }
        Interruption.onHangup {
            Task {
                let problems = await agent.reload()
                for problem in problems { console.diagnose(problem) }
                if problems.isEmpty { console.remark("The policy is loaded.") }
            }
        }
        try await agent.run(socket: socket) {
            console.say("The agent runs. Its local API is at \(DisplayText(socket).text)")
            try? console.emit(["socket": socket])
        }
    }
}

/// `portolan agent status`.
struct AgentStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the agent runs, and what it has to do.",
        discussion: "With --json: the object 'Status' of the local API. Ends with 69 if no agent runs.")

    @OptionGroup var shared: SharedOptions

    func perform(_ console: Console) async throws {
        let status = try await Settings(shared).agentClient().status()
        console.say("“\(DisplayText(status.name))”, process \(status.process), since \(Human.minute(status.started))")
        console.say("outbox: \(status.outbox.waiting) waiting, \(status.outbox.running) on the way")
        console.say("inbox:  \(status.inbox.waiting) waiting for a decision")
        console.say("state:  \(DisplayText(status.state))")
        for problem in status.problems { console.diagnose(DisplayText(sentence: problem, limit: 1000).text) }
        try console.emit(status)
    }
}
