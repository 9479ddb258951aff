import Portolan

/// A finding as a line for people, and as an event for programs.
enum FindingLine {
    private static let longest = 1000

    static func text(_ finding: Finding) -> String {
        let (seen, advice) = (finding.seen, finding.advice.map { " " + harmless($0) } ?? "")
        let probe = DisplayText(finding.probe, limit: 100)
        return "\(finding.word.padded(to: 4))  \(probe): \(harmless(seen))\(advice)"
    }

    private static func harmless(_ sentence: String) -> String { DisplayText(sentence: sentence, limit: longest).text }

    static func event(_ finding: Finding) -> NodeEvent {
        let level: NodeEvent.Finding.Level =
            switch finding.level {
            case .ok: .ok
            case .warn: .warn
            case .fail: .fail
            }
        return NodeEvent(
            \.finding,
            .init(
                probe: finding.probe, level: level, seen: finding.seen, advice: finding.advice,
                cause: finding.cause?.word, code: finding.cause?.rawValue))
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, length - count))
    }
}
