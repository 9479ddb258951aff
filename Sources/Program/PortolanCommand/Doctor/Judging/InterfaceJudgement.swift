/// Facts about the interfaces.
enum InterfaceJudgement {
    static let unreadable = Finding(
        "interfaces", .fail(.interface), "The interfaces cannot be read: this process may open no netlink socket.",
        advice:
            "Permit AF_NETLINK in its confinement, such as RestrictAddressFamilies= or a container's seccomp profile.")

    /// - Parameters:
    ///   - interfaces: interfaces of the user's run.
    ///   - areChosen: true if the user named them; the loopback is as good as another one then.
    static func findings(_ interfaces: [InterfaceFacts], areChosen: Bool = false) -> [Finding] {
        var findings: [Finding] = []
        let isLoopbackChosen = areChosen && interfaces.contains { $0.kind == .loopback }
        if !isLoopbackChosen, !interfaces.contains(where: { $0.isUsable && $0.kind != .bridge }) {
            let seen = interfaces.filter { $0.kind != .loopback }.map(\.name).sorted()
            findings.append(
                Finding(
                    "interfaces", .fail(.interface),
                    seen.isEmpty
                        ? "There is no network interface but the loopback."
                        : "No interface is up with an address; there are \(seen.joined(separator: ", ")).",
                    advice: "Plug in the cable or join the wireless network, then look at 'ip address'."))
        }
        return findings + interfaces.flatMap(each)
    }

    private static func each(_ facts: InterfaceFacts) -> [Finding] {
        let probe = "interface \(facts.name)"
        guard facts.kind != .loopback else { return [Finding(probe, .ok, "loopback, for this machine alone.")] }
        guard facts.isUp else {
            return [Finding(probe, .ok, "down.", advice: "To use it: ip link set \(facts.name) up")]
        }
        guard facts.hasCarrier else {
            return [Finding(probe, .ok, "up, with no cable or no wireless network.", advice: "Connect it to use it.")]
        }
        guard !facts.addresses.isEmpty else {
            return [
                Finding(
                    probe, facts.kind == .ordinary ? .warn : .ok, "up, and has no address.",
                    advice: "Wait for DHCP, or give it one: ip address add ADDRESS/24 dev \(facts.name)")
            ]
        }
        let shown = facts.addresses.prefix(4).joined(separator: ", ")
        return [Finding(probe, .ok, "up, \(shown).")] + multicast(facts) + hints(facts)
    }

    private static func multicast(_ facts: InterfaceFacts) -> [Finding] {
        let probe = "mDNS on \(facts.name)"
        guard facts.canMulticast else {
            return [Finding(probe, .ok, "this interface carries no multicast.", advice: nameByAddress)]
        }
        switch facts.multicast {
        case .returned(let others):
            let heard = others == 0 ? "no other device was heard meanwhile" : "\(others) other host(s) were heard"
            return [Finding(probe, .ok, "a question to 224.0.0.251:5353 came back; \(heard).")]
        case .silent:
            return [
                Finding(
                    probe, facts.kind == .ordinary ? .fail(.multicast) : .warn,
                    "a question to 224.0.0.251:5353 was sent and did not come back within a second: something on "
                        + "this machine drops it.",
                    advice: "Let UDP port 5353 in, for example: ufw allow mdns, or "
                        + "firewall-cmd --add-service=mdns. \(nameByAddress)")
            ]
        case .failed(let reason):
            return [
                Finding(
                    probe, facts.kind == .ordinary ? .fail(.multicast) : .warn,
                    "a question to 224.0.0.251:5353 could not be sent: \(reason).",
                    advice: "Look for a route (ip route get 224.0.0.251) and for rules on outgoing packets. "
                        + nameByAddress)
            ]
        case .notTried(let reason): return [Finding(probe, .ok, "not tried: \(reason).")]
        }
    }

    private static let nameByAddress = "Until then, peers can be reached as --to HOST:PORT."

    private static func hints(_ facts: InterfaceFacts) -> [Finding] {
        switch facts.kind {
        case .ordinary, .loopback: []
        case .bridge:
            [
                Finding(
                    "hint \(facts.name)", .ok, "a bridge of containers or virtual machines of this machine.",
                    advice: "To leave it out, name the others with --interface.")
            ]
        case .tunnel:
            [
                Finding(
                    "hint \(facts.name)", .ok,
                    "a tunnel, as a VPN makes: it carries no mDNS, and may take the way "
                        + "to local addresses.",
                    advice: "If a peer is silent, try without the VPN, or let it leave the local network alone.")
            ]
        }
    }
}
