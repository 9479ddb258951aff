/// Selection and order of a peer's addresses.
///
/// The checks prove nothing: an accepted address is merely worth an attempt, and the handshake authenticates the peer.
package enum AddressRanker {
    /// Source of an address.
    package enum Origin: Sendable {
        /// A record from the network, which anyone may have forged.
        case network
        /// The user, who may name this machine itself.
        case user
    }

    /// Reason why `address` is not tried; nil if it may be.
    package static func refusal(of address: NetworkAddress, from origin: Origin) -> AddressRefusal? {
        let ip = address.ip
        if address.port == 0 { return .noPort }
        if ip.isUnspecified { return .unspecified }
        if ip.isMulticast { return .multicast }
        if ip.isReserved { return .reserved }
        // The kernel would connect to the embedded IPv4 address, which bypasses the rules for IPv4 above.
        if ip.embedsV4 { return .disguised }
        if ip.isV6, ip.isLinkLocal, address.interface == nil { return .linkLocalWithoutInterface }
        if origin == .network {
            // With "127.0.0.1" from the network, this machine would connect to itself, to any service there.
            if ip.isLoopback, address.interface?.isLoopback != true { return .loopbackFromOutside }
        }
        return nil
    }

    /// Orders addresses, the likeliest first, each destination once.
    ///
    /// Order: the machine itself, addresses learnt on physical links, those given without a link, then those learnt on
    /// bridges of containers and tunnels of VPNs, which mostly are private networks out of reach. Within one kind IPv6
    /// and IPv4 alternate (RFC 8305 §4), link-local ones after the rest.
    ///
    /// - Parameter lastGood: the destination that answered last time, put first if it is among them.
    package static func ordered(
        _ addresses: some Sequence<NetworkAddress>, lastGood: NetworkAddress.Destination? = nil
    ) -> [NetworkAddress] {
        let sorted = addresses.map { (rank: AddressRank($0, lastGood: lastGood), address: $0) }
            .sorted { ($0.rank, $0.address.tieBreaker) < ($1.rank, $1.address.tieBreaker) }
        var seen: Set<NetworkAddress.Destination> = []
        let unique = sorted.filter { seen.insert($0.address.destination).inserted }
        return unique.chunked { $0.rank == $1.rank }.flatMap { takingTurns($0.map(\.address)) }
    }

    /// Alternates the families, IPv6 first, until one has run out.
    private static func takingTurns(_ addresses: [NetworkAddress]) -> [NetworkAddress] {
        var six = addresses.filter { $0.ip.isV6 }[...]
        var four = addresses.filter { !$0.ip.isV6 }[...]
        var turns: [NetworkAddress] = []
        while !six.isEmpty || !four.isEmpty {
            if let next = six.popFirst() { turns.append(next) }
            if let next = four.popFirst() { turns.append(next) }
        }
        return turns
    }
}

/// Reason why an address is not tried.
package enum AddressRefusal: Hashable, Sendable, CustomStringConvertible {
    case noPort, unspecified, multicast, reserved, disguised, linkLocalWithoutInterface, loopbackFromOutside
    /// The address was announced on a link whose networks do not contain it; see ``LinkPrefixes``.
    case offLink

    package var description: String {
        switch self {
        case .noPort: "Port 0 is no port to connect to."
        case .unspecified: "The unspecified address (0.0.0.0, ::) names no machine."
        case .multicast: "A multicast address names a group, not a machine."
        case .reserved: "The address is reserved or a broadcast and names no machine."
        case .disguised: "The IPv6 address hides an IPv4 address. Write the IPv4 address itself."
        case .linkLocalWithoutInterface: "A link-local address needs its interface, as in [fe80::1%eth0]:47217."
        case .offLink:
            "The address is not on the link where it was heard. What the network says counts on its link only; write host:port "
                + "to reach another network."
        case .loopbackFromOutside: "A loopback address that came over the network points at this machine itself."
        }
    }
}

/// Rank of an address; a smaller one is likelier.
private struct AddressRank: Comparable {
    private let isLastGood: Bool
    private let link: Int
    private let isLinkLocal: Bool

    init(_ address: NetworkAddress, lastGood: NetworkAddress.Destination?) {
        isLastGood = address.destination == lastGood
        link =
            switch LinkKind(of: address.interface) {
            case .loopback: 0
            case .physical: 1
            case .unknown: address.ip.isLoopback ? 0 : 2
            case .virtual: 3
            }
        isLinkLocal = address.ip.isLinkLocal
    }

    static func < (left: AddressRank, right: AddressRank) -> Bool { left.key < right.key }

    private var key: (Int, Int, Int) { (isLastGood ? 0 : 1, link, isLinkLocal ? 1 : 0) }
}

/// Kind of a link, judged by its name.
package enum LinkKind: Sendable {
    case loopback, physical, virtual
    /// The address was not learnt on a link.
    case unknown

    package init(of interface: NetworkInterface?) {
        guard let interface else {
            self = .unknown
            return
        }
        if interface.isLoopback {
            self = .loopback
        } else if Self.virtualPrefixes.contains(where: interface.name.hasPrefix) {
            self = .virtual
        } else {
            self = .physical
        }
    }

    /// Beginnings of the names that container engines, hypervisors and VPNs give to the interfaces they make. `br-` is
    /// Docker's own; `br0`, which people make of their network card, is not among them.
    private static let virtualPrefixes = [
        "docker", "br-", "veth", "virbr", "vnet", "vmnet", "vboxnet", "lxcbr", "lxdbr", "incusbr", "podman", "cni",
        "flannel", "cali", "cilium", "kube", "weave", "tun", "tap", "wg", "tailscale", "zt", "nebula", "ppp", "ipsec",
        "nordlynx", "proton", "mullvad", "dummy", "ifb",
    ]
}

extension NetworkAddress {
    /// Secondary sort key, which makes the order equal on every run.
    fileprivate var tieBreaker: String { description }
}

extension Array {
    fileprivate func chunked(by belongsTogether: (Element, Element) -> Bool) -> [[Element]] {
        reduce(into: []) { chunks, element in
            if let last = chunks.last?.last, belongsTogether(last, element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
    }
}
