import PortolanValues

/// A finding as a line for people, and as an object for programs.
struct FindingLine: Encodable {
    let probe: String
    let level: String
    let seen: String
    let advice: String?
    /// Word and number of the fault; nil where there is none.
    let cause: String?
    let code: Int32?

    init(_ finding: Finding) {
        probe = DisplayText(finding.probe, limit: 100).text
        level = finding.word.lowercased()
        seen = DisplayText(sentence: finding.seen, limit: 1000).text
        advice = finding.advice.map { DisplayText(sentence: $0, limit: 1000).text }
        cause = finding.cause?.word
        code = finding.cause?.rawValue
    }

    static func text(_ finding: Finding) -> String {
        let line = FindingLine(finding)
        let word = finding.word.padded(to: 4)
        return "\(word)  \(line.probe): \(line.seen)" + (line.advice.map { " \($0)" } ?? "")
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, length - count))
    }
}
