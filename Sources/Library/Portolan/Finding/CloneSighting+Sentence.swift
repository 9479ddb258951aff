import PortolanDiscovery

extension CloneReport {
    /// Sentences for a person: the observation, that it is no proof, and a way to find out.
    var sentence: String {
        let places = hosts.map { host in
            "\(host.name)\(host.addresses.first.map { " at \($0)" } ?? "")"
        }.joined(separator: ", ")
        switch kind {
        case .severalHosts:
            return
                "The fingerprint \(fingerprint) is advertised by several machines: \(places). \(Self.doubt) Only if two of those that "
                + "are known to you have this fingerprint, a disk was copied, and one of them needs a key of its own. If not, no key "
                + "needs to change."
        case .ownElsewhere:
            return
                "This device's own fingerprint \(fingerprint) is advertised by another machine, too: \(places). \(Self.doubt) Only "
                + "if you copied this machine's disk and the copy has this fingerprint, give the copy a key of its own. If you copied "
                + "no disk, keep your key."
        }
    }

    private static let doubt =
        "Anybody on the network can advertise any fingerprint, so this proves nothing; a machine that has just changed its address "
        + "looks like this for two minutes, too."
}
