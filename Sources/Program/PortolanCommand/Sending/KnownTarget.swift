import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanSettings

/// Check that the target of a queued item may be a known device.
enum KnownTarget {
    /// Checks whether a target is a place, a team, a contact, a member of a team, another known device, or a peer in
    /// sight of the agent.
    ///
    /// - Returns: nil for a known target; else a warning.
    /// - Throws: `StoreError`, and errors of the agent.
    static func warning(
        _ target: String, at client: AgentClient, _ node: Node, _ settings: Settings
    ) async throws -> String? {
        if Node.isAddress(target) || TeamTarget.names(target) { return nil }
        let home = settings.home
        var known = try await withLookupThread { () throws in
            try KnownPeers(home: home).all().flatMap { peer in
                [peer.name, peer.announcedName].map { Self.peer($0.text, peer.fingerprint) }
            }
        }
        known += try await node.teams().flatMap(\.team.members).map { peer($0.name.text, $0.key.fingerprint) }
        if !Node.peers(meantBy: target, among: known).isEmpty { return nil }
        // The agent is asked last, and only for an unknown name.
        let seen = try await client.peers().flatMap { found in
            [found.name, found.announcedName ?? found.name].map { name in
                peer(name, found.fingerprint.flatMap { Fingerprint(parsing: $0) })
            }
        }
        guard Node.peers(meantBy: target, among: seen).isEmpty else { return nil }
        return warning(target, near: Node.names(near: target, among: known + seen))
    }

    private static func peer(_ name: String, _ fingerprint: Fingerprint?) -> Peer {
        Peer(name: name, fingerprint: fingerprint, addresses: [], foundBy: "")
    }

    /// Warning about a name that no known device has.
    ///
    /// - Parameter names: names that may have been meant.
    static func warning(_ target: String, near names: [String]) -> String {
        let near = names.prefix(3).map { "“\(DisplayText($0, limit: 63))”" }.joined(separator: " or ")
        return "No device is known as “\(DisplayText(target, limit: 100))”"
            + (near.isEmpty ? "." : "; did you mean \(near)?")
            + " It waits until such a device is in sight; 'portolan contacts' and 'portolan peers' show known and "
            + "visible devices, and 'portolan outbox cancel' takes it back."
    }
}
