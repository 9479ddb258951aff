/// Reason why discovery could not start or could not advertise.
package enum DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchInterface(String)
    case noDaemon(reason: String)
    case embeddedFailed(reason: String)
    case unfitAdvertisement(String)
    case publishingFailed(reason: String)
    case shutDown

    package var description: String {
        switch self {
        case .noSuchInterface(let name): "This machine has no network interface “\(name)”. `ip link` lists them."
        case .noDaemon(let reason):
            "The Avahi daemon does not answer: \(reason). Start it (systemctl start avahi-daemon), or use the embedded discovery."
        case .embeddedFailed(let reason):
            "mDNS cannot run inside the process: \(reason). Peers can still be reached as host:port."
        case .unfitAdvertisement(let reason): "This device cannot be advertised: \(reason)."
        case .publishingFailed(let reason): "The device could not be made visible: \(reason)."
        case .shutDown: "Discovery has been shut down."
        }
    }
}
