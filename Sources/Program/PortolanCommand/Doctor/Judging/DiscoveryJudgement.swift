/// Facts about the mDNS responder, and about the visible records of this device.
struct DiscoveryFacts: Sendable, Hashable {
    enum Daemon: Sendable, Hashable {
        case answers
        /// No answer, with the reason.
        case silent(String)
    }

    /// Method of discovery in the configuration.
    enum Choice: Sendable, Hashable { case automatic, daemon, embedded, off }

    var choice = Choice.automatic
    var daemon = Daemon.answers
    /// Reason why this process cannot do mDNS itself; nil if it can, or need not.
    var trouble: String?
    /// True if a running program of this device should be visible to others.
    var isListening = false
    /// Names under which records with this device's key were found.
    var ownNames: [String] = []
    /// Configured name of this device.
    var name = ""
    /// Sentences about keys that several machines show.
    var clones: [String] = []
    /// Number of other peers in sight.
    var others = 0
}

/// Findings about discovery.
enum DiscoveryJudgement {
    static func findings(_ facts: DiscoveryFacts) -> [Finding] {
        guard facts.choice != .off else {
            return [Finding("discovery", .ok, "off, by the configuration.", advice: "Name peers as HOST:PORT.")]
        }
        return [daemon(facts)] + [trouble(facts)].compactMap(\.self) + records(facts)
    }

    private static func daemon(_ facts: DiscoveryFacts) -> Finding {
        let probe = "avahi-daemon"
        switch (facts.daemon, facts.choice) {
        case (.answers, _): return Finding(probe, .ok, "answers over D-Bus.")
        case (.silent(let reason), .daemon):
            return Finding(
                probe, .fail(.daemon),
                "was asked over D-Bus and does not answer (\(reason)), and the configuration "
                    + "wants it.",
                advice: "Run: systemctl start avahi-daemon. Or leave 'discovery: avahi' out.")
        case (.silent(let reason), .embedded):
            return Finding(probe, .ok, "does not answer (\(reason)), and is not needed: discovery is embedded.")
        case (.silent(let reason), _):
            return Finding(
                probe, .warn, "was asked over D-Bus and does not answer (\(reason)); each program does mDNS itself.",
                advice: "It works, and finding takes longer. To have the daemon: systemctl start avahi-daemon")
        }
    }

    private static func trouble(_ facts: DiscoveryFacts) -> Finding? {
        facts.trouble.map {
            Finding("discovery", .fail(.daemon), $0, advice: "Name peers as HOST:PORT until it works.")
        }
    }

    private static func records(_ facts: DiscoveryFacts) -> [Finding] {
        let probe = "own records"
        var findings = facts.clones.map {
            Finding(probe, .fail(.records), $0, advice: CloneAdvice.sentence)
        }
        if facts.trouble == nil {
            let names = facts.ownNames.map { "“\($0)”" }.joined(separator: ", ")
            if let other = facts.ownNames.first(where: { $0.hasPrefix("\(facts.name) #") }) {
                findings.append(
                    Finding(
                        probe, .warn, "the name is taken on this network, so this device is found as “\(other)”.",
                        advice: "Give it a name of its own: portolan id --name NAME"))
            } else if !facts.ownNames.isEmpty {
                findings.append(Finding(probe, .ok, "seen on the network as \(names)."))
            } else if facts.isListening {
                findings.append(
                    Finding(
                        probe, .warn, "a program of this device listens, and no record of it was seen.",
                        advice: "Either it hides ('discoverable'), or mDNS is blocked here; see the lines above."))
            } else {
                findings.append(
                    Finding(
                        probe, .ok, "nothing of this device runs that others could find.",
                        advice: "'portolan receive' or 'portolan agent run' makes it visible."))
            }
            findings.append(
                Finding("peers", .ok, facts.others == 0 ? "no other device is in sight." : "\(facts.others) in sight."))
        }
        return findings
    }
}
