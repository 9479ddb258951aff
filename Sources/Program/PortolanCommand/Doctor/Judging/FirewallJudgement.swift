/// Firewall rules of this machine for incoming packets.
enum FirewallFacts: Sendable, Hashable {
    case rules([FirewallRule])
    /// Reason why they could not be read.
    case unreadable(String)
}

enum FirewallJudgement {
    private static let probe = "firewall"

    /// - Parameter port: port to which peers connect.
    static func findings(_ facts: FirewallFacts, port: UInt16) -> [Finding] {
        switch facts {
        case .unreadable(let reason):
            return [
                Finding(
                    probe, .ok, "its rules were not looked at: \(reason).",
                    advice: "As root they can be read: sudo portolan doctor")
            ]
        case .rules(let rules):
            let findings = [
                finding(rules, .tcp, port, "connections to TCP port \(port)", "ufw allow \(port)/tcp"),
                finding(rules, .udp, 5353, "mDNS (UDP port 5353)", "ufw allow mdns"),
            ].compactMap(\.self)
            return findings.isEmpty
                ? [Finding(probe, .ok, "no rule was found that drops Portolan's packets.")] : findings
        }
    }

    private static func finding(
        _ rules: [FirewallRule], _ transport: FirewallRule.Transport, _ port: UInt16, _ words: String, _ advice: String
    ) -> Finding? {
        // A packet passes all chains, so one that drops it is enough.
        for place in rules.map(\.place).reduce(into: [String](), { if !$0.contains($1) { $0.append($1) } }) {
            let chain = rules.filter { $0.place == place && $0.takes(transport, port) }
            let certain = chain.first { !$0.isPolicy && !$0.isConditional }
            guard let rule = certain ?? chain.first(where: \.isPolicy), rule.verdict != .accept else { continue }
            let mayAccept = chain.contains { $0.isConditional && $0.verdict == .accept && !$0.isPolicy }
            let does = rule.verdict == .reject ? "rejects" : "drops"
            return Finding(
                probe, mayAccept ? .warn : .fail(.firewall),
                "\(place) \(does) \(words)\(rule.isPolicy ? " by its policy" : "")"
                    + (mayAccept ? ", but for packets that a rule with conditions accepts." : "."),
                advice: "Let it in, for example: \(advice)")
        }
        return nil
    }
}
