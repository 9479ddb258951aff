import Portolan
import PortolanClient
import PortolanCrypto
import PortolanDiscovery
import PortolanValues

/// How a peer is shown: first the words of this side, then the name that the peer gives itself, which is unproven.
enum PeerLine {
    /// `“debian”`, `“debian (2)”, calls itself “debian”`.
    private static func name(_ peer: Peer, known localName: String?) -> String {
        guard let name = localName else { return "“\(DisplayText(peer.name, limit: 63))”" }
        let announced = name == peer.ownName ? "" : ", calls itself “\(DisplayText(peer.ownName, limit: 63))”"
        return "“\(DisplayText(name, limit: 63))”\(announced)"
    }

    static func text(_ peer: Peer) -> String {
        text(
            peer, known: peer.isKnown, as: peer.localName, "\(peer.standing)", at: peer.addresses.map(\.description))
    }

    /// A peer that the agent has in sight.
    static func text(_ peer: AgentAPI.Peer) -> String {
        let found = Peer(
            name: peer.announcedName ?? peer.name, fingerprint: peer.fingerprint.flatMap { Fingerprint(parsing: $0) },
            addresses: [], foundBy: peer.foundBy)
        return text(
            found, known: peer.known, as: peer.known ? peer.name : nil, DisplayText(peer.standing ?? "").text,
            at: peer.addresses)
    }

    private static func text(
        _ peer: Peer, known isKnown: Bool, as localName: String?, _ standing: String, at addresses: [String]
    ) -> String {
        let fingerprint = peer.fingerprint?.description ?? "no fingerprint"
        let addresses = addresses.isEmpty ? "no address" : addresses.joined(separator: " ")
        return "\(fingerprint)  \(isKnown ? "known" : "new")  \(standing)  "
            + "\(name(peer, known: localName))  \(addresses)  (\(peer.foundBy))"
    }
}

extension NodeEvent.PeerState {
    /// A peer that the agent has in sight, as this process would tell of it.
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
