/// Set-up of an agent's process from before it had threads.
package struct AgentHost: Sendable {
    /// nil if no service manager wants to be told anything.
    package let manager: ServiceManager?
    /// nil if nothing was said about it.
    package let confinement: AgentConfinement?
    /// Gives back memory of the process when the agent is at rest; nil for a process that does other things, too. May block.
    package let shrink: (@Sendable () -> Void)?

    package init(
        manager: ServiceManager? = nil, confinement: AgentConfinement? = nil, shrink: (@Sendable () -> Void)? = nil
    ) {
        self.manager = manager
        self.confinement = confinement
        self.shrink = shrink
    }
}
