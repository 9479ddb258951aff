import Portolan
import PortolanClient
import PortolanSettings

extension Settings {
    /// Folder of the socket of root's agent that is a service of the machine.
    static let machineRuntime = "/run/portolan"

    /// Path of the socket at which the agent of this home listens.
    ///
    /// For root, the socket of the machine's service comes first. Otherwise the socket is in the runtime directory of
    /// the user, even if the environment does not name it, as in a job of cron. Without such a directory, as in a
    /// container, the socket is in the agent's state folder.
    var agentSocket: String {
        let machine = Self.machineRuntime + "/api.sock"
        if home.root == nil, geteuid() == 0, access(machine, F_OK) == 0 { return machine }
        let named = "/run/user/\(geteuid())"
        var status = stat()
        let isThere = lstat(named, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
        let folder = home.runtime ?? (isThere ? named + "/portolan" : home.state + "/agent")
        return folder + "/api.sock"
    }

    /// Client of the agent of this home.
    func agentClient() throws -> AgentClient { try AgentClient(socket: agentSocket) }
}
