import Foundation

/// Rule or policy for packets that arrive at this machine.
struct FirewallRule: Sendable, Hashable {
    enum Verdict: Sendable, Hashable { case accept, drop, reject }
    enum Transport: String, Sendable, Hashable { case tcp, udp }

    /// Position for a person: `table inet filter, chain input`.
    var place: String
    var verdict: Verdict
    /// True if the verdict is the policy of the chain, for packets that match no rule.
    var isPolicy = false
    /// nil for both.
    var transport: Transport?
    /// Destination ports; nil for all.
    var ports: ClosedRange<UInt16>?
    /// True if the rule has conditions that are not understood here, such as addresses or states of connections.
    var isConditional = false

    func takes(_ other: Transport, _ port: UInt16) -> Bool {
        (transport == nil || transport == other) && ports?.contains(port) != false
    }
}

extension FirewallRule {
    /// Parses the output of `nft -j list ruleset`; nil if it is invalid.
    static func read(nft text: String) -> [FirewallRule]? {
        guard let root = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any],
            let objects = root["nftables"] as? [[String: Any]]
        else { return nil }
        var rules: [FirewallRule] = []
        var places: Set<String> = []
        for case let chain? in objects.map({ $0["chain"] as? [String: Any] }) {
            guard let hook = chain["hook"] as? String, ["input", "ingress", "prerouting"].contains(hook),
                chain["type"] as? String == "filter"
            else { continue }
            let place = place(chain, name: chain["name"])
            places.insert(place)
            guard chain["policy"] as? String == "drop" else { continue }
            rules.append(FirewallRule(place: place, verdict: .drop, isPolicy: true))
        }
        for case let rule? in objects.map({ $0["rule"] as? [String: Any] }) {
            let place = place(rule, name: rule["chain"])
            guard places.contains(place), let read = read(rule["expr"] as? [[String: Any]] ?? [], place) else {
                continue
            }
            rules.append(read)
        }
        return rules
    }

    private static func place(_ object: [String: Any], name: Any?) -> String {
        "table \(object["family"] as? String ?? "?") \(object["table"] as? String ?? "?"), "
            + "chain \(name as? String ?? "?")"
    }

    private static func read(_ expressions: [[String: Any]], _ place: String) -> FirewallRule? {
        var rule = FirewallRule(place: place, verdict: .accept)
        var hasVerdict = false
        for expression in expressions {
            if expression["accept"] != nil {
                hasVerdict = true
            } else if expression["drop"] != nil {
                (rule.verdict, hasVerdict) = (.drop, true)
            } else if expression["reject"] != nil {
                (rule.verdict, hasVerdict) = (.reject, true)
            } else if expression["jump"] != nil || expression["goto"] != nil {
                // Rules of another chain are not followed.
                (rule.isConditional, hasVerdict) = (true, true)
            } else if let match = expression["match"] as? [String: Any] {
                if !rule.take(match) { rule.isConditional = true }
            } else if expression["counter"] == nil, expression["log"] == nil {
                rule.isConditional = true
            }
        }
        return hasVerdict ? rule : nil
    }

    /// Returns false for an unknown match.
    private mutating func take(_ match: [String: Any]) -> Bool {
        guard match["op"] as? String == "==", let left = match["left"] as? [String: Any] else { return false }
        if let payload = left["payload"] as? [String: Any], let name = payload["protocol"] as? String,
            payload["field"] as? String == "dport", let transport = Transport(rawValue: name)
        {
            self.transport = transport
            ports = Self.range(match["right"])
            return ports != nil
        }
        let meta = (left["meta"] as? [String: Any])?["key"] as? String
        let field = (left["payload"] as? [String: Any])?["field"] as? String
        guard meta == "l4proto" || field == "protocol", let name = match["right"] as? String,
            let transport = Transport(rawValue: name)
        else { return false }
        self.transport = transport
        return true
    }

    private static func range(_ value: Any?) -> ClosedRange<UInt16>? {
        if let port = value as? Int { return UInt16(exactly: port).map { $0...$0 } }
        guard let ends = (value as? [String: Any])?["range"] as? [Int], ends.count == 2,
            let first = UInt16(exactly: ends[0]), let last = UInt16(exactly: ends[1]), first <= last
        else { return nil }
        return first...last
    }

    /// Parses the output of `iptables-save`: the chain INPUT of the table filter.
    static func read(iptables text: String) -> [FirewallRule] {
        var rules: [FirewallRule] = []
        var isFilter = false
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("*") { isFilter = line == "*filter" }
            guard isFilter, words.count >= 2 else { continue }
            if words[0] == ":INPUT", words[1] == "DROP" {
                rules.append(FirewallRule(place: "iptables, chain INPUT", verdict: .drop, isPolicy: true))
            }
            guard words[0] == "-A", words[1] == "INPUT", let rule = read(Array(words.dropFirst(2))) else { continue }
            rules.append(rule)
        }
        return rules
    }

    private static func read(_ words: [String]) -> FirewallRule? {
        var rule = FirewallRule(place: "iptables, chain INPUT", verdict: .accept)
        var (hasVerdict, index) = (false, 0)
        while index < words.count {
            let value = index + 1 < words.count ? words[index + 1] : ""
            switch words[index] {
            case "-p":
                rule.transport = Transport(rawValue: value)
                if rule.transport == nil { rule.isConditional = true }
            case "-m" where Transport(rawValue: value) != nil: break
            case "--dport":
                let ends = value.split(separator: ":").compactMap { UInt16($0) }
                if let first = ends.first, let last = ends.last, first <= last { rule.ports = first...last }
            case "-j":
                switch value {
                case "ACCEPT": hasVerdict = true
                case "DROP": (rule.verdict, hasVerdict) = (.drop, true)
                case "REJECT": (rule.verdict, hasVerdict) = (.reject, true)
                case "LOG": break
                // Rules of another chain are not followed.
                default: (rule.isConditional, hasVerdict) = (true, true)
                }
            case "-g": (rule.isConditional, hasVerdict) = (true, true)
            case "--reject-with": break
            default: rule.isConditional = true
            }
            index += 2
        }
        return hasVerdict ? rule : nil
    }
}
