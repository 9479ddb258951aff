import ArgumentParser
import Glibc
import Portolan
import PortolanClient
import PortolanTrust

/// Whether a command that works by itself leaves its work to the agent of the home, where one runs.
struct AgentOptions: ParsableArguments {
    @Flag(name: .customLong("no-agent"), help: "Do it in this process, also where an agent runs.")
    var withoutAgent = false

    /// Client of the agent that is to do it; nil where none runs, or none is wanted.
    ///
    /// - Throws: `AgentClientError` for a socket of somebody else, or an agent that does not answer.
    func client(_ settings: Settings, _ console: Console) async throws -> AgentClient? {
        let socket = settings.agentSocket
        // Without an agent nothing else happens than before there were agents.
        guard !withoutAgent, access(socket, F_OK) == 0 else { return nil }
        let client = try settings.agentClient()
        do {
            _ = try await client.status()
        } catch AgentClientError.notRunning {
            return nil
        }
        console.explain("The agent at \(DisplayText(socket)) does it; with --no-agent this process would.")
        return client
    }
}
