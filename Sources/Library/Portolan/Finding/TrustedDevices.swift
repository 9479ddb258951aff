/// Trusted devices that a name can mean.
struct TrustedDevices: Sendable {
    /// Each once.
    let devices: [(name: DeviceName, key: Fingerprint)]
    /// Keys of contacts and members of teams.
    let trusted: Set<Fingerprint>

    /// True if a peer with exactly the name is found without asking the user: it is trusted, or no trusted device has
    /// the name.
    func admits(_ peer: Peer) -> Bool { devices.isEmpty || peer.fingerprint.map(trusted.contains) ?? false }

    /// The devices that are not in `found`; those that are not announced have no address.
    func rivals(of found: [Peer], in peers: [Peer]) -> [Peer] {
        devices.filter { device in !found.contains { $0.fingerprint == device.key } }.map { device in
            peers.first { $0.fingerprint == device.key }
                ?? Peer(name: device.name.text, fingerprint: device.key, addresses: [], foundBy: "")
        }
    }
}

extension TrustedDevices {
    /// Members of teams whom this device knows by other names or not at all. Any device can announce the name that a
    /// roster gives a member, so another device of that name is used only after the user was asked.
    ///
    /// - Parameters:
    ///   - wanted: the name as it was given; a whole fingerprint is no name.
    ///   - members: members of teams that this device does not know by this name, with their names in the rosters.
    init(called wanted: String, among members: [(name: DeviceName, key: Fingerprint)], trusted: Set<Fingerprint>) {
        let key = Fingerprint(parsing: wanted) == nil ? (try? DeviceName(wanted))?.comparisonKey : nil
        var seen: Set<Fingerprint> = []
        devices = members.filter { $0.name.comparisonKey == key && seen.insert($0.key).inserted }
        self.trusted = trusted
    }
}
