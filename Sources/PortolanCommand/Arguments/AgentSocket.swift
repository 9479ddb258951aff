import Portolan
import PortolanClient
import PortolanTrust

extension Settings {
    /// Path of the socket at which the agent of this home listens.
    ///
    /// - Throws: `CommandFailure` where the system offers no place for sockets.
    func agentSocket() throws -> String {
        guard let runtime = home.runtime else {
            throw CommandFailure(
                .usage,
                "There is no place for the agent's socket: XDG_RUNTIME_DIR is not set. Set it, or name a directory with --home."
            )
        }
        return runtime + "/api.sock"
    }

    /// Client of the agent of this home.
    func agentClient() throws -> AgentClient { try AgentClient(socket: agentSocket()) }
}
