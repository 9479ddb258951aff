/// Set-up of an agent's process from before it had threads.
package struct AgentHost: Sendable {
    /// nil if no service manager wants to be told anything.
    package let manager: ServiceManager?
    /// nil if nothing was said about it.
    package let confinement: AgentConfinement?

    package init(manager: ServiceManager? = nil, confinement: AgentConfinement? = nil) {
        self.manager = manager
        self.confinement = confinement
    }
}
