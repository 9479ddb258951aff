/// Name that rosters give to members whom this device knows by other names or not at all. Any device can announce such
/// a name, so another device of that name is used only after the user was asked.
struct MemberTarget: Sendable {
    /// The members of that name, each once.
    private let members: [(name: DeviceName, key: Fingerprint)]
    private let trusted: Set<Fingerprint>

    /// - Parameters:
    ///   - wanted: the name as it was given; a whole fingerprint is no name.
    ///   - members: members of teams that this device does not know by this name, with their names in the rosters.
    ///   - trusted: keys keys of contacts and members, which the name can mean as well.
    init(_ wanted: String, members: [(name: DeviceName, key: Fingerprint)], trusted: Set<Fingerprint>) {
        let key = Fingerprint(parsing: wanted) == nil ? (try? DeviceName(wanted))?.comparisonKey : nil
        var seen: Set<Fingerprint> = []
        self.members = members.filter { $0.name.comparisonKey == key && seen.insert($0.key).inserted }
        self.trusted = trusted
    }

    /// True if a peer with the name is used without asking the user.
    func allows(_ peer: Peer) -> Bool { members.isEmpty || peer.fingerprint.map(trusted.contains) ?? false }

    /// Members with the name that are not in `found`; members that are not announced have no address.
    func rivals(of found: [Peer], in peers: [Peer]) -> [Peer] {
        members.filter { member in !found.contains { $0.fingerprint == member.key } }.map { member in
            peers.first { $0.fingerprint == member.key }
                ?? Peer(name: member.name.text, fingerprint: member.key, addresses: [], foundBy: "")
        }
    }
}
