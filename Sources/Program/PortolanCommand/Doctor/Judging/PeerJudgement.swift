/// Result of finding a peer and connecting to it.
struct PeerFacts: Sendable, Hashable {
    enum Answer: Sendable, Hashable {
        case connected(milliseconds: Int)
        case refused
        /// No answer in the time allowed.
        case silent
        /// The network reports that there is no route, with this text.
        case unroutable(String)
        case failed(String)
    }

    struct Attempt: Sendable, Hashable {
        /// `192.0.2.7:47217`
        var address: String
        var answer: Answer
    }

    /// Peer, as the user named it.
    var target: String
    /// Reason why it was not found; nil if it was.
    var absence: String?
    var attempts: [Attempt] = []
    /// Seconds that each address was given.
    var patience = 3
}

enum PeerJudgement {
    static func findings(_ facts: PeerFacts) -> [Finding] {
        let probe = "peer \(facts.target)"
        if let absence = facts.absence {
            return [
                Finding(
                    probe, .fail(.peerUnknown), absence,
                    advice: "If it does receive there, run 'portolan doctor' there, and name it as HOST:PORT here.")
            ]
        }
        guard !facts.attempts.isEmpty else {
            return [Finding(probe, .fail(.peerUnknown), "it was found, and has no address that can be tried.")]
        }
        // An address that answers is enough: failures of others are reported, but are not a fault.
        let isReached = facts.attempts.contains { if case .connected = $0.answer { true } else { false } }
        let findings = facts.attempts.map { finding(probe, $0, facts, isReached) }
        guard isReached else { return findings }
        return findings + [
            Finding(
                "\(probe), the other way", .ok, "whether it reaches this machine cannot be seen from here.",
                advice: "Run there: portolan doctor, with the name of this device.")
        ]
    }

    private static func finding(
        _ probe: String, _ attempt: PeerFacts.Attempt, _ facts: PeerFacts, _ isReached: Bool
    ) -> Finding {
        let address = attempt.address
        func fault(_ cause: Cause) -> Finding.Level { isReached ? .ok : .fail(cause) }
        return switch attempt.answer {
        case .connected(let milliseconds): Finding(probe, .ok, "\(address) takes connections (\(milliseconds) ms).")
        case .refused:
            Finding(
                probe, fault(.peerRefuses),
                "\(address) was tried, and the machine there refused: nothing listens on "
                    + "that port, or a firewall rejects it.",
                advice: "Start 'portolan receive' there; 'ss -ltn' shows the ports on which something listens.")
        case .silent:
            Finding(
                probe, fault(.peerSilent),
                "\(address) was tried, and nothing came back within \(facts.patience) s: "
                    + "the machine is off, or a firewall drops it.",
                advice: "Let the TCP port in there, for example: ufw allow \(port(of: address))/tcp. "
                    + "'ping' tells whether the machine is on.")
        case .unroutable(let reason):
            Finding(
                probe, fault(.peerUnroutable), "\(address) was tried, and there is no way to it: \(reason).",
                advice: "Look whether both are in one network: ip route get \(host(of: address))")
        case .failed(let reason):
            Finding(probe, fault(.peerUnroutable), "\(address) was tried, and could not be connected to: \(reason).")
        }
    }

    private static func port(of address: String) -> Substring {
        address.lastIndex(of: ":").map { address[address.index(after: $0)...] } ?? "47217"
    }

    private static func host(of address: String) -> Substring {
        let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
        return host.hasPrefix("[") ? host.dropFirst().dropLast() : host
    }
}
