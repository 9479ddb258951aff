import PortolanCrypto
import PortolanTrust
import PortolanValues

/// A name that rosters give to members of teams whom this device does not know by it. Anybody can announce such a name,
/// so that it means nobody else without a question.
struct MemberTarget: Sendable {
    /// The members of that name, each once.
    private let members: [(name: DeviceName, key: Fingerprint)]
    private let trusted: Set<Fingerprint>

    /// - Parameters:
    ///   - wanted: the name as it was given; a whole fingerprint is no name.
    ///   - members: of teams, with their names there, whose records on this device, if any, have other names.
    ///   - trusted: keys of contacts and members, who can be meant beside them.
    init(_ wanted: String, members: [(name: DeviceName, key: Fingerprint)], trusted: Set<Fingerprint>) {
        let key = Fingerprint(parsing: wanted) == nil ? (try? DeviceName(wanted))?.comparisonKey : nil
        var seen: Set<Fingerprint> = []
        self.members = members.filter { $0.name.comparisonKey == key && seen.insert($0.key).inserted }
        self.trusted = trusted
    }

    /// True if a peer of the name is meant without a question.
    func allows(_ peer: Peer) -> Bool { members.isEmpty || peer.fingerprint.map(trusted.contains) ?? false }

    /// The members besides those that were found; those that are not in sight have no address.
    func rivals(of found: [Peer], in peers: [Peer]) -> [Peer] {
        members.filter { member in !found.contains { $0.fingerprint == member.key } }.map { member in
            peers.first { $0.fingerprint == member.key }
                ?? Peer(name: member.name.text, fingerprint: member.key, addresses: [], foundBy: "")
        }
    }
}
