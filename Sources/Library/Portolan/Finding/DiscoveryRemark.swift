import PortolanDiscovery

/// Sentences for a person about a network with too many records, or with records that cannot be used.
enum DiscoveryRemark {
    /// - Parameter addresses: announced addresses that are not tried, because they are not on the link of the
    ///   announcement.
    static func offLink(_ addresses: [NetworkAddress]) -> String {
        let shown = addresses.prefix(3).map { "\($0) (heard on \($0.interface?.name ?? "no link"))" }
        let rest = addresses.count > shown.count ? " and \(addresses.count - shown.count) more" : ""
        return "Advertised and not tried, because the address is not in a network of the link where it was heard: "
            + shown.joined(separator: ", ") + rest + ". If you know the machine there, name it as host:port."
    }

    /// - Parameter count: services advertised.
    static func crowd(_ count: Int) -> String {
        "The network is flooded: more than \(count) services of unknown origin are advertised as Portolan, so that a peer can go "
            + "unseen. Name it as host:port, and find out who floods: avahi-browse -r _portolan._tcp"
    }
}

extension PeerDirectory {
    /// Warnings about the network: a flood of services, and addresses off their link.
    var remarks: [String] {
        let offLink = offLinkAddresses { _, _ in true }
        return (crowd.map { [DiscoveryRemark.crowd($0)] } ?? [])
            + (offLink.isEmpty ? [] : [DiscoveryRemark.offLink(offLink)])
    }
}
