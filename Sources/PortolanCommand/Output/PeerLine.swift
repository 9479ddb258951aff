import Portolan
import PortolanCrypto
import PortolanDiscovery
import PortolanTrust

/// How a peer is shown: first the words of this side, then the name that the peer gives itself, which is unproven.
enum PeerLine {
    /// `“debian”`, `“debian (2)”, calls itself “debian”`.
    private static func name(_ peer: Peer) -> String {
        guard let name = peer.localName else { return "“\(DisplayText(peer.name, limit: 63))”" }
        let announced = name == peer.ownName ? "" : ", calls itself “\(DisplayText(peer.ownName, limit: 63))”"
        return "“\(DisplayText(name, limit: 63))”\(announced)"
    }

    static func text(_ peer: Peer) -> String {
        let fingerprint = peer.fingerprint?.description ?? "no fingerprint"
        let addresses = peer.addresses.isEmpty ? "no address" : peer.addresses.map(\.description).joined(separator: " ")
        return "\(fingerprint)  \(peer.isKnown ? "known" : "new")  \(peer.standing)  "
            + "\(name(peer))  \(addresses)  (\(peer.foundBy))"
    }
}

extension JSONValue {
    static func peerMembers(_ peer: Peer) -> [String: JSONValue] {
        [
            "name": .peerText(peer.name), "fingerprint": .optional(peer.fingerprint) { .string($0.description) },
            "known": .bool(peer.isKnown), "standing": .string(peer.standing.description),
            "contact": .bool(peer.standing.isContact), "teams": .memberships(peer.standing),
            "addresses": .array(peer.addresses.map { .string($0.description) }), "foundBy": .string(peer.foundBy),
            "localName": .optional(peer.localName, JSONValue.peerText),
        ]
    }

    static func remote(_ peer: RemotePeer) -> JSONValue {
        .object([
            "name": .peerText(peer.name), "fingerprint": .string(peer.fingerprint.description),
            "address": .string(peer.address), "known": .bool(peer.isKnown),
            "contact": .bool(peer.standing.isContact), "teams": .memberships(peer.standing),
            "localName": .peerText(peer.localName),
            "namesakeOf": .optional(peer.namesakeOf) { .string($0.description) },
        ])
    }

    private static func memberships(_ standing: Standing) -> JSONValue {
        .array(
            standing.memberships.map { membership in
                .object([
                    "team": .string(membership.teamName.text), "id": .string(membership.team.description),
                    "groups": .names(membership.groups), "admin": .bool(membership.isAdmin),
                ])
            })
    }
}

extension Event {
    static func peer(_ peer: Peer) -> Event { Event(.peer, JSONValue.peerMembers(peer)) }

    static func gone(_ peer: Peer) -> Event {
        Event(
            .peerGone,
            ["name": .peerText(peer.name), "fingerprint": .optional(peer.fingerprint) { .string($0.description) }])
    }
}
