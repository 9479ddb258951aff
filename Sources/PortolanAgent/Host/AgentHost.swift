/// Set-up of an agent's process, made before it has threads.
package struct AgentHost: Sendable {
    /// Service manager to notify; nil for none.
    package let manager: ServiceManager?
    /// Confinement; nil if it was not requested.
    package let confinement: AgentConfinement?
    /// Exit status after which the starter of this process restarts it at once; nil for no restart.
    package let restartStatus: Int32?

    package init(
        manager: ServiceManager? = nil, confinement: AgentConfinement? = nil, restartStatus: Int32? = nil
    ) {
        self.manager = manager
        self.confinement = confinement
        self.restartStatus = restartStatus
    }
}

/// Reason why an agent ended without a failure.
package enum AgentEnd: Sendable, Hashable {
    case stopped
    /// Restart at once: a confined process cannot be released from its confinement.
    case forRestart
}
