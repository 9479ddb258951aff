/// Finds peers on the local network and makes this device findable: mDNS/DNS-SD for `_portolan._tcp`.
///
/// Whatever it reports is a hint from anyone on the network. The handshake proves who is there; until then a record is good
/// for one thing, an address to try.
package protocol Discovery: Sendable {
    var backend: DiscoveryBackend { get }

    /// Looks around until the stream is dropped or discovery is shut down. What is known already comes first.
    func browse() -> AsyncStream<DiscoveryEvent>

    /// Asks for one service by its instance name, on every link, until the stream is dropped or discovery is shut down.
    ///
    /// For a network on which so many services are advertised that one more goes unseen. The events are of that service alone, and
    /// of the backend; there is no `settled`.
    func seek(_ instance: String) -> AsyncStream<DiscoveryEvent>

    /// Makes the device visible. Returns once publishing has begun; the handle's `names` tell when and as what it is visible.
    func advertise(_ advertisement: Advertisement) async throws(DiscoveryError) -> AdvertisementHandle

    /// Withdraws everything, says goodbye to the network and ends all streams. Returns when that is done.
    func shutdown() async
}

/// Who does the work of mDNS.
public enum DiscoveryBackend: String, Sendable, CaseIterable {
    /// The system's Avahi daemon.
    case avahi
    /// Avahi's mDNS stack inside this process, for machines without the daemon.
    case embedded
    /// No one: addresses given by hand.
    case fixed
}

package enum DiscoveryEvent: Hashable, Sendable {
    /// New, or changed since it was last found.
    case found(ServiceRecord)
    case lost(ServiceRecord.ID)
    /// The network has had time to answer; more may come at any time. Once per stream.
    case settled
    /// More services are advertised than a network of people has, and some may go unseen: how many names were seen so far. Again each
    /// time that the number has doubled.
    case crowded(Int)
    /// Nothing can be found for now, and why. What was found stays for a while; it may still be there.
    case unavailable(String)
    case recovered
}

/// Which backend to use.
package enum DiscoveryChoice: String, Sendable, CaseIterable {
    /// The daemon if one answers at once, else inside the process. A daemon that stops later is done without until it runs again; one that
    /// did not run at the start is used by the next process.
    case automatic
    case avahi
    case embedded
}
