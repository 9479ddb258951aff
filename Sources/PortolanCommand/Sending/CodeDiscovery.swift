import Portolan

/// What it takes for two machines to exchange something by a code.
enum CodeDiscovery {
    /// Whoever shows the code looks for the device on which it was entered, by its key: no address says that.
    ///
    /// - Parameter advice: the way without a code.
    /// - Throws: `CommandFailure` where one of them cannot find the other, so that both would wait in vain.
    static func check(_ configuration: Node.Configuration, else advice: String) throws(CommandFailure) {
        guard configuration.discovery == .off else { return }
        throw CommandFailure(
            .unreachable,
            "Discovery is off, and with a code the two machines find each other by it, also where --at is given. "
                + advice)
    }
}
