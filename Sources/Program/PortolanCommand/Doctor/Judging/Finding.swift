/// Result of one probe: subject, observation, advice.
struct Finding: Sendable, Hashable {
    enum Level: Sendable, Hashable {
        /// Correct, or skipped for a stated reason.
        case ok
        /// Works, and may not always.
        case warn
        case fail(Cause)
    }

    /// Subject of the probe, such as `interface lan0`.
    let probe: String
    let level: Level
    /// Observation, in one sentence.
    let seen: String
    /// Advice, in one sentence; nil if there is nothing to do.
    let advice: String?

    init(_ probe: String, _ level: Level, _ seen: String, advice: String? = nil) {
        self.probe = probe
        self.level = level
        self.seen = seen
        self.advice = advice
    }

    var cause: Cause? { if case .fail(let cause) = level { cause } else { nil } }

    /// Word for the level, for people and for programs.
    var word: String {
        switch level {
        case .ok: "ok"
        case .warn: "warn"
        case .fail: "FAIL"
        }
    }
}

extension Sequence<Finding> {
    /// Exit status: number of the first fault, else the number for remarks if there are any, else 0.
    ///
    /// The most basic probes come first, so that the first fault explains most.
    var status: Int32 {
        var result: Int32 = 0
        for finding in self {
            if let cause = finding.cause { return cause.rawValue }
            if finding.level == .warn { result = Cause.remarks }
        }
        return result
    }
}
