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
