/// Finds peers on the local network and makes this device findable: mDNS/DNS-SD for `_portolan._tcp`.
///
/// Each report is an unproven claim from the network. The handshake authenticates the peer; until then a record is only
/// an address to try.
package protocol Discovery: Sendable {
    var backend: DiscoveryBackend { get }

    /// Browses until the stream is released or discovery is shut down. Known records come first.
    func browse() -> AsyncStream<DiscoveryEvent>

    /// Asks for one service by its instance name, on every link, until the stream is dropped or discovery is shut down.
    ///
    /// For crowded networks, on which browsing may miss a service. The stream has events of that service and of the
    /// backend, without `settled`.
    func seek(_ instance: String) -> AsyncStream<DiscoveryEvent>

    /// Makes the device visible. Returns once publishing has begun; the handle's `names` report each name under which
    /// it is visible.
    func advertise(_ advertisement: Advertisement) async throws(DiscoveryError) -> AdvertisementHandle

    /// Withdraws all advertisements, sends goodbye packets and ends all streams. Returns when that is done.
    func shutdown() async
}

/// Implementation of mDNS.
public enum DiscoveryBackend: String, Sendable, CaseIterable {
    /// The system's Avahi daemon.
    case avahi
    /// Avahi's mDNS stack inside this process, for machines without the daemon.
    case embedded
    /// No mDNS: addresses given by hand.
    case fixed
}

package enum DiscoveryEvent: Hashable, Sendable {
    /// A record that is new, or changed since its last event.
    case found(ServiceRecord)
    case lost(ServiceRecord.ID)
    /// The network has had time to answer; more may come at any time. Once per stream.
    case settled
    /// The network has so many services that some may be missed; with the number of names so far. Sent again each time
    /// the number has doubled.
    case crowded(Int)
    /// Browsing does not work for now, with the reason. Known records stay for a while.
    case unavailable(String)
    case recovered
}

/// Choice of a backend.
package enum DiscoveryChoice: String, Sendable, CaseIterable {
    /// The daemon if it answers at once, else the stack inside the process. If the daemon stops later, the process
    /// replaces it until it runs again; a daemon that starts later than the process is used by the next process.
    case automatic
    case avahi
    case embedded
}
