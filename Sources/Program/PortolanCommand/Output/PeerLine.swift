import Portolan
import PortolanClient

/// Text about a peer with all known facts. The name comes first, in quotation marks that it cannot close.
enum PeerLine {
    static func text(_ peer: Peer) -> String { text(PeerRow(peer)) }

    /// Text about a peer that the agent has in sight.
    static func text(_ peer: AgentAPI.Peer) -> String { text(PeerRow(peer)) }

    static func text(_ row: PeerRow) -> String {
        let addresses = row.addresses.isEmpty ? "no address" : row.addresses.joined(separator: " ")
        return
            "\(name(row))  \(row.standing)  \(row.fingerprint?.description ?? "no key")  \(addresses)  (\(row.foundBy))"
    }

    /// `“debian”`, `“debian (2)”, calls itself “debian”`.
    private static func name(_ row: PeerRow) -> String {
        let announced = row.name == row.ownName ? "" : ", calls itself “\(DisplayText(row.ownName, limit: 63))”"
        return "“\(DisplayText(row.name, limit: 63))”\(announced)"
    }
}

extension NodeEvent.PeerState {
    /// Converts a peer of the agent to this process's form.
    init(_ peer: AgentAPI.Peer) throws {
        let memberships = (peer.memberships ?? []).map { membership in
            JSONValue.object([
                "team": .string(membership.team), "id": .string(membership.id), "admin": .bool(membership.admin),
                "groups": .array(membership.groups.map { .string($0) }),
            ])
        }
        let state = JSONValue.object([
            "name": .string(String(peerText: peer.announcedName ?? peer.name)),
            "fingerprint": peer.fingerprint.map { .string($0) } ?? .null,
            "known": .bool(peer.known), "standing": .string(peer.standing ?? ""), "contact": .bool(peer.contact),
            "teams": .array(memberships), "addresses": .array(peer.addresses.map { .string($0) }),
            "foundBy": .string(peer.foundBy),
            "localName": peer.known ? .string(String(peerText: peer.name)) : .null,
        ])
        self = try APICoding.decode(Self.self, from: try APICoding.encode(state))
    }
}
