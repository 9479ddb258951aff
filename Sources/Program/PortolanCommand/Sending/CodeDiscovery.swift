import Portolan

/// Condition for two machines to exchange items by a code.
enum CodeDiscovery {
    /// Checks that discovery is on, which a code needs: the device that shows the code finds the other device by its
    /// key, since the code has no address.
    ///
    /// - Parameter advice: the way to do it without a code.
    /// - Throws: `CommandFailure` if one device could not find the other, so that both would wait in vain.
    static func check(_ configuration: Node.Configuration, else advice: String) throws(CommandFailure) {
        guard configuration.discovery == .off else { return }
        throw CommandFailure(
            .unreachable,
            "Discovery is off, and with a code the two machines find each other by it, also where --at is given. "
                + advice)
    }
}
