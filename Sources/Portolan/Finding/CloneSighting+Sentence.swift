import PortolanCrypto
import PortolanDiscovery

extension CloneSighting {
    /// For a person.
    var sentence: String {
        let places = hosts.map { host in
            "\(host.name)\(host.addresses.first.map { " at \($0)" } ?? "")"
        }.joined(separator: ", ")
        let what =
            switch kind {
            case .severalHosts: "The key \(fingerprint) is shown by several machines"
            case .ownElsewhere: "This device's own key \(fingerprint) is shown by another machine, too"
            }
        return
            "\(what): \(places). It may have just changed its address; else a disk was copied, and each of them can pose "
            + "as the other. Give one of them a key of its own: portolan id --new-key"
    }
}
