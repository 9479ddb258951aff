/// Name that may be a machine's: devices are called `ada@laptop` by default, and people say `laptop`.
struct HostTarget: Sendable {
    private let host: String
    /// Keys that this device knows as devices of that host. If there are any, no other device is meant.
    private let owners: Set<Fingerprint>
    /// The trusted devices of that host.
    let contacts: TrustedDevices
    /// Name of a contact on that host, for the sentence that it is absent; nil if there is none.
    var contact: DeviceName? { contacts.devices.first?.name }
    /// Key of the only trusted device of that host; nil if there is none, or more than one.
    var key: Fingerprint? { contacts.devices.count == 1 ? contacts.devices[0].key : nil }

    /// - Parameters:
    ///   - wanted: the name as it was given.
    ///   - known: names of devices that are known here, with their keys.
    ///   - trusted: keys among them of contacts and members of teams, before whom no other device of the host is meant.
    /// - Returns: nil where it means no host: it is itself the name of one that is trusted, or of one that is known
    ///   where none of the host is trusted, or it has an account or a fingerprint's form.
    init?(_ wanted: String, known: [(name: DeviceName, key: Fingerprint)], trusted: Set<Fingerprint> = []) {
        guard let name = try? DeviceName(wanted), !wanted.contains("@"), Fingerprint(parsing: wanted) == nil else {
            return nil
        }
        let ofHost = known.filter { Self.host(of: $0.name.text) == name.comparisonKey }
        var seen: Set<Fingerprint> = []
        let contacts = ofHost.filter { trusted.contains($0.key) && seen.insert($0.key).inserted }
        // A device that was met once can announce the host's name afterwards.
        let owning = contacts.isEmpty ? known : known.filter { trusted.contains($0.key) }
        guard !owning.contains(where: { $0.name.comparisonKey == name.comparisonKey }) else { return nil }
        host = name.comparisonKey
        owners = Set((contacts.isEmpty ? ofHost : contacts).map(\.key))
        self.contacts = TrustedDevices(devices: contacts, trusted: trusted)
    }

    /// The peers of that host.
    func matches(in peers: [Peer]) -> [Peer] {
        peers.filter { peer in
            guard [peer.localName, peer.ownName].contains(where: { Self.host(of: $0) == host }) else { return false }
            return owners.isEmpty || peer.fingerprint.map(owners.contains) ?? false
        }
    }

    /// Host part of a name such as `ada@laptop`, normalised for comparison; nil for other names.
    static func host(of name: String?) -> String? {
        guard let name, let mark = name.firstIndex(of: "@"), mark != name.startIndex else { return nil }
        return (try? DeviceName(name[name.index(after: mark)...]))?.comparisonKey
    }
}

extension Target {
    /// Peers that a name or the beginning of a fingerprint means, else those of the host of that name.
    static func meant(by text: String, in peers: [Peer]) -> [Peer] {
        let named = matches(text, in: peers)
        return named.isEmpty ? HostTarget(text, known: [])?.matches(in: peers) ?? [] : named
    }

    /// Peers with the most similar names, for a suggestion; hosts count as names, too.
    static func near(_ text: String, in peers: [Peer]) -> [Peer] {
        func names(_ peer: Peer) -> [String] {
            [peer.localName, peer.ownName, HostTarget.host(of: peer.ownName)].compactMap(\.self)
        }
        let near = Set(NearText.nearest(to: text, among: peers.flatMap(names)))
        return peers.filter { !near.isDisjoint(with: names($0)) }
    }
}
