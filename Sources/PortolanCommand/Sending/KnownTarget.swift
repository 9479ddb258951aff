import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanTrust
import PortolanValues

/// Whether anybody that this device has heard of can be meant by what something is queued for.
enum KnownTarget {
    /// Whether a target is a place, a team, a contact, a member of a team, a device that something was exchanged with, or one in sight
    /// of the agent.
    ///
    /// - Throws: `StoreError`, and what the agent throws.
    static func isKnown(_ target: String, at client: AgentClient, _ node: Node, _ settings: Settings) async throws
        -> Bool
    {
        if Node.isAddress(target) || TeamTarget.names(target) { return true }
        let home = settings.home
        var known = try await withLookupThread { () throws in
            try KnownPeers(home: home).all().flatMap { peer in
                [peer.name, peer.announcedName].map { Self.peer($0.text, peer.fingerprint) }
            }
        }
        known += try await node.teams().flatMap(\.team.members).map { peer($0.name.text, $0.key.fingerprint) }
        if !Node.peers(meantBy: target, among: known).isEmpty { return true }
        // Asked last: a name that is known costs no question.
        let seen = try await client.peers().flatMap { found in
            [found.name, found.announcedName ?? found.name].map { name in
                peer(name, found.fingerprint.flatMap { Fingerprint(parsing: $0) })
            }
        }
        return !Node.peers(meantBy: target, among: seen).isEmpty
    }

    private static func peer(_ name: String, _ fingerprint: Fingerprint?) -> Peer {
        Peer(name: name, fingerprint: fingerprint, addresses: [], foundBy: "")
    }

    /// The warning about a name that nobody has.
    static func warning(_ target: String) -> String {
        "Nobody is known as “\(DisplayText(target, limit: 100))”. It waits until such a device is in sight; 'portolan contacts' and "
            + "'portolan peers' show whom there is, and 'portolan outbox cancel' takes it back."
    }
}
