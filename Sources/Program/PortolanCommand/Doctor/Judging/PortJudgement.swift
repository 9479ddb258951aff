/// Facts on the port that this device should listen on.
struct PortFacts: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        case free
        case taken(by: Holder)
        /// Listening is refused, with the reason.
        case forbidden(String)
    }

    enum Holder: Sendable, Hashable {
        /// - Parameter process: its number.
        case program(String, process: Int32)
        /// A process of this user that is not dumpable, as Portolan's are not.
        case hidden
        /// A process of another user.
        case user(String)
        /// The system does not report it.
        case unknown
    }

    var port: UInt16
    /// True if the configuration or the command line names the port, so that another port is no replacement.
    var isRequired = false
    var outcome = Outcome.free
    /// True if the agent of this home runs.
    var agentRuns = false
}

enum PortJudgement {
    private static let program = "portolan"

    static func finding(_ facts: PortFacts) -> Finding {
        let probe = "port \(facts.port)"
        switch facts.outcome {
        case .free: return Finding(probe, .ok, "free, and can be listened on.")
        case .taken(by: .program(program, _)) where facts.agentRuns || !facts.isRequired:
            return Finding(probe, .ok, "Portolan listens on it.")
        case .taken(by: .hidden) where facts.agentRuns, .taken(by: .unknown) where facts.agentRuns:
            return Finding(probe, .ok, "taken, as it should be where the agent runs.")
        case .taken(let holder):
            let seen = "taken by \(words(holder))."
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

    private static func words(_ holder: PortFacts.Holder) -> String {
        switch holder {
        case .program(let name, let process): "“\(name)” (process \(process))"
        case .hidden: "a program of yours that cannot be looked into; it may be 'portolan receive'"
        case .user(let name): "a process of another user, “\(name)”"
        case .unknown: "another program; it may be 'portolan receive'"
        }
    }
}
