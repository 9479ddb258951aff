import Foundation
import Glibc
import Portolan
import PortolanClient

extension Settings {
    /// Path of the local API of this home's agent.
    ///
    /// It is in the runtime directory of the user, also where the environment does not name it, as in a job of cron. On a machine that has
    /// none, as in a container, it is in the agent's folder of the state.
    var agentSocket: String {
        let named = "/run/user/\(geteuid())"
        var status = stat()
        let isThere = lstat(named, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
        let folder = home.runtime ?? (isThere ? named + "/portolan" : home.state + "/agent")
        return folder + "/api.sock"
    }

    /// Client of the agent of this home.
    func agentClient() throws -> AgentClient { try AgentClient(socket: agentSocket) }
}
