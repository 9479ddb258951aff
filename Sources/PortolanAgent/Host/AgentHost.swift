/// Set-up of an agent's process from before it had threads.
package struct AgentHost: Sendable {
    /// nil if no service manager wants to be told anything.
    package let manager: ServiceManager?
    /// nil if nothing was said about it.
    package let confinement: AgentConfinement?
    /// Exit status after which whoever started this process starts it again at once; nil if nobody does.
    package let restartStatus: Int32?

    package init(
        manager: ServiceManager? = nil, confinement: AgentConfinement? = nil, restartStatus: Int32? = nil
    ) {
        self.manager = manager
        self.confinement = confinement
        self.restartStatus = restartStatus
    }
}

/// End of an agent that did not fail.
package enum AgentEnd: Sendable, Hashable {
    case stopped
    /// It is to be started again at once: a process that is held in cannot be let out.
    case forRestart
}
