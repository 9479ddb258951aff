import ArgumentParser
import Portolan
import PortolanClient
import PortolanSettings

/// Option that keeps a command from leaving its work to the agent of the home.
struct AgentOptions: ParsableArguments {
    @Flag(name: .customLong("no-agent"), help: "Do it in this process, or not at all, also where an agent runs.")
    var withoutAgent = false

    /// Client of the agent that is to do it; nil if none runs, or none is wanted.
    ///
    /// - Throws: `AgentClientError` for a socket of another user, or an agent that does not answer.
    func client(_ settings: Settings, _ console: Console) async throws -> AgentClient? {
        guard let client = try await running(settings) else { return nil }
        console.explain(
            "The agent at \(DisplayText(settings.agentSocket)) does it; with --no-agent this process would.")
        return client
    }

    /// Returns the client like ``client(_:_:)``, for a command that works beside the agent. Prints nothing.
    func running(_ settings: Settings) async throws -> AgentClient? {
        // Without an agent the command works in this process.
        withoutAgent ? nil : try await ofHome(settings)
    }

    /// Client of the agent of the home if one runs, with any options.
    func ofHome(_ settings: Settings) async throws -> AgentClient? {
        // No agent can listen at a path that no socket can have.
        guard let path = try? SocketPath(settings.agentSocket), access(path.text, F_OK) == 0 else { return nil }
        let client = try settings.agentClient()
        do {
            _ = try await client.status()
        } catch AgentClientError.notRunning {
            return nil
        }
        return client
    }

    /// Client for a command that needs an agent. The first request shows whether one runs.
    ///
    /// - Parameter timeout: longest time for an answer; nil for the default.
    /// - Throws: `CommandFailure` if the user excludes the agent, `AgentClientError` for a path that no socket can
    ///   have.
    func neededClient(_ settings: Settings, _ console: Console, timeout: Duration? = nil) throws -> AgentClient {
        guard !withoutAgent else {
            throw CommandFailure(
                .usage, "This command is about the agent's state, and needs an agent; leave --no-agent out.")
        }
        console.explain("The agent at \(DisplayText(settings.agentSocket)) is asked; nothing else could do it.")
        guard let timeout else { return try settings.agentClient() }
        return try AgentClient(socket: settings.agentSocket, timeout: timeout)
    }
}

/// Options of a command that the agent does or helps with, and that touches no network of its own.
struct AgentSubcommandOptions: ParsableArguments {
    @OptionGroup var agent: AgentOptions
    @OptionGroup var shared: SharedOptions

    /// Client for a command that needs an agent; see ``AgentOptions/neededClient(_:_:timeout:)``.
    func neededClient(_ console: Console) throws -> AgentClient { try agent.neededClient(Settings(shared), console) }
}
