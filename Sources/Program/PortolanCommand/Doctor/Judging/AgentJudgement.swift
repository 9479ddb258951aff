/// Facts about the agent of this home.
struct AgentFacts: Sendable, Hashable {
    enum State: Sendable, Hashable {
        case absent
        /// No agent can run for this home, for this reason: a sentence.
        case impossible(String)
        /// A socket exists, but gave no answer for this reason.
        case silent(String)
        case runs(version: String, isReceiving: Bool, problems: [String])
    }

    var state = State.absent
    /// Version of this program.
    var version: String
    /// True if a service of the user is installed.
    var isInstalled = false
    /// True if services of this user run while the user is not logged in; nil if unknown, or if the machine runs the
    /// service.
    var isLingering: Bool?
}

enum AgentJudgement {
    private static let probe = "agent"

    static func findings(_ facts: AgentFacts) -> [Finding] {
        switch facts.state {
        case .absent where facts.isInstalled:
            return [
                Finding(
                    probe, .warn, "is installed as a service, and does not run.",
                    advice: "Run 'portolan agent start'; 'portolan agent logs' tells why it ended.")
            ]
        case .absent: return [Finding(probe, .ok, "none runs for this home; none is needed for send and receive.")]
        case .impossible(let reason):
            return [
                Finding(
                    probe, .warn, "none can run for this home. \(reason)",
                    advice: "Choose a shorter --home, or a shorter XDG_RUNTIME_DIR; other commands do without an agent."
                )
            ]
        case .silent(let reason):
            return [
                Finding(
                    probe, .fail(.agent), "its socket is there, and it gives no answer: \(reason)",
                    advice: "Look at 'portolan agent logs', and start it anew: "
                        + "portolan agent stop && portolan agent start")
            ]
        case .runs(let version, let isReceiving, let problems):
            return running(facts, version, isReceiving) + problems.map { Finding(probe, .warn, $0) }
        }
    }

    private static func running(_ facts: AgentFacts, _ version: String, _ isReceiving: Bool) -> [Finding] {
        var findings: [Finding] = []
        if version != facts.version {
            findings.append(
                Finding(
                    probe, .warn, "runs version \(version), and this program is \(facts.version).",
                    advice: "Run: portolan agent stop && portolan agent start"))
        } else {
            findings.append(
                Finding(probe, .ok, "runs, version \(version)\(isReceiving ? "" : "; it answers no offers")."))
        }
        if facts.isInstalled, facts.isLingering == false {
            findings.append(
                Finding(
                    "lingering", .warn, "the agent ends when you log out.", advice: "Run: loginctl enable-linger"))
        }
        return findings
    }
}
