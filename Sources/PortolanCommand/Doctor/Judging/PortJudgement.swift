/// Whether this device can listen where it should.
struct PortFacts: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        case free
        /// By which program, as far as it can be seen.
        case taken(by: String?)
        /// Why.
        case forbidden(String)
    }

    var port: UInt16
    /// Whether the configuration or the command line names it; another one is no replacement then.
    var isRequired = false
    var outcome = Outcome.free
    /// Whether the agent of this home runs.
    var agentRuns = false
}

enum PortJudgement {
    private static let program = "portolan"

    static func finding(_ facts: PortFacts) -> Finding {
        let probe = "port \(facts.port)"
        switch facts.outcome {
        case .free: return Finding(probe, .ok, "free, and can be listened on.")
        case .taken(by: program?): return Finding(probe, .ok, "Portolan listens on it.")
        case .taken(by: nil) where facts.agentRuns:
            return Finding(probe, .ok, "taken, as it should be where the agent runs.")
        case .taken(let holder):
            let who = holder.map { "“\($0)”" } ?? "another program; it may be 'portolan receive'"
            let seen = "taken by \(who)."
            guard facts.isRequired else {
                return Finding(
                    probe, .warn, seen + " Another one is taken instead, which mDNS tells and a firewall may not know.",
                    advice: "End that program, or choose a port: --port PORT")
            }
            return Finding(
                probe, .fail(.port), seen,
                advice: "End that program (ss -ltnp 'sport = :\(facts.port)' shows it), or choose another: --port PORT")
        case .forbidden(let reason):
            return Finding(
                probe, .fail(.port), "cannot be listened on: \(reason).", advice: "Choose one above 1023: --port PORT")
        }
    }
}
