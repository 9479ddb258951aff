import Portolan
import PortolanClient

// Visible peers as values of the local API.

extension AgentAPI.Peer {
    init(_ peer: Portolan.Peer) {
        let memberships = peer.standing.memberships
        self.init(
            name: peer.localName ?? peer.name, announcedName: peer.name, fingerprint: peer.fingerprint?.description,
            known: peer.isKnown, contact: peer.standing.isContact, standing: "\(peer.standing)",
            teams: memberships.flatMap { membership in
                let team = "@\(membership.teamName.text)"
                return membership.groups.isEmpty ? [team] : membership.groups.map { "\(team)/\($0.text)" }
            },
            memberships: memberships.map { membership in
                AgentAPI.Membership(
                    team: membership.teamName.text, id: membership.team.description,
                    groups: membership.groups.map(\.text), admin: membership.isAdmin)
            },
            addresses: peer.addresses.map { "\($0)" }, foundBy: peer.foundBy)
    }
}

extension AgentAPI.PeerList {
    init(_ sight: PeerSnapshot) {
        self.init(
            peers: sight.peers.map { AgentAPI.Peer($0) }, note: sight.note,
            clones: sight.clones.isEmpty ? nil : sight.clones, remarks: sight.remarks.isEmpty ? nil : sight.remarks)
    }
}
