import PortolanCrypto
import PortolanDiscovery

extension CloneSighting {
    /// For a person.
    var sentence: String {
        let places = hosts.map { host in
            "\(host.name)\(host.addresses.first.map { " at \($0)" } ?? "")"
        }.joined(separator: ", ")
        switch kind {
        case .severalHosts:
            return
                "The key \(fingerprint) is shown by several machines: \(places). It may have just changed its address; else one is a copy of the other's disk, and each "
                + "can then pose as the other. Give one of them a key of its own: portolan id --new-key"
        case .ownElsewhere:
            return
                "This device's own key \(fingerprint) is shown by another machine: \(places). It may have just changed its address; else its disk is a copy of this one's, or the other "
                + "way round, and each can then pose as the other. Give one of them a key of its own: portolan id --new-key"
        }
    }
}
